/** The request asks for something that does not exist in this form; the message says what would do. */
export class BadRequest extends Error {
  override readonly name = 'Unreadable';
}
