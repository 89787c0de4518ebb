import type { Addressee, MessageDraft } from '../messages/message.js';
import type { LabelTarget } from '../labels/conversion/target.js';
import type { FrozenProfile } from '../printing/profile.js';
import type { PaperKind } from '../papers/customs/customs-paper.js';
import type { ConsignmentState, EndState } from './states.js';
import type { Booking, BookingRequest, CustomsNumbers, Problem } from '../../carriers/contract/model.js';
import type { LabelFormat } from '../../carriers/contract/traits.js';

/** The kind of event that asked for the booking. */
export type BookedOn = 'transport-booking' | 'delivery-note' | 'packing-completed';

/** One request to the carrier; a consignment has several where the carrier takes fewer parcels in one request. */
export interface Part {
  readonly n: number;
  /** `sending`: the intent is committed. An instance that loads it and did not write it treats the outcome as unknown. */
  readonly state: 'planned' | 'sending' | 'in-doubt' | 'booked' | 'refused' | 'cancelled';
  readonly request: BookingRequest;
  /** Attempts to send it, including the one about to be sent. */
  readonly attempt: number;
  readonly sentAt: string | null;
  /** The time from which the carrier has certainly ended its work on a request in doubt. */
  readonly quietFrom: string | null;
  readonly booking: Booking | null;
  /** Attempts to cancel it whose outcome is not known, including the one about to be sent. */
  readonly cancelAttempts?: number;
  readonly problems: readonly Problem[];
  /** Numbers found at the carrier that name no parcel. */
  readonly unmatched: readonly string[];
  /** Numbers of booked parcels that cannot be right; `booking` has them no more. Missing: none. */
  readonly unusable?: readonly UnusableNumber[];
  readonly labels: 'missing' | 'stored' | 'not-to-be-had';
  /** The run that planned it; 0: of another booking of the shipment; missing: planned by a version that did not store it. */
  readonly run?: number;
  /** No worker was told yet: a lookup found it after the end of its run, or it is cancelled and others are still asked for. */
  readonly isUntold?: boolean;
  /** A worker was told to cancel the part in the carrier's portal, because its cancellation failed. */
  readonly leftToPerson?: boolean;
  /** When names and addresses were removed from the request, ISO 8601; missing: they are there. */
  readonly addressesDeletedAt?: string;
}

