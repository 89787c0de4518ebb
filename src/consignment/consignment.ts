import type { Addressee, MessageDraft } from '../messages/message.js';
import type { Booking, BookingRequest, Problem } from '../../carriers/contract/model.js';

/**
 * Where a consignment stands. The first six follow each other; the rest are ends, of which all but `closed` may be taken
 * up again.
 */
export type ConsignmentState =
  /** The event is stored; nobody was asked yet. */
  | 'received'
  /** Carrier chosen, requests frozen, nothing sent. */
  | 'planned'
  /** At least one request left or is about to. */
  | 'booking'
  /** A request left and we do not know what became of it. */
  | 'in-doubt'
  /** The carrier has everything. */
  | 'booked'
  /** Labels are here (or known not to come); being written back. */
  | 'labelled'
  /** Being cancelled at the carrier. */
  | 'cancelling'
  | EndState;

export type EndState =
  | 'closed'
  /** Nothing is booked; the worker was told why. */
  | 'refused'
  /** Something is booked, something is missing; the worker was told. */
  | 'incomplete'
  | 'cancelled'
  /** Not ours to book: the document was cancelled, done, or taken by another. */
  | 'set-aside';

export const END_STATES: readonly ConsignmentState[] = ['closed', 'refused', 'incomplete', 'cancelled', 'set-aside'];

export const STATES: readonly ConsignmentState[] = [
  ...(['received', 'planned', 'booking', 'in-doubt', 'booked', 'labelled', 'cancelling'] as const),
  ...END_STATES,
];

/** What made us book. */
export type BookedOn = 'transport-booking' | 'delivery-note' | 'packing-completed';

/** One request to the carrier; a shipment has several where the carrier takes fewer parcels at once. */
export interface Part {
  readonly n: number;
  /** `sending`: the intent is committed; whoever reads this and did not write it does not know what happened. */
  readonly state: 'planned' | 'sending' | 'in-doubt' | 'booked' | 'refused' | 'cancelled';
  readonly request: BookingRequest;
  /** How often it was sent, or was about to be. */
  readonly attempt: number;
  readonly sentAt: string | null;
  /** In doubt: from when on the carrier has certainly ended its work on the request. */
  readonly quietFrom: string | null;
  readonly booking: Booking | null;
  /** How often its cancellation was sent, or was about to be. */
  readonly cancelAttempts?: number;
  readonly problems: readonly Problem[];
  /** Numbers that were found at the carrier without saying which parcel they belong to. */
  readonly unmatched: readonly string[];
  /** Numbers of booked parcels that cannot be right; they are in `booking` no more. Missing: none. */
  readonly unusable?: readonly UnusableNumber[];
  readonly labels: 'missing' | 'stored' | 'not-to-be-had';
}

/** A number that a carrier gave to a booked parcel, and that is not believed. */
export interface UnusableNumber {
  /** `null`: it is the number of the whole booking. */
  readonly parcelId: string | null;
  /** As people are shown it; of another request its reference. */
  readonly given: string;
  /**
   * `form`: it has none of a number; `twice`: two parcels of the shipment have it; `taken`: another parcel on its way has
   * it; `other-request`: the answer names another reference than ours.
   */
  readonly because: 'form' | 'twice' | 'taken' | 'other-request';
  /** Taken: the shipment of the parcel that has it. */
  readonly by?: string;
}

/** One write to the IMS. */
export type EffectCall =
  | {
      readonly kind: 'tracking';
      readonly containerId: string;
      readonly trackingNumber: string;
      readonly trackingUrl: string | null;
    }
  | { readonly kind: 'carriers-number'; readonly number: string }
  | { readonly kind: 'attachment'; readonly fileName: string; readonly pages: number }
  | { readonly kind: 'print' }
  | { readonly kind: 'work-status'; readonly status: 'DONE' | 'FAILED' }
  | { readonly kind: 'message'; readonly to: Addressee; readonly message: MessageDraft }
  /** What our access does not allow; said once in an area. */
  | { readonly kind: 'not-allowed-notice'; readonly to: Addressee };

export interface Effect {
  /** Stable within the consignment and its run, e.g. `tracking:10000012`. */
  readonly key: string;
  /** Effects of one wave go out together; the next wave waits for them. */
  readonly wave: number;
  readonly call: EffectCall;
  /** `sent`: a call that must not be repeated is about to leave; read by another it means `unknown`. */
  readonly state: 'open' | 'sent' | 'done' | 'not-allowed' | 'failed' | 'unknown';
  /** Why it is not done. */
  readonly note: string | null;
}

/** Whether an effect with this key belongs to the run. */
export function isOfRun(key: string, run: number): boolean {
  return key.endsWith(`:${run}`) || key.startsWith(`message:${run}:`) || key.startsWith(`afterwards:${run}:`);
}

/** What is fixed once the carrier is chosen. */
export interface Plan {
  readonly account: string;
  readonly carrierId: string;
  readonly carrierName: string;
  readonly rule: string | null;
  /** Where settings are in the IMS: the seller whose they are; `null`: the carrier's own. */
  readonly seller?: string | null;
  /** Where settings are in the IMS: stands for the customer of the carrier that it is booked for. */
  readonly customer?: string;
  /** All containers of the shipment in the order of the IMS. */
  readonly containers: readonly string[];
  readonly contextId: string;
  /** Its place among the bookings of its shipment, in the order in which they were planned; from 1. */
  readonly turn?: number;
  /** Told when all is written back; nothing is kept from being booked by it. */
  readonly warnings?: readonly MessageDraft[];
}

