/** A label that must not go to a printer. The message says which one and why, in words for a person. */
export class LabelUnusable extends Error {
  override readonly name = 'LabelUnusable';

  /** @param position of the label in the list, from 1; `null`: the whole list */
  constructor(
    message: string,
    readonly position: number | null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Why a label cannot be used, as the end of the sentence "label 1 of 2 …". */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}
