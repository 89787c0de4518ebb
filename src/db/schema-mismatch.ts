/** This program cannot migrate the tables; the message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
  /** EX_CONFIG of sysexits.h: starting again does not help. */
  readonly exitCode = 78;
}
