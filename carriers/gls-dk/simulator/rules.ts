import { valueAt } from '../../toolkit/index.js';
import type { Rule, RuleRow } from '../../toolkit/simulator/index.js';
import { bracketed, breachesOf, isFilled, isSent, isUpTo, isWithin } from '../../toolkit/simulator/index.js';
import { matches, partyRows, under } from '../../toolkit/simulator/index.js';
import { HEAVIEST_GRAMS } from '../check.js';
import { FIELDS, MAX_CHARACTERS } from '../fields.js';

/** @param text what GLS says, with the name of the field for `{field}` */
const saying = (isMet: Rule['isMet'], text: string) => ({ isMet, text });
const upTo = (longest: number) =>
  saying(isUpTo(longest), `The field {field} must have a maximum length of ${longest}.`);

type GlsRows = readonly RuleRow<ReturnType<typeof saying>>[];

const NEEDED = saying(isFilled, 'The {field} field is required.');
const AMOUNT = saying(
  (value) => !isSent(value) || (typeof value === 'number' && value >= 0),
  'The field {field} must be a number.',
);
const LOGIN = ['UserName', 'Password', 'Customerid', 'Contactid'];
const HEAVIEST_KG = HEAVIEST_GRAMS / 1000;

const addressRows = (role: string): GlsRows => [
  [NEEDED, ...under(role, 'Name1', 'Street1', 'CountryNum', 'ZipCode', 'City')],
  [saying(matches(/^(\d{3})?$/), 'The country must be an ISO 3166-1 numeric code.'), `${role}.CountryNum`],
  [upTo(MAX_CHARACTERS.postalCode), `${role}.ZipCode`],
  ...partyRows(role, FIELDS, ({ longest }) => upTo(longest)),
];

const RULES: GlsRows = [
  [NEEDED, ...LOGIN, 'ShipmentDate', 'Services', 'Parcels'],
  [upTo(20), ...LOGIN],
  [saying(matches(/^(?!wrong$)/), 'Invalid user name or password.'), 'Password'],
  [saying(matches(/^(\d{8})?$/), 'The date must be written YYYYMMDD.'), 'ShipmentDate'],
  [upTo(MAX_CHARACTERS.reference), 'Reference'],
  [upTo(MAX_CHARACTERS.shop), 'Services.ShopDelivery'],
  [upTo(FIELDS.Deposit.longest), 'Services.Deposit'],
  [upTo(FIELDS.Email.longest), 'Services.NotificationEmail'],
  ...under('Addresses', 'Delivery', 'AlternativeShipper?', 'Pickup?').flatMap(addressRows),
  [saying(isWithin(0, HEAVIEST_KG), `The weight must be between 0 and ${HEAVIEST_KG}.`), 'Parcels.*.Weight'],
  [upTo(FIELDS.Reference.longest), 'Parcels.*.Reference'],
  [upTo(FIELDS.Comment.longest), 'Parcels.*.Comment'],
  [AMOUNT, 'Parcels.*.Cashservice', 'Parcels.*.AddOnLiabilityService'],
];

/** Of a parcel that the customer hands in at a shop. */
const RETURN_RULES: GlsRows = [
  [saying(matches(/^Y$/), 'The value must be Y.'), 'Services.ShopReturn'],
  [NEEDED, 'Addresses.Pickup'],
  [saying((value) => !isSent(value), 'A return has no alternative shipper.'), 'Addresses.AlternativeShipper'],
];

export function isReturn(shipment: unknown): boolean {
  return isSent(valueAt(shipment, 'Services', 'ShopReturn'));
}

/** What GLS would say against a shipment, as ASP.NET does: texts by the field, e.g. `shipment.Parcels[0].Weight`. */
export function violationsIn(shipment: unknown): Readonly<Record<string, readonly string[]>> {
  const rules = isReturn(shipment) ? [...RULES, ...RETURN_RULES] : RULES;
  const state: Record<string, string[]> = {};
  for (const { rule, path, field } of breachesOf(shipment, rules))
    (state[bracketed(['shipment', ...path])] ??= []).push(rule.text.replace('{field}', field));
  return state;
}
