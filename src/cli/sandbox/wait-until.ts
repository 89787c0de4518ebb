export interface Patience {
  readonly withinMs: number;
  readonly everyMs: number;
}

/** Looks again and again until the condition is true or the time is over. @returns whether it has become true */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs }: Patience,
): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() >= end) return false;
    await new Promise((done) => setTimeout(done, everyMs));
  }
  return true;
}
