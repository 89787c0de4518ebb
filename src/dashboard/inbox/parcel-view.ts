import type { TrackingStatus } from '../../../carriers/contract/tracking.js';
import { MAX_COUNTED_PARCELS, QUIET_DAYS } from '../../tracking/parcels/parcel-list.js';
import type { ParcelView, WholeParcel } from '../../tracking/parcels/tracking-queries.js';
import { type Times, count } from '../format.js';
import { SHAPES, type Shown, quiet } from '../shapes.js';

const STATUSES: Readonly<Record<TrackingStatus, Shown>> = {
  registered: quiet('Registered', SHAPES.waiting),
  'handed-over': quiet('Handed over', SHAPES.tried),
  'in-transit': quiet('In transit', SHAPES.tried),
  customs: quiet('At customs', SHAPES.waiting),
  'out-for-delivery': quiet('Out for delivery', SHAPES.tried),
  'at-pickup-point': quiet('At pick-up point', SHAPES.waiting),
  delivered: quiet('Delivered', SHAPES.tick),
  'delivery-failed': quiet('Delivery failed', SHAPES.waiting),
  returned: { word: 'Returned', tone: 'warn', shape: SHAPES.triangle },
  'lost-or-damaged': { word: 'Lost or damaged', tone: 'danger', shape: SHAPES.octagon },
  cancelled: quiet('Cancelled', SHAPES.cancelled),
  unrecognised: quiet('Code not known', SHAPES.skipped),
};

/** What the tabs of the page show, in this order. */
const TABS: readonly TrackingStatus[] = [
  ...(['lost-or-damaged', 'returned', 'delivery-failed', 'customs', 'at-pickup-point', 'out-for-delivery'] as const),
  ...(['in-transit', 'handed-over', 'registered', 'delivered'] as const),
];

export interface Tab {
  readonly word: string;
  readonly count: string;
  /** Of the address. */
  readonly status: string | null;
  readonly late: string | null;
  readonly isChosen: boolean;
  readonly tone: Shown['tone'];
}

export interface ChosenParcels {
  readonly status: string | null;
  readonly late: string | null;
}

/** All parcels, the late ones, and each status that some have. */
export function tabsOf(
  { statuses, late }: { readonly statuses: ReadonlyMap<TrackingStatus, number>; readonly late: number },
  chosen: ChosenParcels,
): readonly Tab[] {
  const tab = (
    own: ChosenParcels,
    word: string,
    many: { readonly count: number; readonly tone: Shown['tone'] },
  ): Tab => ({
    ...own,
    ...{ word, count: counted(many.count), tone: many.count > 0 ? many.tone : 'quiet' },
    isChosen: own.status === chosen.status && own.late === chosen.late,
  });
  const all = [...statuses.values()].reduce((sum, each) => sum + each, 0);
  return [
    tab({ status: null, late: null }, 'All', { count: all, tone: 'quiet' }),
    tab({ status: null, late: 'true' }, 'Late', { count: late, tone: 'warn' }),
    ...TABS.filter((status) => (statuses.get(status) ?? 0) > 0 || status === chosen.status).map((status) => {
      const { word, tone } = STATUSES[status];
      return tab({ status, late: null }, word, { count: statuses.get(status) ?? 0, tone });
    }),
  ];
}

function counted(many: number): string {
  return many > MAX_COUNTED_PARCELS ? `more than ${count(MAX_COUNTED_PARCELS)}` : count(many);
}

/** A row of the list, in words. */
export interface ParcelShown {
  readonly shown: Shown;
  readonly number: string;
  readonly href: string;
  readonly reason: string;
  readonly shipment: string;
  readonly consignment: string;
  readonly carrier: string;
  readonly area: string;
  readonly since: string;
  readonly at: string;
}

const LATE: Pick<Shown, 'tone' | 'shape'> = { tone: 'warn', shape: SHAPES.triangle };

/** @param refused accounts whose carriers refuse the login of tracking */
export function parcelShown(parcel: ParcelView, times: Times, refused: ReadonlySet<string>): ParcelShown {
  const { trackingNumber, consignmentId, status, late, statusAt, registeredAt } = parcel;
  const since = statusAt ?? registeredAt;
  const own = STATUSES[status];
  return {
    shown: late === null ? own : { ...own, ...LATE, word: `Late: ${own.word.toLowerCase()}` },
    ...{ number: trackingNumber, href: parcelAddress(trackingNumber), reason: reasonOf(parcel, times, refused) },
    ...{ shipment: parcel.shipmentNumber, consignment: `/consignments/${consignmentId}` },
    ...{ carrier: parcel.carrierName, area: parcel.area, since: times.time(since), at: since.toISOString() },
  };
}

export function parcelAddress(trackingNumber: string): string {
  return `/parcels/${encodeURIComponent(trackingNumber)}`;
}

/** What happened, and what to do. */
function reasonOf(
  { late, account, carrierName, status, statusAt, registeredAt, estimatedDelivery, place }: ParcelView,
  times: Times,
  refused: ReadonlySet<string>,
): string {
  const since = times.time(statusAt ?? registeredAt);
  if (late !== null && refused.has(account))
    return `Last known ${since}; the parcel may be further on. ${carrierName} refuses the login for tracking: correct the settings of account ${account}.`;
  if (late === 'promised') return `${carrierName} named ${day(estimatedDelivery)}: ask it where the parcel is.`;
  if (late === 'quiet')
    return `${carrierName} has said nothing since ${since}, for more than ${QUIET_DAYS} days: ask it.`;
  if (status === 'lost-or-damaged') return `${carrierName} has lost or damaged it: claim it there, and send it again.`;
  if (status === 'returned') return 'It comes back: the packer was told.';
  const parts = [place, estimatedDelivery === null || isEnded(status) ? null : `expected ${day(estimatedDelivery)}`];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

function isEnded(status: TrackingStatus): boolean {
  return status === 'delivered' || status === 'cancelled';
}

function day(estimated: string | null): string {
  return estimated?.slice(0, '2026-03-04'.length) ?? '—';
}

/** One tracking number, in words. */
export function parcelPage({ parcels, events }: WholeParcel, timesOf: (area: string | null) => Times) {
  const [first] = parcels;
  const times = timesOf(first?.area ?? null);
  return {
    shown: STATUSES[first?.status ?? 'unrecognised'],
    url: parcels.find(({ trackingUrl }) => trackingUrl?.startsWith('https://'))?.trackingUrl ?? null,
    parcels: parcels.map((parcel) => ({
      ...{
        shown: STATUSES[parcel.status],
        account: parcel.account,
        area: parcel.area,
        shipment: parcel.shipmentNumber,
      },
      ...{ consignment: `/consignments/${parcel.consignmentId}`, container: parcel.containerId },
      expected: parcel.estimatedDelivery === null ? '—' : day(parcel.estimatedDelivery),
    })),
    told: parcels.flatMap(({ told }) =>
      told.map(({ kind, status, state, note }) => ({ what: `${kind}: ${status}`, state, note: note ?? '' })),
    ),
    events: events.map(({ status, text, code, place, at, receivedAt }) => ({
      ...{ shown: STATUSES[status], text: text ?? code ?? '', place: place ?? '—' },
      ...{ said: at.slice(0, '2026-03-04T20:03'.length).replace('T', ' '), at, heard: times.time(receivedAt) },
    })),
  };
}
