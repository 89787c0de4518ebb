import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import { HEAVIEST_GRAMS, LONGEST } from '../wire.js';

/** Texts by the name of the field that they are about, as ASP.NET reports them. */
export type ModelState = Readonly<Record<string, readonly string[]>>;

type Complaint = readonly [field: string, text: string];
type Path = readonly (string | number)[];

interface Rule {
  readonly path: Path;
  readonly longest: number;
  readonly presence: 'required' | 'optional';
}

const SHIPMENT: readonly Rule[] = [
  { path: ['UserName'], longest: 20, presence: 'required' },
  { path: ['Password'], longest: 20, presence: 'required' },
  { path: ['Customerid'], longest: 20, presence: 'required' },
  { path: ['Contactid'], longest: 20, presence: 'required' },
  { path: ['ShipmentDate'], longest: 8, presence: 'required' },
  { path: ['Reference'], longest: LONGEST.reference, presence: 'optional' },
  { path: ['Services', 'ShopDelivery'], longest: LONGEST.shop, presence: 'optional' },
  { path: ['Services', 'Deposit'], longest: LONGEST.deposit, presence: 'optional' },
  { path: ['Services', 'NotificationEmail'], longest: LONGEST.email, presence: 'optional' },
];

const ADDRESS: readonly Rule[] = [
  { path: ['Name1'], longest: LONGEST.line, presence: 'required' },
  { path: ['Name2'], longest: LONGEST.line, presence: 'optional' },
  { path: ['Name3'], longest: LONGEST.line, presence: 'optional' },
  { path: ['Street1'], longest: LONGEST.line, presence: 'required' },
  { path: ['CountryNum'], longest: 3, presence: 'required' },
  { path: ['ZipCode'], longest: LONGEST.postalCode, presence: 'required' },
  { path: ['City'], longest: LONGEST.line, presence: 'required' },
  { path: ['Contact'], longest: LONGEST.line, presence: 'optional' },
  { path: ['Email'], longest: LONGEST.email, presence: 'optional' },
  { path: ['Phone'], longest: LONGEST.phone, presence: 'optional' },
  { path: ['Mobile'], longest: LONGEST.phone, presence: 'optional' },
];

const PARCEL: readonly Rule[] = [
  { path: ['Reference'], longest: LONGEST.parcelReference, presence: 'optional' },
  { path: ['Comment'], longest: LONGEST.comment, presence: 'optional' },
];

const AMOUNTS = ['Cashservice', 'AddOnLiabilityService'];

/** What GLS would say against a shipment; empty when it takes it. */
export function complaintsAbout(shipment: unknown): ModelState {
  const found = [
    ...SHIPMENT.flatMap((rule) => brokenRule(shipment, [], rule)),
    ...brokenAccess(shipment),
    ...brokenStructure(shipment),
    ...['Delivery', 'AlternativeShipper'].flatMap((role) => brokenAddress(shipment, role)),
    ...listAt(shipment, 'Parcels').flatMap((_parcel, index) => brokenParcel(shipment, index)),
  ];
  const fields = [...new Set(found.map(([field]) => field))];
  return Object.fromEntries(
    fields.map((field) => [field, found.filter(([of]) => of === field).map(([, text]) => text)]),
  );
}

function brokenRule(shipment: unknown, base: Path, rule: Rule): readonly Complaint[] {
  const path = [...base, ...rule.path];
  const text = textAt(shipment, ...path);
  if (text === null && rule.presence === 'required') return [[nameOf(path), `The ${path.at(-1)} field is required.`]];
  if ((text ?? '').length > rule.longest)
    return [[nameOf(path), `The field ${path.at(-1)} must have a maximum length of ${rule.longest}.`]];
  return [];
}

function brokenAccess(shipment: unknown): readonly Complaint[] {
  return textAt(shipment, 'Password') === 'wrong' ? [['shipment.Password', 'Invalid user name or password.']] : [];
}

function brokenStructure(shipment: unknown): readonly Complaint[] {
  const date = textAt(shipment, 'ShipmentDate');
  const broken: readonly (readonly [boolean, Complaint])[] = [
    [date !== null && !/^\d{8}$/.test(date), ['shipment.ShipmentDate', 'The date must be written YYYYMMDD.']],
    [(valueAt(shipment, 'Services') ?? null) === null, ['shipment.Services', 'The Services field is required.']],
    [listAt(shipment, 'Parcels').length === 0, ['shipment.Parcels', 'The Parcels field is required.']],
  ];
  return broken.filter(([isBroken]) => isBroken).map(([, complaint]) => complaint);
}

function brokenAddress(shipment: unknown, role: string): readonly Complaint[] {
  const base = ['Addresses', role];
  if (role !== 'Delivery' && (valueAt(shipment, ...base) ?? null) === null) return [];
  const country = textAt(shipment, ...base, 'CountryNum');
  const rules = ADDRESS.flatMap((rule) => brokenRule(shipment, base, rule));
  if (country === null || /^\d{3}$/.test(country)) return rules;
  return [...rules, [nameOf([...base, 'CountryNum']), 'The country must be an ISO 3166-1 numeric code.']];
}

function brokenParcel(shipment: unknown, index: number): readonly Complaint[] {
  const base = ['Parcels', index];
  const weight = numberAt(shipment, ...base, 'Weight') ?? 0;
  const rules = [
    ...PARCEL.flatMap((rule) => brokenRule(shipment, base, rule)),
    ...AMOUNTS.flatMap((field) => brokenAmount(shipment, [...base, field])),
  ];
  if (weight > 0 && weight * 1000 <= HEAVIEST_GRAMS) return rules;
  return [...rules, [nameOf([...base, 'Weight']), `The weight must be between 0 and ${HEAVIEST_GRAMS / 1000}.`]];
}

function brokenAmount(shipment: unknown, path: Path): readonly Complaint[] {
  const amount = valueAt(shipment, ...path);
  const isFine = amount === undefined || amount === null || (numberAt(shipment, ...path) ?? -1) >= 0;
  return isFine ? [] : [[nameOf(path), `The field ${path.at(-1)} must be a number.`]];
}

/** `shipment.Parcels[0].Weight` */
function nameOf(path: Path): string {
  return path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : `${name}.${step}`),
    'shipment',
  );
}
