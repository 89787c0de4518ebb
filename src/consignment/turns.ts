import type { Sql } from '../db/database.js';
import type { Consignment } from './consignment.js';
import { siblings } from './ledger.js';

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
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** What was known of a shipment's other bookings when one of them was planned. */
export interface Seen {
  readonly shipmentId: string;
  readonly others: string;
}

export function seen(shipmentId: string, others: readonly Consignment[]): Seen {
  const planned = others.filter((other) => other.reference !== null);
  // Who has no plan yet will see this one.
  const states = planned.map(({ id, run, state, plan }) => [id, run, state, plan?.turn ?? 0].join(' '));
  return { shipmentId, others: states.sort().join(', ') };
}

/**
 * Inside the transaction that stores a plan: no other booking of the shipment stores one until that has ended, and none
 * has since it was looked at.
 * @throws Overtaken
 */
export async function requireTurn(sql: Sql, consignment: Consignment, expected: Seen): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `shipment ${consignment.area} ${expected.shipmentId}`,
  ]);
  const now = seen(expected.shipmentId, await siblings(sql, consignment, expected.shipmentId));
  if (now.others !== expected.others)
    throw new Overtaken(`another booking of shipment ${expected.shipmentId} went on meanwhile`);
}
