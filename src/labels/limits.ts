/** The limit of one label. */
export const MAX_LABEL_BYTES = 10_000_000;
/** The limit of one label, and of all labels of a booking together. */
export const MAX_PAGES = 500;
