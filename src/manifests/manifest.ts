import type { Address } from '../../carriers/contract/model.js';
import type { Manifest, ManifestWords, HandedOver } from './manifest-document.js';
import { type Consignment, bookedParcels, carrierName, shipmentName } from '../consignment/consignment.js';
import { isLeftToPerson } from '../consignment/machine/beside.js';
import { bySequence, withoutHandedOn } from '../consignment/ledger/sequence.js';
import type { HandedOverRow } from './manifest-rows.js';
import type { Area } from '../areas/area.js';

/** The values that all manifests of a note share. */
export interface Note {
  readonly documentId: string;
  readonly area: Pick<Area, 'phrase' | 'timeZone'>;
  readonly now: Date;
}

/**
 * One manifest for each account, in the order of the consignments. Pure.
 * @param named every booking of the note's shipments, also those that are cancelled
 */
export function manifestsOf(
  rows: readonly HandedOverRow[],
  named: readonly { readonly consignment: Consignment }[],
  note: Note,
): readonly Manifest[] {
  const accounts = new Map<string, HandedOverRow[]>();
  for (const row of leavingOf(rows, named)) {
    const account = row.consignment.plan?.account;
    if (account === undefined || bookedParcels(row.consignment).length === 0) continue;
    accounts.set(account, [...(accounts.get(account) ?? []), row]);
  }
  return [...accounts].map(([account, taken]) => listOf(account, taken, note));
}

interface OfConsignment {
  readonly consignment: Consignment;
}

/**
 * The bookings that leave: without those that another one replaces, and without parcels that a later one has taken over; that one
 * has them, or has cancelled them. Pure.
 * @param named every booking of their shipments
 */
export function leavingOf<Row extends OfConsignment>(
  rows: readonly Row[],
  named: readonly OfConsignment[],
): readonly Row[] {
  const shipments = new Map<string | null, Consignment[]>();
  for (const { consignment } of [...rows, ...named])
    shipments.set(consignment.shipmentId, [...(shipments.get(consignment.shipmentId) ?? []), consignment]);
  return rows.flatMap((row) => {
    const others = shipments.get(row.consignment.shipmentId) ?? [];
    const consignment = withoutHandedOn(row.consignment, others);
    return isLeftOut(consignment, others) ? [] : [{ ...row, consignment }];
  });
}

/** A worker or operator was told to throw its labels away, and has those of a later booking. */
function isLeftOut(consignment: Consignment, named: readonly Consignment[]): boolean {
  const later = named.filter((other) => bySequence(consignment, other) < 0 && bookedParcels(other).length > 0);
  return later.length > 0 && isLeftToPerson(consignment, named);
}

function listOf(account: string, rows: readonly HandedOverRow[], { documentId, area, now }: Note): Manifest {
  const [first] = rows;
  return {
    account,
    carrierName: first ? carrierName(first.consignment) : '-',
    documentId,
    sender: senderOf(rows.map((row) => row.consignment)),
    handedOverAt: localTime(first?.at ?? now, area.timeZone),
    consignments: byRoute(rows.map(toHandedOver)),
    words: wordsOf(area),
  };
}

function toHandedOver({ consignment, carrierNumber }: HandedOverRow): HandedOver {
  const asked = consignment.parts.flatMap((part) => part.request.parcels);
  const route = consignment.parts.map(({ booking }) => booking?.route).find((each) => each !== undefined);
  const weights = new Map(asked.map((parcel) => [parcel.id, parcel.weightGrams]));
  return {
    consignmentId: consignment.id,
    ...(route !== undefined && { route }),
    shipmentNumber: shipmentName(consignment),
    carrierNumber,
    parcels: bookedParcels(consignment).map(({ parcelId, trackingNumber }) => ({
      trackingNumber,
      weightGrams: weights.get(parcelId) ?? null,
    })),
  };
}

/** In the order of a drive; those without a route stay as they were booked, at the end. */
function byRoute(consignments: readonly HandedOver[]): readonly HandedOver[] {
  const order = new Intl.Collator('en', { numeric: true });
  const [routed, others] = [true, false].map((has) =>
    consignments.filter(({ route }) => (route !== undefined) === has),
  );
  return [...(routed ?? []).sort((one, other) => order.compare(one.route ?? '', other.route ?? '')), ...(others ?? [])];
}

function senderOf(consignments: readonly Consignment[]): readonly string[] {
  const addresses = consignments.flatMap(({ parts }) => parts.slice(0, 1).map(({ request }) => request.sender.address));
  const senders = [...new Map(addresses.map((address) => [linesOf(address).join('\n'), address])).values()];
  const [only, ...more] = senders;
  if (only === undefined) return [];
  return more.length === 0 ? linesOf(only) : [...new Set(senders.map(({ name }) => name ?? '-'))];
}

function linesOf(address: Address): readonly string[] {
  const { name, street, floorBlockOrSuite, postalCode, city, countryCode } = address;
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  return [name, street, floorBlockOrSuite, place, countryCode].flatMap((line) => (line ? [line] : []));
}

/** `YYYY-MM-DD hh:mm`. */
function localTime(at: Date, timeZone: string): string {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(at);
}

function wordsOf({ phrase }: Pick<Area, 'phrase'>): ManifestWords {
  return {
    title: phrase('handover-title', {}),
    sender: phrase('handover-sender', {}),
    date: phrase('handover-date', {}),
    document: phrase('handover-document', {}),
    shipment: phrase('handover-shipment', {}),
    carrierNumber: phrase('handover-carrier-number', {}),
    route: phrase('handover-route', {}),
    trackingNumber: phrase('handover-tracking-number', {}),
    weight: phrase('handover-weight', {}),
    consignments: phrase('handover-consignments', {}),
    parcels: phrase('handover-parcels', {}),
    withoutWeight: phrase('handover-without-weight', {}),
    driver: phrase('handover-driver', {}),
    signature: phrase('handover-signature', {}),
    time: phrase('handover-time', {}),
    page: phrase('handover-page', {}),
  };
}
