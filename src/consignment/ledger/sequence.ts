import type { Consignment } from '../consignment.js';

/**
 * Bookings of one shipment take turns: each gets the next number when its plan is stored. Times of arrival do not say who
 * was seen first: a row shows when its transaction ends, and clocks differ.
 */
export function nextTurn(consignment: Consignment, others: readonly Consignment[]): number {
  return 1 + Math.max(...[consignment, ...others].map(turnOf));
}

/** For sorting: who planned last is last; those from before there were turns are older, by their arrival. */
export function byTurn(one: Consignment, other: Consignment): number {
  return turnOf(one) - turnOf(other) || one.createdAt.getTime() - other.createdAt.getTime();
}

function turnOf({ plan }: Consignment): number {
  return plan?.turn ?? 0;
}

/** Another booking of the shipment was planned or has ended since this one looked: it has to look again. */
export class SequenceConflict extends Error {
  override readonly name = 'Overtaken';

  constructor(shipmentId: string) {
    super(`another booking of shipment ${shipmentId} went on meanwhile`);
  }
}

/** What was known of a shipment's other bookings when one of them was planned. */
export interface SiblingSnapshot {
  readonly shipmentId: string;
  readonly others: string;
}

export function seen(shipmentId: string, others: readonly Consignment[]): SiblingSnapshot {
  const planned = others.filter((other) => other.reference !== null);
  // Who has no plan yet will see this one.
  const states = planned.map(({ id, run, state, plan }) => [id, run, state, plan?.turn ?? 0].join(' '));
  return { shipmentId, others: states.sort().join(', ') };
}

/**
 * The same, of the bookings beside the row that is written, in SQL: a plan is stored only where nothing has changed. Of two
 * that look and store in the same moment both take the same turn, which an index allows only one of them.
 */
export const SEEN = `(
  select coalesce(string_agg(text, ', ' order by text collate "C"), '')
    from (select concat_ws(' ', o.id, o.run, o.state, coalesce(o.plan->'plan'->>'turn', '0')) as text from consignment o
           where o.area = consignment.area and o.shipment_id = $4 and o.id <> consignment.id and o.reference is not null) others
)`;
