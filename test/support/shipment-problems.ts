import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import type { Ending } from './harness.js';

/*
 * What is wrong with a shipment whose bookings have come to rest. Whether a message is true, and whether it excuses a
 * booking, depends on what was booked when it was sent.
 */

/** A booking in the books of a carrier. */
export type Booking = SimulatedBooking & {
  /** By its id. */
  readonly carrier: string;
  /** The messages that were certainly sent before it was made. */
  readonly sentBefore: number;
};

/** A message about the shipment, in the order in which they were sent. */
export interface Told {
  readonly text: string;
  /** The event that it answers. */
  readonly eventId: string;
  /** The numbers that were booked at the last look before it, and at the first one after it. */
  readonly bookedBefore: ReadonlySet<string>;
  readonly bookedAfter: ReadonlySet<string>;
}

/** A transport booking of the shipment. */
export interface Order extends Ending {
  readonly eventId: string;
  /** The messages that were sent before it was cancelled in the IMS; `null`: it is not cancelled. */
  readonly sentBeforeCancelled: number | null;
  /** The look at which it was first closed; `null`: it never was. */
  readonly closedAt: number | null;
  /** The text of its label file; `null`: it has none. */
  readonly labelText: string | null;
}

export interface Rest {
  /** Oldest first. */
  readonly orders: readonly Order[];
  /** Cancelled ones too, oldest first. */
  readonly bookings: readonly Booking[];
  readonly told: readonly Told[];
  readonly parcelCount: number;
}

/** A message says to a worker that it is still booked, or may be, and that no label of Waybridge is for it. */
const STAYS_BOOKED = /still (?:be )?booked|stays? booked|may be booked|booked with [^.]* after all/i;
const SAYS_BOOKED = /still booked|stay booked|is booked with/i;
const SAYS_DOUBTFUL = /probably|may still|may be booked/;
const SAYS_NOTHING = /nothing is booked|ha(?:s|ve) booked nothing/i;

/** In words; empty: all is well. */
export function problemsOf(rest: Rest): readonly string[] {
  const live = rest.bookings.filter(isLive);
  return [
    ...live.flatMap((booking) => lost(booking, rest)),
    ...bookedTwice(live, rest),
    ...bookedAgain(rest),
    ...rest.orders.flatMap((order) => wrongEnding(order, live)),
    ...wrongNumbersInIms(rest),
    ...rest.told.flatMap((told) => lies(told, rest)),
  ];
}

function isLive({ state }: Booking): boolean {
  return state === 'booked';
}

function nameOf({ carrier, reference, trackingNumbers }: Booking): string {
  return `${carrier} ${reference} ${trackingNumbers.join('+')}`;
}

export function numbersOf({ carrierNumber, trackingNumbers }: SimulatedBooking): readonly string[] {
  return [...(carrierNumber === null ? [] : [carrierNumber]), ...trackingNumbers];
}

/** The numbers of the parcels that it shows as booked. */
function heldBy({ consignment }: Ending): readonly string[] {
  return parcelsIn(consignment, 'booked');
}

function parcelsIn({ parcels }: Shown, state: 'booked' | 'cancelled'): readonly string[] {
  return parcels.flatMap((parcel) => (parcel.state === state && parcel.trackingNumber ? [parcel.trackingNumber] : []));
}

interface Shown {
  readonly parcels: readonly { readonly trackingNumber: string | null; readonly state: string }[];
}

function holds(order: Ending, { trackingNumbers }: Booking): boolean {
  return heldBy(order).some((number) => trackingNumbers.includes(number));
}

function isClosed({ consignment, sentBeforeCancelled }: Order): boolean {
  return consignment.state === 'closed' && sentBeforeCancelled === null;
}

/** A person has to answer whether it is booked. */
function isAskedAbout(booking: Booking, { orders }: Rest): boolean {
  return orders.some(
    ({ consignment: { carrier, unconfirmed } }) =>
      carrier === booking.carrier &&
      unconfirmed.some(({ reference }: { reference: string }) => reference === booking.reference),
  );
}

/** The messages since it was made that name it, or its reference as one to look for. */
function toldOf(booking: Booking, { told }: Rest): readonly string[] {
  const numbers = numbersOf(booking);
  const since = told.slice(booking.sentBefore).map(({ text }) => text);
  return since.filter(
    (text) => numbers.some((number) => text.includes(number)) || doubtedIn(text, booking).includes(booking.reference),
  );
}

const NAMES = { pretend: 'Pretend', dao: 'DAO', 'gls-dk': 'GLS' } as Readonly<Record<string, string>>;

/** The references that a message asks a worker to look for. */
function doubtedIn(text: string, { carrier }: Booking): readonly string[] {
  if (!text.includes(NAMES[carrier] ?? carrier)) return [];
  return [/may still be booked as (.*?)\. Ask/, /Look for (.*?) in the portal/].flatMap(
    (pattern) => pattern.exec(text)?.[1]?.split(', ') ?? [],
  );
}

function staysBooked(booking: Booking, rest: Rest): boolean {
  return toldOf(booking, rest).some((text) => STAYS_BOOKED.test(text));
}

const ENDED_WITHOUT = ['refused', 'cancelled', 'skipped'];

function lost(booking: Booking, rest: Rest): readonly string[] {
  const holders = rest.orders.filter((order) => holds(order, booking));
  const isKnown = holders.some(({ consignment }) => !ENDED_WITHOUT.includes(consignment.state));
  const isTold = toldOf(booking, rest).some((text) => /booked|may be/.test(text));
  if (!isKnown && !isTold && !isAskedAbout(booking, rest)) return [`${nameOf(booking)} is lost`];
  // Its parcels belong to the newest document that has them.
  const cancelledAfter = holders.at(-1)?.sentBeforeCancelled ?? null;
  if (cancelledAfter === null) return [];
  const sentBefore = Math.max(booking.sentBefore, cancelledAfter);
  const isToldSince = toldOf({ ...booking, sentBefore }, rest).some((text) => STAYS_BOOKED.test(text));
  return isToldSince ? [] : [`${nameOf(booking)} stays booked after its cancellation, and nobody was told`];
}

