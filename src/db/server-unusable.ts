import type { DatabaseUnavailable } from './database.js';

/** What an operator does about a server's error, by the beginning of its SQLSTATE. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^25006/, 'The server is read-only: make the server writable, or have DATABASE_URL lead to the one that is.'],
  [/^53100/, 'The disk of the server is full: make room on it.'],
  [/^53300/, 'The server has no connections left: raise max_connections, or stop what uses them.'],
  [/^28/, 'The server refuses the user: check name and password in DATABASE_URL.'],
  [/^3D/, 'The server has no such database: check its name in DATABASE_URL.'],
  [/^5[38]/, 'The server is short of something or its disk fails: look at its log.'],
];
const OTHER_ADVICE = 'Check that the server runs, that it can be reached from here, its disk and its log.';

/** The server of DATABASE_URL cannot be used at the start; the message says what to do. */
export class ServerUnusable extends Error {
  override readonly name = 'ServerUnusable';

  constructor(cause: DatabaseUnavailable) {
    const { code } = (cause.cause ?? {}) as { readonly code?: unknown };
    const advice = ADVICE.find(([codes]) => codes.test(String(code)))?.[1] ?? OTHER_ADVICE;
    super(`DATABASE_URL cannot be used: "${cause.message}". ${advice} Then start the service again.`, { cause });
  }
}
