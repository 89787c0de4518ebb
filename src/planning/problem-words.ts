import type { Loss, Problem } from '../../carriers/contract/model.js';
import { PHRASES, type PhraseKey, type PhraseValues, type Phrases } from '../messages/keys.js';

type Complaint = Extract<PhraseKey, `problem-${string}`>;

/** A problem in the worker's language, where its code has a text; else in the words of the check. */
export function problemInWords({ code, text, values = {} }: Problem, say: Phrases): string {
  const key = `problem-${code ?? ''}`;
  const isSaid = isIssue(key) && PHRASES[key].every((name) => Object.hasOwn(values, name));
  return isSaid ? say(key, { ...NO_VALUES, ...values }) : text;
}

/** The default values; each text uses those it needs. */
const NO_VALUES: PhraseValues<Complaint> = {
  ...{ parcel: '', limit: '', given: '', country: '' },
  ...{ numbers: '', carrier: '', service: '', services: '' },
  ...{ origin: '', allowed: '', line: '', option: '' },
  ...{ member: '', sent: '' },
};

function isIssue(key: string): key is Complaint {
  return key.startsWith('problem-') && Object.hasOwn(PHRASES, key);
}

/** The carriers' names of their fields. */
const FIELDS: ReadonlyMap<string, Extract<PhraseKey, `field-${string}`>> = new Map(
  Object.entries({
    name: 'field-name',
    Name1: 'field-name',
    navn: 'field-name',
    addressLine: 'field-street',
    Street1: 'field-street',
    street: 'field-street',
    adresse: 'field-street',
    addressLine2: 'field-second-line',
    Name3: 'field-second-line',
    street2: 'field-second-line',
    Name2: 'field-care-of',
    city: 'field-city',
    City: 'field-city',
    by: 'field-city',
    reference: 'field-reference',
    Reference: 'field-reference',
    contactName: 'field-contact',
    Contact: 'field-contact',
    phoneNumber: 'field-phone',
    Phone: 'field-phone',
    phone: 'field-phone',
    Mobile: 'field-mobile',
    mobil: 'field-mobile',
    Email: 'field-email',
    AlternativeShipper: 'field-address',
    notesOnDelivery: 'field-notes',
    Deposit: 'field-notes',
    message: 'field-notes',
    goodsDescription: 'field-description',
    Comment: 'field-description',
  } as const),
);

const OWNERS: ReadonlyMap<string, Extract<PhraseKey, `owner-${string}`>> = new Map(
  Object.entries({
    recipient: 'owner-recipient',
    sender: 'owner-sender',
    shipment: 'owner-shipment',
    parcel: 'owner-parcel',
  } as const),
);

/**
 * The owner and name of a changed text, e.g. `the recipient's second address line`; without words of ours, the
 * carrier's own name of the field.
 */
export function fieldInWords({ field }: Pick<Loss, 'field'>, say: Phrases): string {
  const [whose = '', name = ''] = field.split('.');
  const owner = OWNERS.get(whose.split(' ')[0] ?? '');
  const what = FIELDS.get(name);
  return owner === undefined || what === undefined ? field : `${say(owner, {})} ${say(what, {})}`;
}
