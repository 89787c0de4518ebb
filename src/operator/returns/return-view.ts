import type { Booking } from '../../../carriers/contract/model.js';
import type { ReturnLabelRow } from './return-label-rows.js';
import type { ReturnTarget } from './return-target.js';

/** Longer than a request may wait for its turn, and then for its answer: no process works on it any more. */
export const ASKING_ENDS_WITHIN_MS = 90_000;

/** A return label as the operator API shows it. */
export interface ReturnLabelView {
  readonly state: ReturnLabelRow['state'];
  readonly consignmentId: string;
  readonly containerId: string;
  readonly account: string;
  readonly carrier: string;
  /** The return's own at the carrier. */
  readonly reference: string;
  readonly carrierNumber: string | null;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  /** The address of its PDF; `null`: there is none yet. */
  readonly label: string | null;
  /** What is to be done; `null`: nothing. */
  readonly whatToDo: string | null;
  readonly askedAt: Date;
}

/** A process that dies while it asks leaves its row behind. */
export function stateAt(row: ReturnLabelRow, now: Date): ReturnLabelRow['state'] {
  const isLeft = row.state === 'asking' && now.getTime() >= row.askedAt.getTime() + ASKING_ENDS_WITHIN_MS;
  return isLeft ? 'in-doubt' : row.state;
}

export function returnLabelView(target: ReturnTarget, row: ReturnLabelRow, about: ViewContext): ReturnLabelView {
  const { consignment, key, carrier } = target;
  const state = stateAt(row, about.now);
  const parcel = bookedParcel(row.booking);
  const path = `/api/v1/consignments/${consignment.id}/return-label/pdf?parcel=${encodeURIComponent(key.parcelId)}`;
  return {
    ...{ state, consignmentId: consignment.id, containerId: key.parcelId, account: key.account, carrier },
    reference: row.reference,
    carrierNumber: row.booking?.carrierNumber ?? null,
    trackingNumber: parcel?.trackingNumber ?? null,
    trackingUrl: parcel?.trackingUrl ?? null,
    label: row.hasLabel ? path : null,
    whatToDo: whatToDo(target, row, { ...about, state }),
    askedAt: row.askedAt,
  };
}

export interface ViewContext {
  readonly now: Date;
  /** Whether the carrier finds a return by its reference; else a person looks for it. */
  readonly lookup: 'carrier' | 'person';
}

function bookedParcel(booking: Booking | null) {
  const [parcel] = booking?.parcels ?? [];
  return parcel?.kind === 'booked' ? parcel : null;
}

function whatToDo(
  target: ReturnTarget,
  row: ReturnLabelRow,
  { state, lookup }: ViewContext & Pick<ReturnLabelRow, 'state'>,
): string | null {
  switch (state) {
    case 'asking':
      return `${target.carrier} is being asked for it: ask for it again in a few seconds.`;
    case 'in-doubt':
      return inDoubt(target, row, lookup);
    case 'made':
      if (row.hasLabel) return null;
      return (
        `It is made, and its label is missing: ${row.note ?? 'it was not fetched yet'}. Ask for it again, and Waybridge fetches it; if that ` +
        `does not help, print it in the portal of ${target.carrier}.`
      );
  }
}

/** What a person does about a request whose answer was lost. */
export function inDoubt(
  { carrier }: ReturnTarget,
  { reference, note }: ReturnLabelRow,
  lookup: ViewContext['lookup'],
): string {
  const happened =
    `It is not known whether ${carrier} made the return label ${reference}: ` +
    `${note ?? 'Waybridge ended before the answer came'}.`;
  if (lookup === 'carrier') return `${happened} Ask for it again in a minute: Waybridge then asks ${carrier} for it.`;
  return `${happened} ${byHand(carrier, reference)}`;
}

export function byHand(carrier: string, reference: string): string {
  return (
    `Look for ${reference} in the portal of ${carrier}, and POST to return-label/resolve what is there: ` +
    '{ "answer": "booked", "trackingNumber": "…" } or { "answer": "not-booked" }.'
  );
}
