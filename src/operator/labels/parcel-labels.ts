import { type Consignment, type Part, hasUnusableNumbers, partsIn } from '../../consignment/consignment.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import { siblings } from '../../consignment/ledger/consignment-rows.js';
import { type StoredLabel, asLabel, loadLabels } from '../../consignment/ledger/label-rows.js';
import { partsHandedOn } from '../../consignment/ledger/sequence.js';
import type { BookingContext } from '../../consignment/context.js';
import { returnPlaceOf } from '../../consignment/return-beside.js';
import { labelsInOrder } from '../../consignment/steps/fetch-labels.js';
import { RETURNS_FILE } from '../../consignment/steps/returns-file.js';
import type { Database } from '../../db/database.js';
import type { AssembledLabels, LabelToPrint } from '../../labels/assemble.js';
import type { LabelTarget } from '../../labels/conversion/target.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { readyReturn } from '../returns/return-label-rows.js';

interface Wanted {
  /** A container or a tracking number; `null`: all. */
  readonly parcel: string | null;
  /** The other bookings of its shipment. */
  readonly others: readonly Consignment[];
}

/**
 * The labels of a booking as its carrier gave them, in the order of its containers, but for those of cancelled parcels.
 * @throws NotPossible there is no such parcel, or its label cannot be told from the others
 */
export async function labelsToPrint(
  database: Database,
  consignment: Consignment,
  { parcel, others }: Wanted,
): Promise<readonly LabelToPrint[]> {
  const stored = (await loadLabels(database, consignment.id)).filter(({ n }) => n > 0);
  if (stored.length === 0) throw new NotPossible('the labels that the carrier gave are not kept any more');
  const isVoid = voidParts(consignment, others);
  const booked = partsIn(consignment, 'booked').filter(
    (part) => !isVoid(part) && !hasUnusableNumbers(part) && part.labels === 'stored',
  );
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

interface Printed extends Wanted {
  readonly assemble: BookingContext['assemble'];
  readonly target: LabelTarget | null;
}

/**
 * One file of `labelsToPrint`, with their return labels as last pages where the label file of the booking has them so, and where
 * they go onto the paper.
 * @throws NotPossible | LabelUnusable
 */
export async function fileToPrint(
  database: Database,
  consignment: Consignment,
  { assemble, target, ...wanted }: Printed,
): Promise<AssembledLabels> {
  const labels = await labelsToPrint(database, consignment, wanted);
  const last = wanted.parcel === null ? await lastPages(database, consignment, wanted.others) : [];
  if (last.length === 0) return assemble(labels, target);
  const both = await assemble([...labels, ...last], target).catch((error: unknown) => {
    if (error instanceof LabelUnusable) return null;
    throw error;
  });
  const isWhole = both?.leftAsTheyCame.every(({ position }) => position <= labels.length);
  return both !== null && isWhole ? both : assemble(labels, target);
}

/** The return labels of parcels that are not cancelled; none where they are a file of their own. */
async function lastPages(
  database: Database,
  consignment: Consignment,
  others: readonly Consignment[],
): Promise<readonly LabelToPrint[]> {
  const { id, plan } = consignment;
  if (plan === null || returnPlaceOf(consignment) !== 'last-page') return [];
  if ((await loadLabels(database, id)).some(({ n, k }) => n === 0 && k === RETURNS_FILE)) return [];
  const isVoid = voidParts(consignment, others);
  const keys = partsIn(consignment, 'booked')
    .filter((part) => !isVoid(part))
    .flatMap((part) => parcelsOf(part).map(({ parcelId }) => ({ part, parcelId })));
  const found = await Promise.all(
    keys.map(({ part, parcelId }) =>
      readyReturn(database, { account: plan.account, bookedReference: part.request.reference, parcelId }),
    ),
  );
  return found.flatMap((bytes) => (bytes === null ? [] : [{ format: 'pdf', bytes } as const]));
}

/** How much of its label is cancelled, and the other bookings of its shipment. */
export async function cancelledIn(database: Database, consignment: Consignment) {
  const { shipmentId } = consignment;
  const others = shipmentId === null ? [] : await siblings(database, consignment, shipmentId);
  return { others, cancelled: voidOfLabel(consignment, others) };
}

/**
 * Why the label of a part must not be used. `null`: it may be used, or all parcels are cancelled, and only a person who asks for
 * such a label sees it.
 */
export function whyPartUnused(
  consignment: Consignment,
  n: number,
  { others, cancelled }: Awaited<ReturnType<typeof cancelledIn>>,
): string | null {
  if (n === 0 || cancelled === 'all') return null;
  const part = consignment.parts.find((one) => one.n === n);
  // A plan that was dropped leaves the labels of the parcels that it took over.
  if (part === undefined) return 'it belongs to none of its parcels: do not use it';
  if (voidParts(consignment, others)(part)) return 'its parcels are cancelled: their labels must not be used';
  if (hasUnusableNumbers(part)) return 'it may show the number of another parcel: do not use it';
  return part.labels === 'stored' ? null : 'the stored label is from before its numbers were corrected: do not use it';
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
