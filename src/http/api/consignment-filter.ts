import { CONSIGNMENT_STATES } from '../../consignment/states.js';
import { CONSIGNMENT_CURSOR, type ConsignmentFilter } from '../../operator/consignment-list.js';
import {
  type ParameterValues,
  someWords,
  cursor,
  flag,
  limit,
  names,
  oneWord,
  freeText,
  time,
} from '../openapi/parameters.js';
import { lang } from './language.js';

/** The first name of `skipped`, by which callers may still filter. */
const FORMERLY = { 'set-aside': 'skipped' } as const;

/** The parameters that choose consignments. */
export const FILTER = {
  state: someWords(CONSIGNMENT_STATES, 'Their states', { formerly: FORMERLY }),
  area: names('Their areas, by contextId'),
  account: names('The accounts, by their names in the configuration'),
  carrier: names('The carriers, by the folders of their adapters'),
  since: time('Those that came at this time or later'),
  until: time('Those that came before this time'),
  needsOperator: flag('Whether they are in doubt and only a person can find out'),
  q: freeText(
    'Exactly a number: of the shipment, the document, the carrier, a parcel, a reference, or the id of the consignment; or ' +
      "the beginning of the recipient's name",
  ),
};

const SORTS = ['newest', 'oldest'] as const;
/** The list of consignments. */
export const LIST = {
  ...FILTER,
  sort: oneWord(SORTS, 'Their order, by the time when they came', 'newest'),
  cursor: cursor(CONSIGNMENT_CURSOR),
  limit,
  lang,
};
/** The query of one consignment. */
export const CONSIGNMENT_QUERY = { lang };

export function filterOf(given: ParameterValues<typeof FILTER>): ConsignmentFilter {
  const { state: states, area: areas, account: accounts, carrier: carriers, ...others } = given;
  return { states, areas, accounts, carriers, ...others };
}
