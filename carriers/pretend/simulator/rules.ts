import { crossesCustoms } from '../../toolkit/customs.js';
import type { FieldLimit } from '../../toolkit/fit.js';
import { takes } from '../../toolkit/fit.js';
import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import { MAX_PARCELS, MAX_REFERENCE_LENGTH, MAX_WEIGHT_KG, SERVICE } from '../api.js';
import { FIELDS } from '../fields.js';

export interface PretendError {
  readonly code: string;
  readonly text: string;
  /** As the customer calls it. */
  readonly parcel?: string | null;
}

/** What the simulator does with a booking, as its service code says: `count` attempts or milliseconds. */
export interface Script {
  readonly name: string;
  readonly count: number;
}

export function scriptOf(service: string | null): Script {
  const [name = '', count = '0'] = SERVICE.test(service ?? '') ? (service ?? '').split(':') : ['unknown'];
  return { name, count: Number(count) };
}

/** Of the recipient; of a return, of the sender too. */
const NEEDED = ['name', 'street', 'postalCode', 'city', 'country'];
/** Of a line of the customs declaration. */
const DECLARED = ['description', 'quantity', 'value', 'currency', 'weightKg', 'tariffNumber', 'origin'];

/** Why a booking is refused; empty when it is not. */
export function violationsIn(body: unknown): readonly PretendError[] {
  const parcels = listAt(body, 'parcels');
  const referenceLength = textAt(body, 'reference')?.length ?? 0;
  const service = textAt(body, 'service') ?? '';
  return [
    ...missing(body, 'recipient'),
    ...['sender', 'recipient'].flatMap((role) => [
      ...unprintable(body, [role, 'name'], FIELDS.name),
      ...unprintable(body, [role, 'street'], FIELDS.street),
      ...unprintable(body, [role, 'city'], FIELDS.city),
    ]),
    ...unprintable(body, ['message'], FIELDS.message),
    ...unless(isDeclared(body), 'customs', 'goods between customs areas are declared in full'),
    ...parcels.flatMap(violationsInParcel),
    ...unless(
      referenceLength > 0 && referenceLength <= MAX_REFERENCE_LENGTH,
      'reference',
      `a reference has 1 to ${MAX_REFERENCE_LENGTH} characters`,
    ),
    ...unless(
      parcels.length > 0 && parcels.length <= MAX_PARCELS,
      'parcels',
      `a booking has 1 to ${MAX_PARCELS} parcels`,
    ),
    ...unless(SERVICE.test(service), 'unknown-service', `there is no service "${service}"`),
  ];
}

/** Why a return is refused. */
export function violationsInReturn(body: unknown): readonly PretendError[] {
  const isOne = listAt(body, 'parcels').length === 1;
  return [...violationsIn(body), ...missing(body, 'sender'), ...unless(isOne, 'parcels', 'a return has one parcel')];
}

function missing(body: unknown, role: 'sender' | 'recipient'): readonly PretendError[] {
  return NEEDED.flatMap((field) =>
    unless(textAt(body, role, field) !== null, 'missing', `${role}.${field} is missing`),
  );
}

function unprintable(body: unknown, path: readonly string[], limit: FieldLimit): readonly PretendError[] {
  const fine = takes(textAt(body, ...path) ?? '', limit);
  return unless(fine, 'text', `${path.join('.')} has at most ${limit.longest} characters of Latin-1`);
}

function isDeclared(body: unknown): boolean {
  const place = (role: string) => ({
    countryCode: textAt(body, role, 'country'),
    postalCode: textAt(body, role, 'postalCode'),
  });
  const lines = listAt(body, 'customs');
  const whole = lines.length > 0 && lines.every((line) => DECLARED.every((field) => Boolean(valueAt(line, field))));
  return whole || !crossesCustoms(place('sender'), place('recipient'));
}

function violationsInParcel(parcel: unknown): readonly PretendError[] {
  const weightKg = numberAt(parcel, 'weightKg') ?? 0;
  const fine = weightKg > 0 && weightKg <= MAX_WEIGHT_KG;
  const complaints = unless(fine, 'weight', `a parcel weighs more than 0 and at most ${MAX_WEIGHT_KG} kg`);
  return complaints.map((complaint) => ({ ...complaint, parcel: textAt(parcel, 'id') }));
}

function unless(fine: boolean, code: string, text: string): readonly PretendError[] {
  return fine ? [] : [{ code, text }];
}
