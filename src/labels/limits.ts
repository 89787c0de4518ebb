/** Of one label. */
export const MAX_LABEL_BYTES = 10_000_000;
/** Of all labels of a booking. */
export const MAX_PAGES = 500;
