import type { PointFields } from '../pickup-points.js';

/** A pick-up point of a simulated carrier, nearest first. */
export interface SimulatedPoint {
  readonly id: string;
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly kind: 'manned' | 'locker';
  readonly distanceM: number;
}

/** The simulated points are the same near every address. */
export const SIMULATED_POINTS: readonly SimulatedPoint[] = [
  { id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', city: 'Testby', kind: 'manned', distanceM: 640 },
  { id: '700002', name: 'Pakkeboks 7', street: 'Stationsvej 1', city: 'Testby', kind: 'locker', distanceM: 1_100 },
  { id: '700003', name: 'Prøvehandel', street: 'Torvet 12', city: 'Testby', kind: 'manned', distanceM: 2_350 },
];

/** The point with an id, or the nearest ones. */
export function simulatedPoints({ id, limit = Infinity }: PointsQuery): readonly SimulatedPoint[] {
  return id ? SIMULATED_POINTS.filter((point) => point.id === id) : SIMULATED_POINTS.slice(0, limit);
}

interface PointsQuery {
  readonly id?: string | undefined;
  readonly limit?: number;
}

/**
 * A simulated point as the carrier writes it, with its parts where `readPoint` looks for them.
 * @param at the postal code and the country that were asked for: it is near every address
 */
export function pointRow(
  { id, name, street, city, distanceM }: SimulatedPoint,
  fields: PointFields,
  at: { readonly postalCode: string; readonly countryCode: string },
): Readonly<Record<string, unknown>> {
  const parts = { id, name, street, city, ...at, metres: distanceM, kilometres: distanceM / 1000 };
  const places = Object.entries(parts).flatMap(([part, value]) =>
    [fields[part as keyof typeof parts] ?? []].flat().map((path) => ({ path: path.split('.'), value })),
  );
  return places.reduce((row, { path, value }) => withValue(row, path, value), {});
}

function withValue(row: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inner = Object.getOwnPropertyDescriptor(row, name)?.value as object | undefined;
  return { ...row, [name]: rest.length === 0 ? value : withValue(inner ?? {}, rest, value) };
}
