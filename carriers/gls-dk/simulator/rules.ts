import type { Breach, Rule, RuleRow } from '../../toolkit/simulator/index.js';
import { bracketed, breachesOf, isFilled, isSent, isUpTo, isWithin, matches } from '../../toolkit/simulator/index.js';
import { valueAt } from '../../toolkit/json.js';
import { HEAVIEST_GRAMS } from '../check.js';
import { FIELDS, MAX_CHARACTERS } from '../fields.js';

/** Texts by the name of the field that they are about, as ASP.NET reports them. */
export type ModelState = Readonly<Record<string, readonly string[]>>;

interface GlsRule extends Rule {
  text(field: string): string;
}

const NEEDED: GlsRule = { isMet: isFilled, text: (field) => `The ${field} field is required.` };
const AMOUNT: GlsRule = {
  isMet: (value) => !isSent(value) || (typeof value === 'number' && value >= 0),
  text: (field) => `The field ${field} must be a number.`,
};

function upTo(longest: number): GlsRule {
  return { isMet: isUpTo(longest), text: (field) => `The field ${field} must have a maximum length of ${longest}.` };
}

function saying(isMet: Rule['isMet'], text: string): GlsRule {
  return { isMet, text: () => text };
}

const LOGIN = ['UserName', 'Password', 'Customerid', 'Contactid'];
const NEEDED_IN_ADDRESS = ['Name1', 'Street1', 'CountryNum', 'ZipCode', 'City'];
const LINES = ['Name1', 'Name2', 'Name3', 'Street1', 'City', 'Contact', 'Email', 'Phone', 'Mobile'] as const;

const RULES: readonly RuleRow<GlsRule>[] = [
  [NEEDED, ...LOGIN, 'ShipmentDate', 'Services', 'Parcels'],
  [upTo(20), ...LOGIN],
  [saying(matches(/^(?!wrong$)/), 'Invalid user name or password.'), 'Password'],
  [saying(matches(/^(\d{8})?$/), 'The date must be written YYYYMMDD.'), 'ShipmentDate'],
  [upTo(MAX_CHARACTERS.reference), 'Reference'],
  [upTo(MAX_CHARACTERS.shop), 'Services.ShopDelivery'],
  [upTo(FIELDS.Deposit.longest), 'Services.Deposit'],
  [upTo(FIELDS.Email.longest), 'Services.NotificationEmail'],
  ...['Addresses.Delivery', 'Addresses.AlternativeShipper?', 'Addresses.Pickup?'].flatMap(
    (role): readonly RuleRow<GlsRule>[] => [
      [NEEDED, ...NEEDED_IN_ADDRESS.map((field) => `${role}.${field}`)],
      [saying(matches(/^(\d{3})?$/), 'The country must be an ISO 3166-1 numeric code.'), `${role}.CountryNum`],
      [upTo(MAX_CHARACTERS.postalCode), `${role}.ZipCode`],
      ...LINES.map((field) => [upTo(FIELDS[field].longest), `${role}.${field}`] as const),
    ],
  ),
  [
    saying(isWithin(0, HEAVIEST_GRAMS / 1000), `The weight must be between 0 and ${HEAVIEST_GRAMS / 1000}.`),
    'Parcels.*.Weight',
  ],
  [upTo(FIELDS.Reference.longest), 'Parcels.*.Reference'],
  [upTo(FIELDS.Comment.longest), 'Parcels.*.Comment'],
  [AMOUNT, 'Parcels.*.Cashservice', 'Parcels.*.AddOnLiabilityService'],
];

/** Of a parcel that the customer hands in at a shop. */
const RETURN_RULES: readonly RuleRow<GlsRule>[] = [
  [saying(matches(/^Y$/), 'The value must be Y.'), 'Services.ShopReturn'],
  [NEEDED, 'Addresses.Pickup'],
  [saying((value) => !isSent(value), 'A return has no alternative shipper.'), 'Addresses.AlternativeShipper'],
];

export function isReturn(shipment: unknown): boolean {
  return isSent(valueAt(shipment, 'Services', 'ShopReturn'));
}

/** What GLS would say against a shipment; empty when it takes it. */
export function violationsIn(shipment: unknown): ModelState {
  const rules = isReturn(shipment) ? [...RULES, ...RETURN_RULES] : RULES;
  const found = breachesOf(shipment, rules).map((breach) => ({
    name: nameOf(breach),
    text: breach.rule.text(breach.field),
  }));
  const textsOf = (name: string) => found.filter((each) => each.name === name).map(({ text }) => text);
  return Object.fromEntries(found.map(({ name }) => [name, textsOf(name)]));
}

/** `shipment.Parcels[0].Weight` */
function nameOf({ path }: Breach<GlsRule>): string {
  return bracketed(['shipment', ...path]);
}
