const SHARE_BY_DEFAULT = 5;

/** How many cases a property tries: all in `npm run test:properties`, a fifth in `npm test`. */
export function propertyRuns(all: number): number {
  return 'longRuns' in globalThis ? all : Math.ceil(all / SHARE_BY_DEFAULT);
}
