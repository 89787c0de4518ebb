/**
 * Waits for work for a limited time. The work itself goes on: its result, or its error, is ignored then. The timer
 * keeps the process alive until then, because Node ends when only a promise is pending.
 * @param late called when the time is over; its result is returned instead, its error is thrown instead
 */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  withinMs: number,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((done) => (timer = setTimeout(done, withinMs)));
  return Promise.race([work, over.then(late)]).finally(() => clearTimeout(timer));
}

/** Waits for work in the database for a limited time. @throws Error when it takes longer */
export function databaseAnswersWithin<Result>(withinMs: number, work: Promise<Result>): Promise<Result> {
  return withTimeout(work, withinMs, () => {
    throw new Error('the database does not answer');
  });
}
