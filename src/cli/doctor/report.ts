const WIDTH = 15;

/** Nothing that keeps bookings from working; a person should look all the same. */
export class ToLookAt extends Error {
  override readonly name = 'ToLookAt';
}

/** Does one check and keeps its result: what it returns is fine, what it throws is a problem. @returns whether bookings work */
export type Check = (what: string, work: () => Promise<string>) => Promise<boolean>;

interface Result {
  readonly what: string;
  /** `look`: bookings work. */
  readonly state: 'ok' | 'look' | 'problem';
  readonly says: string;
}

export interface Report {
  readonly check: Check;
  /** Prints what has not been printed yet. */
  end(): void;
}

/** @param form `text`: each result at once; `json`: all of them at the end. A problem makes the exit code 1 */
export function createReport(form: 'text' | 'json'): Report {
  const results: Result[] = [];
  return {
    check: async (what, work) => {
      const result = { what, ...(await resultOf(work)) };
      results.push({ ...result, what: what.trim() });
      if (result.state === 'problem') process.exitCode = 1;
      if (form === 'text') console.log(lineOf(result));
      return result.state !== 'problem';
    },
    end: () => {
      if (form === 'json') console.log(JSON.stringify({ ok: process.exitCode !== 1, results }, null, 2));
    },
  };
}

async function resultOf(work: () => Promise<string>): Promise<Omit<Result, 'what'>> {
  try {
    return { state: 'ok', says: await work() };
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return { state: error instanceof ToLookAt ? 'look' : 'problem', says };
  }
}

function lineOf({ what, state, says }: Result): string {
  const words = { ok: '', look: 'look at this: ', problem: 'NOT WORKING: ' } as const;
  return `${what.padEnd(WIDTH)} ${words[state]}${says}`;
}

/** `1 area`, `2 areas` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
