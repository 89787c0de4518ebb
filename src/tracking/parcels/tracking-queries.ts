import type { Clock } from '../../../carriers/contract/adapter.js';
import { TRACKING_STATUSES, type TrackingEvent } from '../../../carriers/contract/tracking.js';
import type { Database } from '../../db/database.js';
import { type FailedRequest, type GivenUpRequest, listFailed, listGivenUp } from '../ims-updates/given-up.js';
import { type ParcelCounts, type ParcelFilter, type ParcelPage, countParcels, listParcels } from './parcel-list.js';
import { type TrackedParcel, parcelsByNumber } from './parcel-rows.js';
import { type CallingCarrier, callingAccounts } from '../callbacks/missing.js';
import { refusedLogins } from '../polling/refused-logins.js';

/** The newest ones are shown. */
const MAX_EVENTS = 500;
const MAX_CODES = 500;

export interface TrackingQueries {
  /** Parcels, the latest registered first, each with whether it is late. */
  list(
    filter: ParcelFilter,
    page: ParcelPage,
  ): Promise<{ readonly parcels: readonly ParcelView[]; readonly cursor: string | null }>;
  /** @param area `null`: of all */
  counts(area: string | null): Promise<ParcelCounts>;
  /**
   * Parcels with this number, one for each account, with all their events.
   * @returns `null`: the number is unknown
   */
  parcel(trackingNumber: string): Promise<WholeParcel | null>;
  /** Codes that no adapter's table has, counted by account; the most frequent first. */
  unrecognised(): Promise<object>;
  /** Accounts with callbacks, and when their carriers called last. */
  accounts(): Promise<object>;
  /** The accounts whose carriers refuse the login of tracking. */
  refusedLogins(): Promise<ReadonlySet<string>>;
  /** Updates to the IMS that were given up, newest first. */
  givenUp(page: GivenUpRequest): ReturnType<typeof listGivenUp>;
  /** Callbacks that could not be applied, newest first. */
  failed(page: FailedRequest): Promise<object>;
}

/** A row of the list. */
export type ParcelView = ReturnType<typeof parcelView> & {
  readonly trackingNumber: string;
  readonly carrierName: string;
  readonly late: 'promised' | 'quiet' | null;
};

/** A tracking number with everything that is known of it. */
export interface WholeParcel {
  readonly trackingNumber: string;
  readonly parcels: readonly (ReturnType<typeof parcelView> & {
    readonly told: readonly ReturnType<typeof toldView>[];
  })[];
  readonly events: readonly EventView[];
}

interface EventView extends Omit<TrackingEvent, 'id' | 'trackingNumber' | 'trackingUrl'> {
  readonly account: string;
  readonly receivedAt: Date;
}

interface OutboxRow {
  readonly parcel_id: string | number;
  readonly kind: string;
  readonly status: string;
  readonly state: string;
  readonly note: string | null;
  readonly due_at: Date | null;
}

interface CodeRow {
  readonly account: string;
  readonly code: string | null;
  readonly text: string | null;
  readonly count: number;
  readonly last_at: Date;
}

/** An event that was recognised in a later report; `offset 0` makes the planner use the index. */
const RECOGNISED_SINCE = `exists (select from tracking_event r
   where r.account = e.account and r.tracking_number = e.tracking_number and r.dedupe = e.dedupe
     and r.status <> 'unrecognised' offset 0)`;

/** @param calling the accounts with callbacks */
export function trackingQueries(database: Database, clock: Clock, calling: readonly CallingCarrier[]): TrackingQueries {
  return {
    list: async (filter, page) => {
      const { parcels, cursor } = await listParcels(database, filter, { ...page, now: clock.now() });
      const rows = parcels.map((parcel) => {
        const { trackingNumber, carrierName, late } = parcel;
        return { trackingNumber, carrierName, late, ...parcelView(parcel) };
      });
      return { parcels: rows, cursor };
    },
    counts: (area) => countParcels(database, { statuses: TRACKING_STATUSES, area, now: clock.now() }),
    accounts: async () => ({ accounts: await callingAccounts(database, calling, clock.now()) }),
    refusedLogins: () => refusedLogins(database, clock.now()),
    givenUp: (page) => listGivenUp(database, page),
    failed: (page) => listFailed(database, page),
    parcel: async (trackingNumber) => {
      const parcels = await parcelsByNumber(database, trackingNumber);
      const events = await eventsByNumber(database, trackingNumber);
      if (parcels.length + events.length === 0) return null;
      const outboxEntries = await outboxEntriesOf(database, parcels);
      const told = (parcel: TrackedParcel) =>
        outboxEntries.filter((entry) => String(entry.parcel_id) === parcel.id).map(toldView);
      return {
        trackingNumber,
        parcels: parcels.map((parcel) => ({ ...parcelView(parcel), told: told(parcel) })),
        events,
      };
    },
    unrecognised: async () => {
      const rows = await database.query<CodeRow>(
        `select account, code, max(text) as text, count(*)::int as count, max(received_at) as last_at
           from tracking_event e where status = 'unrecognised' and not ${RECOGNISED_SINCE}
          group by account, code order by count desc, account, code limit $1`,
        [MAX_CODES],
      );
      return { codes: rows.map(({ last_at: lastAt, ...row }) => ({ ...row, lastAt })) };
    },
  };
}

function eventsByNumber(database: Database, trackingNumber: string): Promise<readonly EventView[]> {
  return database.query<EventView>(
    `select account, status, code, text, place, at, zone,
            estimated_delivery as "estimatedDelivery", received_at as "receivedAt"
       from tracking_event e
      where tracking_number = $1 and not (status = 'unrecognised' and ${RECOGNISED_SINCE}) order by moment desc, id desc limit $2`,
    [trackingNumber, MAX_EVENTS],
  );
}

function outboxEntriesOf(database: Database, parcels: readonly TrackedParcel[]): Promise<readonly OutboxRow[]> {
  return database.query<OutboxRow>(
    'select parcel_id, kind, status, state, note, due_at from tracking_outbox where parcel_id = any($1::bigint[]) order by id',
    [parcels.map((parcel) => parcel.id)],
  );
}

function parcelView(parcel: TrackedParcel) {
  const { account, area, consignmentId, containerId, shipmentId, shipmentNumber } = parcel;
  const { status, statusAt, place, estimatedDelivery, trackingUrl, nextPollAt, endedAt, registeredAt } = parcel;
  return {
    account,
    area,
    consignmentId,
    containerId,
    shipmentId,
    shipmentNumber,
    status,
    statusAt,
    place,
    estimatedDelivery,
    trackingUrl,
    nextPollAt,
    // Its first name.
    nextAskAt: nextPollAt,
    endedAt,
    registeredAt,
  };
}

function toldView({ kind, status, state, note, due_at: dueAt }: OutboxRow) {
  return { kind, status, state, note, dueAt };
}
