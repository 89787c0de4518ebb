/**
 * Begins all of them at once, for tests that wait for real time more than they work: each awaits its own run, and what goes
 * wrong in a run fails its test.
 */
export function sideBySide<Result>(runs: readonly (() => Promise<Result>)[]): readonly Promise<Result>[] {
  const begun = runs.map((run) => run());
  // Awaited later: until then nobody has handled it.
  for (const one of begun) one.catch(() => undefined);
  return begun;
}