/** A carrier's number for a booked parcel that was not believed. */
export interface UnusableNumber {
  /** `null`: the number of the whole booking. */
  readonly parcelId: string | null;
  /** The text that people see; for another request its reference. */
  readonly given: string;
  /**
   * `form`: not in the form of a number; `twice`: two parcels of the shipment have it; `taken`: another parcel in
   * transit has it; `other-request`: the answer names another reference than ours.
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
  /** Attaches a file of return labels. */
  | { readonly kind: 'return-attachment'; readonly fileName: string }
  | { readonly kind: 'customs-paper'; readonly paper: PaperKind; readonly fileName: string }
  | { readonly kind: 'print' }
  /** Draws and attaches the sheet that says what went wrong, in the size of a label; printed by the next. */
  | { readonly kind: 'error-sheet'; readonly fileName: string; readonly target: LabelTarget | null }
  | { readonly kind: 'print-error-sheet'; readonly fileName: string; readonly template: string | null }
  | { readonly kind: 'work-status'; readonly status: 'DONE' | 'FAILED' }
  | { readonly kind: 'message'; readonly to: Addressee; readonly message: MessageDraft }
  /** Missing scopes; told once in an area. */
  | { readonly kind: 'not-allowed-notice'; readonly to: Addressee }
  /** Tells the worker which other bookings of the shipment are booked at the time of sending. */
  | { readonly kind: 'still-booked-notice'; readonly to: Addressee };

/** Whether it tells a worker something; its text may be made when it is sent. */
export function isMessage({ call }: Pick<Effect, 'call'>): boolean {
  return ['message', 'not-allowed-notice', 'still-booked-notice'].includes(call.kind);
}

export interface Effect {
  /** Stable within the consignment and its run, e.g. `tracking:10000012`. */
  readonly key: string;
  /** Effects of one wave are sent concurrently; the next wave waits for them. */
  readonly wave: number;
  readonly call: EffectCall;
  /** `sent`: an at-most-once call is about to be sent; an instance that reads it and did not write it treats it as `unknown`. */
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
  /** The seller whose settings in the IMS are used; `null`: the carrier's own; missing: those of the configuration. */
  readonly seller?: string | null;
  /** The customer at the carrier, beside `seller`; missing: no setting identifies it. */
  readonly customer?: string;
  /**
   * The customer at the carrier, where the settings are in the configuration. It has a name of its own, because an
   * instance of an earlier version, which may run beside this one, takes every `customer` for one of settings in the
   * IMS.
   */
  readonly configuredCustomer?: string;
  /** All containers of the shipment in the order of the IMS. */
  readonly containers: readonly string[];
  readonly contextId: string;
  /** Its sequence number among the bookings of its shipment, in the order of planning; from 1. Plans are stored with this name. */
  readonly turn?: number;
  /** Missing: labels are printed as they came. */
  readonly print?: FrozenProfile;
  /** The customs papers; missing: none. */
  readonly papers?: readonly PaperKind[];
  /** The exporter's numbers on the papers; missing beside `papers`: planned by a version that did not store them. */
  readonly customsNumbers?: CustomsNumbers;
  /** Messages for the end; they keep nothing from being booked. */
  readonly warnings?: readonly MessageDraft[];
}

/**
 * Whether a plan was made for this customer of the carrier; also yes where the adapter names, or named then, no settings that
 * identify a customer.
 */
export function isOfCustomer(plan: Plan | null, customer: string | null): boolean {
  const planned = plan?.customer ?? plan?.configuredCustomer;
  return planned === undefined || customer === null || planned === customer;
}

/** The carrier that was chosen for a booking that could not be planned. */
export type ChosenCarrier = Pick<Plan, 'account' | 'carrierId' | 'carrierName'>;

/**
 * What a consignment waits for. `ims-key`, `ims-client`: a person, because the IMS does not accept the area's key or our
 * client; `account`: an instance that knows it, or its end: see `reachAccount`; `sibling`: another booking of the same shipment.
 */
export const WAITS = ['ims', 'ims-key', 'ims-client', 'account', 'carrier', 'limit', 'sibling'] as const;
export type WaitingFor = (typeof WAITS)[number];

/** Whether it waits for the IMS, for whatever reason. */
export function isOfIms(waitingFor: WaitingFor): waitingFor is 'ims' | 'ims-key' | 'ims-client' {
  return waitingFor === 'ims' || waitingFor === 'ims-key' || waitingFor === 'ims-client';
}

export interface CancelRequest extends Addressee {
  readonly by: 'document' | 'operator';
}

export interface Consignment {
  readonly id: string;
  readonly area: string;
  readonly bookedOn: BookedOn;
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  readonly shipmentNumber: string | null;
  /** The carrier in the event, for a shipment that names none. */
  readonly eventCarrierName: string | null;
  readonly addressee: Addressee;
  readonly state: ConsignmentState;
  readonly version: number;
  readonly plan: Plan | null;
  /** The carrier that the plan would have had, where there is no plan; missing: none was chosen. */
  readonly chosen?: ChosenCarrier;
  readonly reference: string | null;
  readonly parts: readonly Part[];
  readonly effects: readonly Effect[];
  /** Messages for the end of writing to the IMS, one for each problem. */
  readonly shortfalls: readonly MessageDraft[];
  /** The decided end state; it is reached when no effect is open. */
  readonly outcome: EndState | null;
  /** We have set the document to ON_GOING. */
  readonly claimed: boolean;
  /**
   * The document was ON_GOING before we knew it: by another program, or by us before our records were lost. Its plan
   * may be booked already and is in doubt until the carrier was asked.
   */
  readonly possiblyBooked?: boolean;
  readonly needsOperator: boolean;
  readonly cancelRequest: CancelRequest | null;
  /** Why it is cancelling: true when some parcels were refused, false when a person asked for it. */
  readonly compensating: boolean;
  /** Postponements in a row. */
  readonly attempts: number;
  readonly run: number;
  readonly runStartedAt: Date;
  readonly dueAt: Date | null;
  /**
   * Parked, because its carrier does not answer: it continues when the carrier answers again, and at this time at the
   * latest, to be given up.
   */
  readonly parkedUntil: Date | null;
  /** When it met first that its area is not in the configuration; `null` when it has moved since. */
  readonly areaMissingSince: Date | null;
  /** What it waits for; `null` when it has moved since. */
  readonly waitingFor: WaitingFor | null;
  /** The end of the lease of the instance that reads it; `null`: it has none. */
  readonly leaseUntil: Date | null;
  readonly createdAt: Date;
}

/** The file name in the IMS; a file with the same name is replaced. */
export function labelFileName(consignment: Consignment, format: LabelFormat = 'pdf'): string {
  return `SHIPPING_LABEL_${consignment.documentId ?? consignment.shipmentId ?? consignment.id}.${format}`;
}

/** The name of the file of return labels, where they are one of their own. */
export function returnFileName(consignment: Consignment): string {
  return `RETURN_LABEL_${consignment.documentId ?? consignment.shipmentId ?? consignment.id}.pdf`;
}

/** Attaches the label file of this run: an event that begins a new run leaves the effects of the run before. */
export function attachmentOf({ effects, run }: Consignment): Effect | undefined {
  return effects.find(({ key, call }) => call.kind === 'attachment' && isOfRun(key, run));
}

/** The name of the label file that this run has attached, which is the one to print. */
export function attachedFileName(consignment: Consignment): string {
  const call = attachmentOf(consignment)?.call;
  return call?.kind === 'attachment' ? call.fileName : labelFileName(consignment);
}

/** What labels are brought into; `null`: they stay as they came. */
export function targetOf({ plan }: Consignment): LabelTarget | null {
  return plan?.print?.target ?? null;
}

const PAPER_NAMES: Readonly<Record<PaperKind, string>> = {
  'commercial-invoice': 'COMMERCIAL_INVOICE',
  cn22: 'CUSTOMS_CN22',
  cn23: 'CUSTOMS_CN23',
};

export function paperFileName(consignment: Consignment, paper: PaperKind): string {
  return `${PAPER_NAMES[paper]}_${consignment.documentId ?? consignment.shipmentId ?? consignment.id}.pdf`;
}

/** The name begins differently from a label's, because the sheet is no label. */
export function errorSheetFileName(consignment: Consignment, format: LabelFormat): string {
  return `NO_LABEL_${consignment.documentId ?? consignment.shipmentId ?? consignment.id}.${format}`;
}

/** The name by which workers know the shipment. */
export function shipmentName(consignment: Consignment): string {
  return consignment.shipmentNumber ?? consignment.shipmentId ?? consignment.documentId ?? consignment.id;
}

export function carrierName(consignment: Consignment): string {
  return consignment.plan?.carrierName ?? '-';
}

/** The carrier of the plan, or the one that was chosen before the planning failed. */
export function chosenCarrier({ plan, chosen }: Consignment): ChosenCarrier | null {
  return plan ?? chosen ?? null;
}

export function partsIn(consignment: Consignment, ...states: readonly Part['state'][]): readonly Part[] {
  return consignment.parts.filter((part) => states.includes(part.state));
}

/** The consignment with only the parts that the condition holds for. */
export function withParts(consignment: Consignment, holds: (part: Part) => boolean): Consignment {
  return { ...consignment, parts: consignment.parts.filter(holds) };
}

/** Whether it was planned before this run; its label may be printed already. */
export function isEarlier(part: Part, { run }: Pick<Consignment, 'run'>): boolean {
  return part.run !== run;
}

/** Every booked parcel with its number, in the order of the containers. */
export function bookedParcels(consignment: Consignment) {
  const order = consignment.plan?.containers ?? [];
  const parcels = partsIn(consignment, 'booked').flatMap((part) =>
    (part.booking?.parcels ?? []).flatMap((parcel) => (parcel.kind === 'booked' ? [parcel] : [])),
  );
  return [...parcels].sort((a, b) => order.indexOf(a.parcelId) - order.indexOf(b.parcelId));
}

/** Cancelled parcels, with their numbers. */
export function cancelledParcels(consignment: Consignment) {
  const cancelled = partsIn(consignment, 'cancelled').map((part): Part => ({ ...part, state: 'booked' }));
  return bookedParcels({ ...consignment, parts: cancelled });
}

/** The carrier's number of the shipment; after a cancellation the number from before. */
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

/** Tells whether a part has numbers that may be another parcel's. Its labels are not used, and it is not cancelled. */
export function hasUnusableNumbers({ unusable = [] }: Part): boolean {
  return unusable.length > 0;
}

/** `#2 (10000012)`: the place in the shipment and the id. */
export function containerWords(consignment: Consignment, id: string): string {
  const place = (consignment.plan?.containers.indexOf(id) ?? -1) + 1;
  return place > 0 ? `#${place} (${id})` : id;
}

const MAX_CARRIERS_NUMBER = 36;

/** The number of the whole shipment for the IMS: the carrier's, else the first container's. */
export function carriersShipmentNumber(consignment: Consignment): string | null {
  const own = partsIn(consignment, 'booked').flatMap((part) => part.booking?.carrierNumber ?? []);
  const numbers = [
    ...(own.length === 1 ? own : []),
    ...bookedParcels(consignment).map((p) => p.trackingNumber),
    ...own,
  ];
  const fitting = numbers.find((number) => number.length <= MAX_CARRIERS_NUMBER);
  return fitting ?? numbers[0]?.slice(0, MAX_CARRIERS_NUMBER) ?? null;
}
