import type { Party } from '../../contract/index.js';
import type { ValidationIssue } from '../check-codes.js';
import type { FieldTable } from '../fit.js';
import { textAt } from '../json.js';
import { partyTexts, sentOf } from '../party-texts.js';
import { when } from '../preflight.js';

/** What services of a carrier need of a contact, a row for each need: the services, and the fields of which one must be filled. */
export type ContactNeeds = readonly ContactNeed[];
type ContactNeed = readonly [services: readonly string[], ...oneOf: readonly string[]];

/** The needs of some services that a contact does not meet. @param contact with its texts by the names of the fields */
export function unmetNeeds(needs: ContactNeeds, services: readonly string[], contact: unknown): ContactNeeds {
  const isNeeded = (of: readonly string[]) => of.some((service) => services.includes(service));
  return needs.filter(([of, ...oneOf]) => isNeeded(of) && oneOf.every((name) => textAt(contact, name) === null));
}

interface NeededBy {
  /** The carrier's name for people. */
  readonly carrier: string;
  readonly fields: FieldTable;
  readonly needs: ContactNeeds;
}

/** `email-missing` and `mobile-missing` where a service needs this very field, else `recipient-contact`; each once. */
export function neededContact(
  party: Party,
  services: readonly string[],
  { carrier, fields, needs }: NeededBy,
): readonly ValidationIssue[] {
  const unmet = unmetNeeds(needs, services, sentOf(partyTexts(party, fields)));
  const only = unmet.map(([, name = '', ...more]) => (more.length === 0 ? fields[name]?.means : undefined));
  return [
    ...when(only.includes('mobile'), 'mobile-missing', { carrier }),
    ...when(only.includes('email'), 'email-missing', { carrier }),
    ...when(
      only.some((means) => means !== 'mobile' && means !== 'email'),
      'recipient-contact',
    ),
  ];
}