/** What a consignment waits for. `sibling`: another booking of the same shipment is on its way. */
export type WaitingFor = 'ims' | 'carrier' | 'limit' | 'sibling';

export interface CancelWish extends Addressee {
  readonly by: 'document' | 'operator';
}

export interface Consignment {
  readonly id: string;
  readonly area: string;
  readonly bookedOn: BookedOn;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly shipmentNumber: string | null;
  /** As the event has it, for a shipment that does not say. */
  readonly eventCarrierName: string | null;
  readonly addressee: Addressee;
  readonly state: ConsignmentState;
  readonly version: number;
  readonly plan: Plan | null;
  readonly reference: string | null;
  readonly parts: readonly Part[];
  readonly effects: readonly Effect[];
  /** What will be told when the write-back has ended, one message a problem. */
  readonly shortfalls: readonly MessageDraft[];
  /** Decided end; reached when no effect is open any more. */
  readonly outcome: EndState | null;
  /** The document is ON_GOING by our hand. */
  readonly claimed: boolean;
  /**
   * Somebody we know nothing of has begun it, we ourselves perhaps, before our records were lost: what is planned may be
   * booked already, and is in doubt until the carrier was asked.
   */
  readonly begunElsewhere?: boolean;
  readonly waitsForPerson: boolean;
  readonly cancelWanted: CancelWish | null;
  /** Why `cancelling`: a wish, or some parcels of it were refused and none shall be left alone. */
  readonly compensating: boolean;
  /** Postponements in a row. */
  readonly tries: number;
  readonly run: number;
  readonly runStartedAt: Date;
  readonly dueAt: Date | null;
  /**
   * Held because its carrier does not answer at the moment: it goes on when that was found out, and at this time at the
   * latest, to be given up.
   */
  readonly heldUntil: Date | null;
  /** What it was last postponed for; `null` when it has moved since. */
  readonly waitingFor: WaitingFor | null;
  /** Until when whoever read this row holds it; `null`: nobody does. */
  readonly leaseUntil: Date | null;
  readonly createdAt: Date;
}

/** The name the label file has in the IMS; the same name again replaces the file. */
export function labelFileName(consignment: Consignment): string {
  return `SHIPPING_LABEL_${consignment.documentId ?? consignment.shipmentId ?? consignment.id}.pdf`;
}

/** How a worker knows the shipment. */
export function shipmentName(consignment: Consignment): string {
  return consignment.shipmentNumber ?? consignment.shipmentId ?? consignment.documentId ?? consignment.id;
}

export function carrierName(consignment: Consignment): string {
  return consignment.plan?.carrierName ?? '-';
}

export function partsIn(consignment: Consignment, ...states: readonly Part['state'][]): readonly Part[] {
  return consignment.parts.filter((part) => states.includes(part.state));
}

/** Every booked parcel with its number, in the order of the containers. */
export function bookedParcels(consignment: Consignment) {
  const order = consignment.plan?.containers ?? [];
  const parcels = partsIn(consignment, 'booked').flatMap((part) =>
    (part.booking?.parcels ?? []).flatMap((parcel) => (parcel.kind === 'booked' ? [parcel] : [])),
  );
  return [...parcels].sort((a, b) => order.indexOf(a.parcelId) - order.indexOf(b.parcelId));
}

/** What was booked and is cancelled, with its number. */
export function cancelledParcels(consignment: Consignment) {
  const cancelled = partsIn(consignment, 'cancelled').map((part): Part => ({ ...part, state: 'booked' }));
  return bookedParcels({ ...consignment, parts: cancelled });
}

/** As `carriersShipmentNumber`, and after a cancellation the number that stood there before. */
export function lastCarriersNumber(consignment: Consignment): string | null {
  if ([...bookedParcels(consignment), ...cancelledParcels(consignment)].length === 0) return null;
  if (partsIn(consignment, 'booked').length > 0) return carriersShipmentNumber(consignment);
  const parts = partsIn(consignment, 'cancelled').map((part): Part => ({ ...part, state: 'booked' }));
  return carriersShipmentNumber({ ...consignment, parts });
}

/** Containers of the plan that have no number. */
export function missingContainers(consignment: Consignment): readonly string[] {
  const booked = new Set(bookedParcels(consignment).map((parcel) => parcel.parcelId));
  return (consignment.plan?.containers ?? []).filter((id) => !booked.has(id));
}

/** Its labels are not used either: they may be those of another parcel. And what another one has must not be cancelled. */
export function hasUnusableNumbers({ unusable = [] }: Part): boolean {
  return unusable.length > 0;
}

/** `#2 (10000012)`: the place in the shipment and the id. */
export function containerWords(consignment: Consignment, id: string): string {
  const place = (consignment.plan?.containers.indexOf(id) ?? -1) + 1;
  return place > 0 ? `#${place} (${id})` : id;
}

const LONGEST_CARRIERS_NUMBER = 36;

/** What stands for the whole shipment in the IMS: the carrier's number, else the first container's. */
export function carriersShipmentNumber(consignment: Consignment): string | null {
  const own = partsIn(consignment, 'booked').flatMap((part) => part.booking?.carrierNumber ?? []);
  const numbers = [
    ...(own.length === 1 ? own : []),
    ...bookedParcels(consignment).map((p) => p.trackingNumber),
    ...own,
  ];
  const fitting = numbers.find((number) => number.length <= LONGEST_CARRIERS_NUMBER);
  return fitting ?? numbers[0]?.slice(0, LONGEST_CARRIERS_NUMBER) ?? null;
}
