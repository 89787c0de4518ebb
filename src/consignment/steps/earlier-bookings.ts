import { type Consignment, END_STATES, type Part, carrierName, say, shipmentName } from '../consignment.js';
import { takenReferences } from '../ledger.js';
import { loadLabels, storeLabels } from '../label-rows.js';
import type { Fact } from '../machine/fact.js';
import { consignmentReference } from '../reference.js';
import type { World } from '../world.js';

/** Ours for good once it is written: no other consignment of the account can have it. */
export async function referenceAt(
  world: World,
  consignment: Consignment,
  { account, shipmentNumber }: { readonly account: string; readonly shipmentNumber: string },
): Promise<string> {
  const own = consignment.plan?.account === account && consignment.shipmentNumber === shipmentNumber;
  if (own && consignment.reference !== null) return consignment.reference;
  return consignmentReference(shipmentNumber, await takenReferences(world.database, account, shipmentNumber));
}

/** Why another consignment of the same shipment keeps this one from being booked now. */
export function obstacleIn(others: readonly Consignment[], consignment: Consignment, claimed: boolean): Fact | null {
  const doubtful = others.find((other) => other.waitsForPerson);
  if (doubtful) {
    const about = {
      shipmentNumber: shipmentName(doubtful),
      carrier: carrierName(doubtful),
      reference: doubtful.reference ?? '-',
    };
    return {
      kind: 'unusable',
      messages: [say('person-needed', about)],
      claimed,
      shipmentNumber: doubtful.shipmentNumber,
    };
  }
  const moving = others.find((other) => !END_STATES.includes(other.state) && isBefore(other, consignment));
  if (moving) {
    return { kind: 'postponed', waitingFor: 'sibling', because: `waits for ${moving.id}`, retryAfterMs: null, claimed };
  }
  const booked = others.find((other) => isAlive(other) && other.createdAt <= consignment.createdAt);
  if (consignment.documentId === null && booked)
    return { kind: 'set-aside', because: `booked already as ${booked.id}` };
  return null;
}

/** Of two that came at the same moment one goes first, whoever looks. */
function isBefore(other: Consignment, consignment: Consignment): boolean {
  const later = other.createdAt.getTime() - consignment.createdAt.getTime();
  return later === 0 ? other.id < consignment.id : later < 0;
}

function isAlive(other: Consignment): boolean {
  return !['refused', 'cancelled', 'set-aside'].includes(other.state);
}

/**
 * What an earlier consignment of the shipment has booked and could not finish, or booked before there was a document:
 * its parts and labels become ours, nothing of it is booked again.
 */
export async function takeOver(
  world: World,
  consignment: Consignment,
  others: readonly Consignment[],
): Promise<readonly Part[]> {
  if (consignment.parts.some((part) => part.state === 'booked')) return [];
  const unfinished = others
    .filter((other) => other.state === 'incomplete' || (other.state === 'closed' && other.documentId === null))
    .filter((other) => !isHandedOn(other, others));
  const last = unfinished.filter((other) => other.createdAt <= consignment.createdAt).at(-1);
  if (!last) return [];
  const labels = await loadLabels(world.database, last.id);
  await storeLabels(world.database, consignment.id, { labels, now: world.clock.now() });
  return last.parts.filter((part) => part.state === 'booked');
}

/** A carrier that was changed meanwhile knows nothing of what another one has booked. */
export function sameAccount(others: readonly Consignment[], account: string): readonly Consignment[] {
  return others.filter((other) => other.plan?.account === account);
}

/** A later consignment took its parts over: what became of them since, cancelled for instance, is written there alone. */
function isHandedOn(earlier: Consignment, others: readonly Consignment[]): boolean {
  const references = new Set(earlier.parts.map((part) => part.request.reference));
  return others
    .filter(
      (other) => other.createdAt > earlier.createdAt || (other.documentId !== null && earlier.documentId === null),
    )
    .some((later) => later.parts.some((part) => references.has(part.request.reference)));
}
