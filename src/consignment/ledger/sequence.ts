import type { Consignment } from '../consignment.js';

/**
 * The sequence number of a plan among its shipment's bookings. Arrival times cannot order them: a row becomes visible
 * when its transaction ends, and clocks differ.
 */
export function nextSequence(consignment: Consignment, others: readonly Consignment[]): number {
  return 1 + Math.max(...[consignment, ...others].map(turnOf));
}

/** Sorts by sequence number; rows without one are older and are sorted by arrival. */
export function bySequence(one: Consignment, other: Consignment): number {
  return turnOf(one) - turnOf(other) || one.createdAt.getTime() - other.createdAt.getTime();
}

function turnOf({ plan }: Consignment): number {
  return plan?.turn ?? 0;
}

/** Another booking of the shipment was planned or has ended since the siblings were read: prepare again. */
export class SequenceConflict extends Error {
  override readonly name = 'SequenceConflict';

  constructor(shipmentId: string) {
    super(`another booking of shipment ${shipmentId} went on meanwhile`);
  }
}

/** The siblings of a plan: which bookings existed, and their states, when it was made. */
export interface SiblingSnapshot {
  readonly shipmentId: string;
  readonly others: string;
}

export function siblingSnapshot(shipmentId: string, others: readonly Consignment[]): SiblingSnapshot {
  const planned = others.filter((other) => other.reference !== null);
  // Siblings without a plan will see this plan when they prepare.
  const states = planned.map(({ id, run, state, plan }) => [id, run, state, plan?.turn ?? 0].join(' '));
  return { shipmentId, others: states.sort().join(', ') };
}

/**
 * The same snapshot in SQL: a plan is stored only while it is unchanged. Two plans that are stored at the same moment
 * get the same sequence number, and a unique index rejects the second.
 */
export const SIBLING_SNAPSHOT = `(
  select coalesce(string_agg(text, ', ' order by text collate "C"), '')
    from (select concat_ws(' ', o.id, o.run, o.state, coalesce(o.plan->'plan'->>'turn', '0')) as text from consignment o
           where o.area = consignment.area and o.shipment_id = :shipmentId and o.id <> consignment.id and o.reference is not null) others
)`;
