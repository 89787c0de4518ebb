import { type Consignment, type Part, hasUnusableNumbers, partsIn } from '../consignment/consignment.js';
import { NotPossible } from '../consignment/machine/operator.js';
import { siblings } from '../consignment/ledger/consignment-rows.js';
import { type StoredLabel, asLabel, loadLabels } from '../consignment/ledger/label-rows.js';
import { partsHandedOn } from '../consignment/ledger/sequence.js';
import { labelsInOrder } from '../consignment/steps/fetch-labels.js';
import type { Database } from '../db/database.js';
import type { LabelToPrint } from '../labels/assemble.js';

/**
 * The labels of a booking as its carrier gave them, in the order of its containers, but for those of cancelled parcels.
 * @param parcel a container or a tracking number; `null`: all
 * @param others the other bookings of its shipment
 * @throws NotPossible there is no such parcel, or its label cannot be told from the others
 */
export async function labelsToPrint(
  database: Database,
  consignment: Consignment,
  { parcel, others }: { readonly parcel: string | null; readonly others: readonly Consignment[] },
): Promise<readonly LabelToPrint[]> {
  const stored = (await loadLabels(database, consignment.id)).filter(({ n }) => n > 0);
  if (stored.length === 0) throw new NotPossible('the labels that the carrier gave are not kept any more');
  const isVoid = voidParts(consignment, others);
  const booked = partsIn(consignment, 'booked').filter((part) => !isVoid(part) && !hasUnusableNumbers(part));
  if (parcel === null) {
    const labels = labelsInOrder(consignment, { labels: stored, booked });
    if (labels.length === 0) throw new NotPossible('there is no label of the parcels that are not cancelled');
    return labels.map(asLabel);
  }
  for (const part of booked) {
    const place = parcelsOf(part).findIndex((one) => [one.parcelId, one.trackingNumber].includes(parcel));
    if (place >= 0) return labelsOf(part, { place, labels: stored.filter(({ n }) => n === part.n) });
  }
  const there = booked.flatMap((part) => parcelsOf(part).map((one) => `${one.parcelId} (${one.trackingNumber})`));
  throw new NotPossible(`"${parcel}" is none of its parcels, which are ${there.join(', ')}`);
}

/** How much of its label is cancelled, and the other bookings of its shipment. */
export async function cancelledIn(database: Database, consignment: Consignment) {
  const { shipmentId } = consignment;
  const others = shipmentId === null ? [] : await siblings(database, consignment, shipmentId);
  return { others, cancelled: voidOfLabel(consignment, others) };
}

/**
 * How many of the parcels of its label are cancelled, which a later booking of the shipment that took them over may have done.
 * @param others the other bookings of its shipment
 */
export function voidOfLabel(consignment: Consignment, others: readonly Consignment[]): 'none' | 'some' | 'all' {
  const labelled = partsIn(consignment, 'booked', 'cancelled');
  const cancelled = labelled.filter(voidParts(consignment, others));
  if (cancelled.length === 0) return 'none';
  return cancelled.length === labelled.length ? 'all' : 'some';
}

function voidParts(consignment: Consignment, others: readonly Consignment[]): (part: Part) => boolean {
  const elsewhere = partsHandedOn(consignment, others);
  return (part) => (elsewhere.get(part.request.reference) ?? part).state === 'cancelled';
}

/** In the order of the request, which is that of the labels. */
function parcelsOf({ request, booking }: Part) {
  const parcels = (booking?.parcels ?? []).flatMap((parcel) => (parcel.kind === 'booked' ? [parcel] : []));
  const order = request.parcels.map(({ id }) => id);
  return parcels.sort((a, b) => order.indexOf(a.parcelId) - order.indexOf(b.parcelId));
}

/** All that came for the only parcel; of several, a label for each, or one with a page for each. */
function labelsOf(
  part: Part,
  { place, labels }: { readonly place: number; readonly labels: readonly StoredLabel[] },
): readonly LabelToPrint[] {
  const parcels = parcelsOf(part).length;
  if (parcels === 1 && labels.length > 0) return labels.map(asLabel);
  const own = labels.length === parcels ? labels[place] : undefined;
  if (own) return [asLabel(own)];
  const [all] = labels;
  if (all && labels.length === 1) return [{ ...asLabel(all), only: { place, of: parcels } }];
  throw new NotPossible(
    `the carrier gave ${labels.length} labels for ${parcels} parcels: which is whose cannot be told`,
  );
}
