import { plainText } from '../../../carriers/contract/plain-text.js';
import {
  type Consignment,
  type Part,
  type UnusableNumber,
  bookedParcels,
  containerWords,
  hasUnusableNumbers,
  partsIn,
} from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import type { TakenNumber } from './facts.js';
import { subject } from './booking-messages.js';

/** The longest number of a known carrier has 35 characters. */
const MAX_NUMBER_CHARACTERS = 50;
const MAX_SHOWN_CHARACTERS = 60;
/** Keeps the message short enough to be read. */
const MAX_NAMED = 10;
const PRINTABLE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

export interface KnownNumbers {
  /** The form of this carrier's tracking numbers; `null`: its documentation does not say. */
  readonly pattern: RegExp | null;
  /** Numbers of other parcels in transit with this account. */
  readonly taken: readonly TakenNumber[];
}

/**
 * Removes numbers of booked parcels that cannot be right: not in the form of a number, given to two parcels of the
 * shipment, or taken by another parcel in transit. The parcel stays booked; the number is kept in `unusable` for people
 * to see.
 */
export function withoutUnusable(consignment: Consignment, known: KnownNumbers): Consignment {
  const owners = ownersOf(consignment);
  return { ...consignment, parts: consignment.parts.map((part) => withVerdict(part, known, owners)) };
}

/** Numbers that are in `after` and not in `before`, each with its container. */
export function newNumbers(before: Consignment, after: Consignment): readonly ClaimedNumber[] {
  const known = new Set(bookedParcels(before).map(({ parcelId, trackingNumber }) => `${parcelId} ${trackingNumber}`));
  return bookedParcels(after).flatMap(({ parcelId, trackingNumber }) =>
    known.has(`${parcelId} ${trackingNumber}`) ? [] : [{ containerId: parcelId, trackingNumber }],
  );
}

export interface ClaimedNumber {
  readonly containerId: string;
  readonly trackingNumber: string;
}

/** The answer names another reference than ours, so all its numbers are unusable. */
export function ofAnotherRequest(part: Part, reference: string): Part {
  const named = plainText(reference, MAX_SHOWN_CHARACTERS);
  return withUnusable(part, (parcel) => ({ parcelId: parcel.parcelId, given: named, because: 'other-request' }));
}

/** Parcels by number, including numbers that were removed because two parcels had them. */
function ownersOf(consignment: Consignment): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  const add = (number: string, parcelId: string | null) => {
    if (parcelId !== null) owners.set(number, (owners.get(number) ?? new Set()).add(parcelId));
  };
  for (const { trackingNumber, parcelId } of bookedParcels(consignment)) add(trackingNumber, parcelId);
  const unusable = partsIn(consignment, 'booked').flatMap((part) => part.unusable ?? []);
  for (const { parcelId, given, because } of unusable) if (because === 'twice') add(given, parcelId);
  return owners;
}

function withVerdict(part: Part, { pattern, taken }: KnownNumbers, owners: ReturnType<typeof ownersOf>): Part {
  if (part.state !== 'booked') return part;
  const judged = withUnusable(part, ({ parcelId, trackingNumber: number }) => {
    const given = plainText(number, MAX_SHOWN_CHARACTERS);
    if (!isNumberOf(number, pattern)) return { parcelId, given, because: 'form' };
    if ((owners.get(number)?.size ?? 0) > 1) return { parcelId, given, because: 'twice' };
    const other = taken.find((one) => one.trackingNumber === number && one.containerId !== parcelId);
    return other ? { parcelId, given, because: 'taken', by: other.shipmentNumber } : null;
  });
  const number = judged.booking?.carrierNumber ?? null;
  if (judged.booking === null || number === null || isNumber(number)) return judged;
  const strange = { parcelId: null, given: plainText(number, MAX_SHOWN_CHARACTERS), because: 'form' } as const;
  return {
    ...judged,
    booking: { ...judged.booking, carrierNumber: null },
    unusable: [...(judged.unusable ?? []), strange],
  };
}

/** @param pattern the form of this carrier's tracking numbers; `null`: not documented */
export function isNumberOf(number: string, pattern: RegExp | null): boolean {
  return isNumber(number) && pattern?.test(number) !== false;
}

function isNumber(number: string): boolean {
  return number.length <= MAX_NUMBER_CHARACTERS && PRINTABLE.test(number);
}

type Booked = Extract<NonNullable<Part['booking']>['parcels'][number], { kind: 'booked' }>;

function withUnusable(part: Part, verdict: (parcel: Booked) => UnusableNumber | null): Part {
  const { booking } = part;
  if (booking === null) return part;
  const verdicts = new Map(
    booking.parcels.map((parcel) => [parcel, parcel.kind === 'booked' ? verdict(parcel) : null]),
  );
  const unusable = [...verdicts.values()].filter((one) => one !== null);
  if (unusable.length === 0) return part;
  const parcels = booking.parcels.filter((parcel) => (verdicts.get(parcel) ?? null) === null);
  return { ...part, booking: { ...booking, parcels }, unusable: [...(part.unusable ?? []), ...unusable] };
}

export function unusableNumbers(consignment: Consignment): readonly MessageDraft[] {
  const all = consignment.parts.filter(hasUnusableNumbers).flatMap((part) => part.unusable ?? []);
  const about = subject(consignment);
  const told = (because: UnusableNumber['because']) => {
    const some = all.filter((one) => one.because === because);
    const parcels = shown(
      some.map(({ parcelId }) => (parcelId === null ? '-' : containerWords(consignment, parcelId))),
    );
    const numbers = shown(some.map(({ given }) => given));
    return { some, values: { ...about, parcels, numbers, others: shown(some.map(({ by }) => by ?? '-')) } };
  };
  const [form, twice, taken, request] = [told('form'), told('twice'), told('taken'), told('other-request')];
  return [
    ...(form.some.length > 0 ? [say('number-unusable', form.values)] : []),
    ...(twice.some.length > 0 ? [say('number-twice', twice.values)] : []),
    ...(taken.some.length > 0 ? [say('number-taken', taken.values)] : []),
    ...(request.some.length > 0 ? [say('number-other-request', request.values)] : []),
  ];
}

function shown(words: readonly string[]): string {
  const each = [...new Set(words.map((word) => word.replaceAll('"', "'")))];
  const more = each.length > MAX_NAMED ? [`+ ${each.length - MAX_NAMED}`] : [];
  return [...each.slice(0, MAX_NAMED), ...more].join(', ') || '-';
}
