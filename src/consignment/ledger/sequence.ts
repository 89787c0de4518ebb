import { type Consignment, type Part, withParts } from '../consignment.js';
import { isIncomplete, traitsOf } from '../states.js';

/*
 * The bookings of one shipment are planned one after the other, also by several instances at the same moment. No lock is
 * held meanwhile, because preparing waits for the IMS:
 *
 * 1. `prepare` reads the siblings (the other bookings of the shipment) and decides by them. The plan gets the sequence
 *    number after the highest one (`nextSequence`) and remembers what it has seen (`SIBLING_SNAPSHOT`).
 * 2. The plan is saved only where the database still shows the same snapshot. Otherwise a sibling was planned, or has
 *    moved on, in between: `SequenceConflict`.
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

/** What places a consignment among those of its shipment. */
type Sequenced = Pick<Consignment, 'plan' | 'createdAt'>;

/** Sorts by sequence number; rows without one are older and are sorted by arrival. */
export function bySequence(one: Sequenced, other: Sequenced): number {
  return sequenceOf(one) - sequenceOf(other) || one.createdAt.getTime() - other.createdAt.getTime();
}

/** Plans store it as `turn`, which instances of earlier versions read too; plans of the first versions have none. */
function sequenceOf({ plan }: Pick<Consignment, 'plan'>): number {
  return plan?.turn ?? 0;
}

/** Tells whether a booking lacks something, or was made before there was a document: a later one takes over its parcels. */
export function isUnfinished({ state, documentId }: Pick<Consignment, 'state' | 'documentId'>): boolean {
  const traits = traitsOf(state);
  return isIncomplete(traits) || (traits.isEnd && traits.booking === 'booked' && documentId === null);
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
 * The parts that later consignments have taken over from this one, each as the last of them has it. The key is the reference: a
 * part keeps it when it is taken over, and it is unique within an account.
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

/**
 * SQL: the snapshot of the siblings of the consignment `:id`. Siblings without a plan are left out: they will see this plan
 * when they prepare. The parts are in it because a cancellation that was asked for and answered in between shows only in
 * them.
 */
export const SIBLING_SNAPSHOT = `(
  select coalesce(string_agg(text, ', ' order by text collate "C"), '')
    from (select concat_ws(' ', o.id, o.run, o.state, coalesce(o.plan->'plan'->>'turn', '0'),
                           case when o.cancel_wanted is null then 'no' else 'yes' end,
                           (select string_agg(concat(part->>'state', case when part->>'leftToPerson' = 'true' then '-left' end),
                                              ' ' order by place)
                              from jsonb_array_elements(o.parts) with ordinality as each (part, place))) as text from consignment o
           where o.area = :area and o.shipment_id = :shipmentId and o.id <> :id and o.reference is not null) others
)`;

/** The snapshot where there are no siblings, or none with a plan. */
export function noSiblings(shipmentId: string): SiblingSnapshot {
  return { shipmentId, others: '' };
}
