/** The tables are not those that this program made or can bring up to date; the message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
  /** EX_CONFIG of sysexits.h: starting again does not help. */
  readonly exitCode = 78;
}
