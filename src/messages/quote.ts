const MAX_CHARACTERS = 500;

/**
 * Several complaints as one text to stand between quotation marks in a message: each once, on one line, and short enough
 * to be read with a parcel in hand.
 */
export function quoteProblems(problems: readonly { readonly text: string }[]): string {
  const texts = problems.map(({ text }) => withoutFullStop(onOneLine(text))).filter((text) => text !== '');
  return shortened([...new Set(texts)].join('; '));
}

/** Removes what would end the quotation, or garble a screen. */
function onOneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
}

/** The message ends the sentence after the quotation mark. */
function withoutFullStop(text: string): string {
  return text.replace(/(?<=[^.])\.$/, '');
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}
