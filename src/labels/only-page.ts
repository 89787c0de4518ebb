import { Unusable } from './label-unusable.js';
import type { OpenLabel } from './open-label.js';

/** One page of a label, for one of several parcels. */
export interface PageChoice {
  /** From 0. */
  readonly place: number;
  /** How many pages the label must have, so that the page is certainly the parcel's. */
  readonly of: number;
}

/** Leaves one page in the document. @throws Unusable it has another number of pages */
export function onlyPage(label: OpenLabel, { place, of }: PageChoice): OpenLabel {
  const { document, pages } = label;
  if (pages !== of) throw new Unusable(`has ${pages} pages for ${of} parcels: which is whose cannot be told`);
  for (let page = pages - 1; page >= 0; page -= 1) if (page !== place) document.removePage(page);
  return { document, pages: 1, isUsableAsItCame: () => pages === 1 && label.isUsableAsItCame() };
}
