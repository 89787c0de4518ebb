/**
 * A text as databases take it. JSON can write NUL and halves of a character (`\u0000`, `\ud800`), and a booking whose
 * answer cannot be stored would be an unknown booking.
 * @returns well-formed Unicode without NUL; U+FFFD stands for what was none
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