/** Closed bookings were each asked for. Of the others one for each parcel is enough, and none before a closed one. */
function bookedTwice(live: readonly Booking[], rest: Rest): readonly string[] {
  const { orders, parcelCount } = rest;
  const unasked = live.filter(
    (booking) => !orders.some((order) => isClosed(order) && holds(order, booking)) && !staysBooked(booking, rest),
  );
  const numbers = unasked.flatMap(({ trackingNumbers }) => trackingNumbers);
  const lastClosed = orders.findLastIndex(isClosed);
  const beside = unasked.filter((booking) => {
    const place = orders.findLastIndex((order) => holds(order, booking));
    return place >= 0 && lastClosed > place;
  });
  const isTwice = numbers.length > parcelCount || beside.length > 0;
  return isTwice ? [`booked twice: ${unasked.map(nameOf).join(', ')}`] : [];
}

/** One booking for each reference, and none for an older document that was tried again after a newer one was closed. */
function bookedAgain({ orders, bookings }: Rest): readonly string[] {
  const keys = bookings.map(({ carrier, reference, parcelIds = [] }) => [carrier, reference, ...parcelIds].join(' '));
  const again = keys.filter((key, place) => keys.indexOf(key) < place);
  const tried = orders.filter(({ consignment, closedAt }, place) => {
    if (consignment.state !== 'closed' || consignment.run === 1 || closedAt === null) return false;
    return orders
      .slice(place + 1)
      .some((newer) => isClosed(newer) && newer.closedAt !== null && newer.closedAt < closedAt);
  });
  return [
    ...again.map((key) => `${key} is booked again`),
    ...tried.map(({ documentId }) => `${documentId} was closed after a newer one`),
  ];
}

function wrongEnding(order: Order, live: readonly Booking[]): readonly string[] {
  if (order.sentBeforeCancelled !== null) return [];
  const problems = [...wrongLabels(order, live), ...wrongStatus(order)];
  return problems.map((problem) => `${order.documentId} ${problem}`);
}

function wrongLabels(order: Order, live: readonly Booking[]): readonly string[] {
  if (order.consignment.state !== 'closed') return [];
  const numbers = new Set(live.flatMap(({ trackingNumbers }) => trackingNumbers));
  const held = heldBy(order);
  return [
    ...held.filter((number) => !numbers.has(number)).map((number) => `has the label of ${number}, which is not booked`),
    ...held.filter((number) => !order.labelText?.includes(number)).map((number) => `has no label of ${number}`),
  ];
}

function wrongStatus({ workStatus, consignment, messages }: Order): readonly string[] {
  const { state } = consignment;
  if (workStatus === 'DONE') return ['closed', 'cancelled'].includes(state) ? [] : [`is done, and ${state}`];
  if (state === 'closed') return [`is closed, and ${workStatus}`];
  if (workStatus !== 'FAILED') return [`rests as ${workStatus}`];
  return messages.length === 0 ? ['has failed, and nobody was told'] : [];
}

/** The IMS may show numbers that were cancelled since, and no others that are not booked. */
function wrongNumbersInIms({ orders, bookings }: Rest): readonly string[] {
  const booked = bookings.filter(isLive).flatMap(({ trackingNumbers }) => trackingNumbers);
  const cancelled = orders.flatMap(({ consignment }) => parcelsIn(consignment, 'cancelled'));
  const known = new Set<unknown>([null, undefined, '', ...booked, ...cancelled]);
  const shown = orders.at(-1)?.trackingNumbers ?? [];
  return shown
    .filter((number) => !known.has(number))
    .map((number) => `the IMS has ${String(number)}, which is not booked`);
}

function lies({ text, eventId, bookedBefore, bookedAfter }: Told, rest: Rest): readonly string[] {
  const dead = (number: string) => !bookedBefore.has(number) && !bookedAfter.has(number);
  const numbers = rest.bookings.flatMap(numbersOf);
  const stillBooked = text.split('Still booked:').at(-1) ?? '';
  const saysBooked = SAYS_BOOKED.test(text) && !SAYS_DOUBTFUL.test(text);
  const gone = saysBooked ? numbers.filter((number) => stillBooked.includes(number) && dead(number)) : [];
  const saysCancelled = (number: string) => text.includes(`(number ${number}). Throw`);
  return [
    ...gone.map((number) => `${number} is said to be booked: ${text}`),
    ...numbers
      .filter((number) => saysCancelled(number) && bookedAfter.has(number))
      .map((number) => `${number} is said to be cancelled`),
    ...nothingBooked({ text, eventId, bookedBefore, bookedAfter }, rest),
  ];
}

/** "Nothing is booked" is about the bookings of one document. */
function nothingBooked(
  { text, eventId, bookedBefore, bookedAfter }: Told,
  { orders, bookings }: Rest,
): readonly string[] {
  const order = orders.find((one) => one.eventId === eventId);
  if (!SAYS_NOTHING.test(text) || order === undefined) return [];
  const { carrier, parts } = order.consignment;
  const references = new Set(parts.map(({ reference }: { reference: string }) => reference));
  return bookings
    .filter((booking) => booking.carrier === carrier && references.has(booking.reference))
    .filter(({ trackingNumbers }) =>
      trackingNumbers.some((number) => bookedBefore.has(number) && bookedAfter.has(number)),
    )
    .map((booking) => `${nameOf(booking)} is booked, and its worker was told that nothing is`);
}
