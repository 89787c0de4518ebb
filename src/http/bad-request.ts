/** The request asks for something that does not exist in this form; the message says what would do. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
