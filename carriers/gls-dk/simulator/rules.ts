import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import { HEAVIEST_GRAMS } from '../check.js';
import { FIELDS, LONGEST } from '../fields.js';

/** Texts by the name of the field that they are about, as ASP.NET reports them. */
export type ModelState = Readonly<Record<string, readonly string[]>>;

interface Complaint {
  readonly path: Path;
  readonly text: string;
}
type Path = readonly (string | number)[];

/** How long each field may be at most, by its path. */
type Limits = readonly (readonly [path: string, longest: number])[];

const NEEDED = ['UserName', 'Password', 'Customerid', 'Contactid', 'ShipmentDate'];
const SHIPMENT: Limits = [
  ...['UserName', 'Password', 'Customerid', 'Contactid'].map((field) => [field, 20] as const),
  ['ShipmentDate', 8],
  ['Reference', LONGEST.reference],
  ['Services.ShopDelivery', LONGEST.shop],
  ['Services.Deposit', FIELDS.Deposit.longest],
  ['Services.NotificationEmail', FIELDS.Email.longest],
];

const NEEDED_IN_ADDRESS = ['Name1', 'Street1', 'CountryNum', 'ZipCode', 'City'];
const ADDRESS_TEXTS = ['Name1', 'Name2', 'Name3', 'Street1', 'City', 'Contact', 'Email', 'Phone', 'Mobile'] as const;
const ADDRESS: Limits = [
  ...ADDRESS_TEXTS.map((field) => [field, FIELDS[field].longest] as const),
  ['CountryNum', 3],
  ['ZipCode', LONGEST.postalCode],
];

const PARCEL: Limits = [
  ['Reference', FIELDS.Reference.longest],
  ['Comment', FIELDS.Comment.longest],
];

/** What GLS would say against a shipment; empty when it takes it. */
export function complaintsAbout(shipment: unknown): ModelState {
  const date = textAt(shipment, 'ShipmentDate');
  const parcels = listAt(shipment, 'Parcels');
  const found = [
    ...texts(shipment, [], { needed: NEEDED, limits: SHIPMENT }),
    ...unless(textAt(shipment, 'Password') !== 'wrong', ['Password'], 'Invalid user name or password.'),
    ...unless(date === null || /^\d{8}$/.test(date), ['ShipmentDate'], 'The date must be written YYYYMMDD.'),
    ...unless(isThere(valueAt(shipment, 'Services')), ['Services'], 'The Services field is required.'),
    ...unless(parcels.length > 0, ['Parcels'], 'The Parcels field is required.'),
    ...['Delivery', 'AlternativeShipper'].flatMap((role) => brokenAddress(shipment, role)),
    ...parcels.flatMap((_parcel, index) => brokenParcel(shipment, index)),
  ].map(({ path, text }) => ({ field: nameOf(path), text }));
  const textsOf = (name: string) => found.filter(({ field }) => field === name).map(({ text }) => text);
  return Object.fromEntries(found.map(({ field }) => [field, textsOf(field)]));
}

function texts(
  shipment: unknown,
  base: Path,
  { needed, limits }: { readonly needed: readonly string[]; readonly limits: Limits },
): readonly Complaint[] {
  const missing = needed.flatMap((field) => {
    const path = [...base, field];
    return unless(textAt(shipment, ...path) !== null, path, `The ${field} field is required.`);
  });
  const long = limits.flatMap(([field, longest]) => {
    const path = [...base, ...field.split('.')];
    const fine = (textAt(shipment, ...path) ?? '').length <= longest;
    return unless(fine, path, `The field ${path.at(-1)} must have a maximum length of ${longest}.`);
  });
  return [...missing, ...long];
}

function brokenAddress(shipment: unknown, role: string): readonly Complaint[] {
  const base = ['Addresses', role];
  if (role !== 'Delivery' && !isThere(valueAt(shipment, ...base))) return [];
  const country = textAt(shipment, ...base, 'CountryNum');
  const isNumber = country === null || /^\d{3}$/.test(country);
  return [
    ...texts(shipment, base, { needed: NEEDED_IN_ADDRESS, limits: ADDRESS }),
    ...unless(isNumber, [...base, 'CountryNum'], 'The country must be an ISO 3166-1 numeric code.'),
  ];
}

function brokenParcel(shipment: unknown, index: number): readonly Complaint[] {
  const base = ['Parcels', index];
  const grams = 1000 * (numberAt(shipment, ...base, 'Weight') ?? 0);
  const isWeight = grams > 0 && grams <= HEAVIEST_GRAMS;
  const isAmount = (amount: unknown) => !isThere(amount) || (typeof amount === 'number' && amount >= 0);
  return [
    ...texts(shipment, base, { needed: [], limits: PARCEL }),
    ...['Cashservice', 'AddOnLiabilityService'].flatMap((field) => {
      const path = [...base, field];
      return unless(isAmount(valueAt(shipment, ...path)), path, `The field ${field} must be a number.`);
    }),
    ...unless(isWeight, [...base, 'Weight'], `The weight must be between 0 and ${HEAVIEST_GRAMS / 1000}.`),
  ];
}

function unless(fine: boolean, path: Path, text: string): readonly Complaint[] {
  return fine ? [] : [{ path, text }];
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** `shipment.Parcels[0].Weight` */
function nameOf(path: Path): string {
  return path.reduce<string>((name, step) => name + (typeof step === 'number' ? `[${step}]` : `.${step}`), 'shipment');
}
