import { type Consignment, type Part, withParts } from '../consignment.js';
import { toStoredState } from '../states.js';

/*
 * The bookings of one shipment are planned one after the other, also by several instances at the same moment. No lock is
 * held meanwhile, because preparing waits for the IMS:
 *
 * 1. `prepare` reads the siblings (the other bookings of the shipment) and decides by them. The plan gets the sequence
 *    number after the highest one (`nextSequence`) and remembers what it has seen (`siblingSnapshot`).
 * 2. The plan is saved only where the database still shows the same siblings (`SIBLING_SNAPSHOT`). Otherwise a sibling
 *    was planned, or has moved on, in between: `SequenceConflict`.
 * 3. Two plans that are saved at the same moment do not see each other, and have the same sequence number: a unique index
 *    rejects the second one.
 *
 * After 2 and 3 `advance` drops the plan and prepares again.
 */

/**
 * The sequence number of a plan among its shipment's bookings. Arrival times cannot order them: a row becomes visible
 * when its transaction ends, and clocks differ.
 */
export function nextSequence(consignment: Consignment, others: readonly Consignment[]): number {
  return 1 + Math.max(...[consignment, ...others].map(sequenceOf));
}

/** Sorts by sequence number; rows without one are older and are sorted by arrival. */
export function bySequence(one: Consignment, other: Consignment): number {
  return sequenceOf(one) - sequenceOf(other) || one.createdAt.getTime() - other.createdAt.getTime();
}

/** Stored plans call it `turn`; those of early versions have none. */
function sequenceOf({ plan }: Consignment): number {
  return plan?.turn ?? 0;
}

/** Whether a later consignment of the shipment has taken over one of its parts. */
export function isHandedOn(earlier: Consignment, others: readonly Consignment[]): boolean {
  return withoutHandedOn(earlier, others).parts.length < earlier.parts.length;
}

/** The consignment with the parts that no later one of the shipment has taken over: its row holds their state. */
export function withoutHandedOn(earlier: Consignment, others: readonly Consignment[]): Consignment {
  const taken = partsHandedOn(earlier, others);
  return withParts(earlier, ({ request }) => !taken.has(request.reference));
}

/**
 * By reference, each part of later consignments that was taken over from this one, as the last of them has it. Both have
 * the same reference, which is unique within an account.
 */
export function partsHandedOn(earlier: Consignment, others: readonly Consignment[]): ReadonlyMap<string, Part> {
  const references = new Set(earlier.parts.map(({ request }) => request.reference));
  const later = others
    .filter(({ plan }) => plan?.account === earlier.plan?.account && plan?.carrierId === earlier.plan?.carrierId)
    .filter((other) => isLater(other, earlier))
    .sort(bySequence);
  const parts = later.flatMap((other) => other.parts).filter(({ request }) => references.has(request.reference));
  return new Map(parts.map((part) => [part.request.reference, part]));
}

/**
 * Whether the one may have taken over parts of the other. What a document has booked is never taken over by a booking
 * without one, so of two such bookings only one can be the later one.
 */
function isLater(one: Consignment, other: Consignment): boolean {
  const hasDocument = one.documentId !== null;
  return hasDocument === (other.documentId !== null) ? bySequence(other, one) < 0 : hasDocument;
}

/** A sibling was planned or has moved on since the siblings were read: prepare again. */
export class SequenceConflict extends Error {
  override readonly name = 'SequenceConflict';

  constructor(shipmentId: string) {
    super(`another booking of shipment ${shipmentId} went on meanwhile, or was cancelled`);
  }
}

/** The siblings of a plan: which bookings existed, their states and parts, and which were to be cancelled, when it was made. */
export interface SiblingSnapshot {
  readonly shipmentId: string;
  readonly others: string;
}

export function siblingSnapshot(shipmentId: string, others: readonly Consignment[]): SiblingSnapshot {
  const planned = others.filter((other) => other.reference !== null);
  // Siblings without a plan will see this plan when they prepare.
  const states = planned.map((sibling) => {
    const { id, run, state, cancelRequest } = sibling;
    const isCancelled = cancelRequest === null ? 'no' : 'yes';
    return [id, run, toStoredState(state), sequenceOf(sibling), isCancelled, ...partStates(sibling)].join(' ');
  });
  return { shipmentId, others: states.sort().join(', ') };
}

/** A cancellation that was asked for and answered in between shows only in the parts. */
function partStates({ parts }: Consignment): readonly string[] {
  return parts.map(({ state, leftToPerson = false }) => `${state}${leftToPerson ? '-left' : ''}`);
}

/** The same snapshot in SQL, from the states as rows hold them. */
export const SIBLING_SNAPSHOT = `(
  select coalesce(string_agg(text, ', ' order by text collate "C"), '')
    from (select concat_ws(' ', o.id, o.run, o.state, coalesce(o.plan->'plan'->>'turn', '0'),
                           case when o.cancel_wanted is null then 'no' else 'yes' end,
                           (select string_agg(concat(part->>'state', case when part->>'leftToPerson' = 'true' then '-left' end),
                                              ' ' order by place)
                              from jsonb_array_elements(o.parts) with ordinality as each (part, place))) as text from consignment o
           where o.area = consignment.area and o.shipment_id = :shipmentId and o.id <> consignment.id and o.reference is not null) others
)`;
