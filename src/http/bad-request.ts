/** The request is not valid; the message says what a valid one has. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}
