import { crossesCustoms } from '../../toolkit/customs.js';
import { listAt, numberAt, textAt, valueAt } from '../../toolkit/json.js';
import type {
  PretendBookingRequest,
  PretendError,
  PretendGoods,
  PretendParcel,
  PretendParty,
  PretendQuestion,
} from '../wire.js';
import { LONGEST, MAX_PARCELS, MAX_REFERENCE_LENGTH, MAX_WEIGHT_KG } from '../wire.js';

/** What the simulator does with a booking, as its service code says. */
export type Script =
  | { readonly kind: 'standard' | 'refused' | 'no-label' }
  | { readonly kind: 'down' | 'lost'; readonly attempts: number }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'unknown' };

export function scriptOf(service: string): Script {
  const [name, count] = service.split(':');
  if (service === 'standard' || service === 'refused') return { kind: service };
  if (service === 'nolabel') return { kind: 'no-label' };
  if (!/^\d+$/.test(count ?? '')) return { kind: 'unknown' };
  if (name === 'down' || name === 'lost') return { kind: name, attempts: Number(count) };
  return name === 'slow' ? { kind: 'slow', ms: Number(count) } : { kind: 'unknown' };
}

/** What a body says, with empty texts for what it does not say. */
export function readBookingRequest(body: unknown): PretendBookingRequest {
  return {
    reference: textAt(body, 'reference') ?? '',
    service: textAt(body, 'service') ?? '',
    shipDate: textAt(body, 'shipDate') ?? '',
    sender: readParty(valueAt(body, 'sender')),
    recipient: readParty(valueAt(body, 'recipient')),
    parcels: listAt(body, 'parcels').map((parcel) => ({
      id: textAt(parcel, 'id') ?? '',
      weightKg: numberAt(parcel, 'weightKg') ?? 0,
    })),
    message: textAt(body, 'message') ?? '',
    customs: listAt(body, 'customs').map(readGoods),
  };
}

function readGoods(json: unknown): PretendGoods {
  return {
    description: textAt(json, 'description') ?? '',
    quantity: numberAt(json, 'quantity') ?? 0,
    value: textAt(json, 'value') ?? '',
    currency: textAt(json, 'currency') ?? '',
    weightKg: numberAt(json, 'weightKg') ?? 0,
    tariffNumber: textAt(json, 'tariffNumber') ?? '',
    origin: textAt(json, 'origin') ?? '',
  };
}

export function readQuestion(body: unknown): PretendQuestion {
  return {
    service: textAt(body, 'service') ?? '',
    from: textAt(body, 'from') ?? '',
    to: textAt(body, 'to') ?? '',
    weightsKg: listAt(body, 'weightsKg').map((each) => (typeof each === 'number' ? each : 0)),
  };
}

function readParty(json: unknown): PretendParty {
  return {
    name: textAt(json, 'name') ?? '',
    street: textAt(json, 'street') ?? '',
    postalCode: textAt(json, 'postalCode') ?? '',
    city: textAt(json, 'city') ?? '',
    country: textAt(json, 'country') ?? '',
  };
}

/** Why a booking is refused; empty when it is not. */
export function complaintsAbout(asked: PretendBookingRequest): readonly PretendError[] {
  return [
    ...missing(asked.recipient),
    ...['sender', 'recipient'].flatMap((role) => unprintable(role, role === 'sender' ? asked.sender : asked.recipient)),
    ...tooMuch('message', asked.message ?? '', LONGEST.message),
    ...undeclared(asked),
    ...asked.parcels.flatMap(complaintsAboutParcel),
    ...unless(asked.reference !== '' && asked.reference.length <= MAX_REFERENCE_LENGTH, {
      code: 'reference',
      text: `a reference has 1 to ${MAX_REFERENCE_LENGTH} characters`,
    }),
    ...unless(asked.parcels.length > 0 && asked.parcels.length <= MAX_PARCELS, {
      code: 'parcels',
      text: `a booking has 1 to ${MAX_PARCELS} parcels`,
    }),
    ...unless(scriptOf(asked.service).kind !== 'unknown', {
      code: 'unknown-service',
      text: `there is no service "${asked.service}"`,
    }),
  ];
}

function missing(recipient: PretendParty): readonly PretendError[] {
  return Object.entries(recipient)
    .filter(([, value]) => value === '')
    .map(([field]) => ({ code: 'missing', text: `recipient.${field} is missing` }));
}

function unprintable(role: string, party: PretendParty): readonly PretendError[] {
  return [
    ...tooMuch(`${role}.name`, party.name, LONGEST.name),
    ...tooMuch(`${role}.street`, party.street, LONGEST.street),
    ...tooMuch(`${role}.city`, party.city, LONGEST.city),
  ];
}

function tooMuch(field: string, text: string, longest: number): readonly PretendError[] {
  const fine = text.length <= longest && /^[\u0020-\u007E\u00A0-\u00FF]*$/.test(text);
  return unless(fine, { code: 'text', text: `${field} has at most ${longest} characters of Latin-1` });
}

function undeclared({ sender, recipient, customs = [] }: PretendBookingRequest): readonly PretendError[] {
  const [from, to] = [sender, recipient].map(({ country, postalCode }) => ({
    countryCode: country || null,
    postalCode,
  }));
  const free = !from || !to || !crossesCustoms(from, to);
  const whole = customs.length > 0 && customs.every((goods) => Object.values(goods).every(Boolean));
  return unless(free || whole, { code: 'customs', text: 'goods between customs areas are declared in full' });
}

function complaintsAboutParcel(parcel: PretendParcel): readonly PretendError[] {
  return unless(parcel.weightKg > 0 && parcel.weightKg <= MAX_WEIGHT_KG, {
    code: 'weight',
    text: `a parcel weighs more than 0 and at most ${MAX_WEIGHT_KG} kg`,
    parcel: parcel.id,
  });
}

function unless(fine: boolean, error: PretendError): readonly PretendError[] {
  return fine ? [] : [error];
}
