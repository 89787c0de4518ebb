import { type Clock, type Traits, type CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Consignment } from '../../src/consignment/consignment.js';
import { insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { asJsonb } from '../../src/db/json.js';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';
import { migrate } from '../../src/db/migrate.js';
import { openPostgres } from '../../src/db/postgres.js';
import { type LogFields, type Log, silentLog } from '../../src/log.js';
import { insertCallbacks } from '../../src/tracking/callbacks/callback-rows.js';
import { type NewTrackedParcel, registerParcels } from '../../src/tracking/parcels/parcel-rows.js';
import { registerEnded } from '../../src/tracking/parcels/register.js';
import type { TrackingContext } from '../../src/tracking/context.js';
import { bookingContext } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

/** A database of a server, without the tables of the test before. */
export async function openEmptied(url: string): Promise<Database> {
  const database = openPostgres(url, silentLog);
  await database.script('drop schema public cascade; create schema public');
  return database;
}

export const DAWN = new Date('2026-03-04T06:00:00Z');

/** A clock that only moves when it is told to. */
export class HandClock implements Clock {
  private ms = DAWN.getTime();

  now(): Date {
    return new Date(this.ms);
  }

  forward(ms: number): void {
    this.ms += ms;
  }
}

export interface Stage {
  readonly tracking: TrackingContext;
  readonly database: Database;
  readonly clock: HandClock;
}

const unable = () => Promise.reject(new Error('not in this test'));

/** The room of tracking on a real database, with a carrier that only tells where parcels are. */
export async function trackingStage(
  able: NonNullable<CarrierAccount['track']> | Pick<CarrierAccount, 'trackChanges'>,
  traits: Partial<Traits> = {},
  open: () => Promise<Database> = openEmptyDatabase,
): Promise<Stage> {
  const database = await open();
  await migrate(database);
  const clock = new HandClock();
  let turn = 0;
  // The same in every run, and spread.
  const random = () => (turn++ * 0.618_033_988_75) % 1;
  const context = {
    ...bookingContext({ book: unable, ...(typeof able === 'function' ? { track: able } : able) }, traits, clock),
    database,
    random,
  };
  const options = new Map([['1', { tellDelivered: true, keepStatus: true }]]);
  return {
    tracking: {
      booking: context,
      callbacks: new Map(),
      callsPerDay: new Map(),
      options,
      keptDays: { parcels: 400, callbacks: 30 },
    },
    database,
    clock,
  };
}

/** What a test does not say about a parcel of the account `main`. */
export function newParcel(trackingNumber: string, changes: Partial<NewTrackedParcel> = {}): NewTrackedParcel {
  return {
    account: 'main',
    trackingNumber,
    consignmentId: `c-${trackingNumber}`,
    area: '1',
    containerId: `box-${trackingNumber}`,
    shipmentId: `s-${trackingNumber}`,
    shipmentNumber: `n-${trackingNumber}`,
    carrierName: 'Test Carrier',
    addressee: { eventId: 'e-1', userId: 7, deviceName: 'desk-1' },
    trackingUrl: null,
    nextPollAt: DAWN,
    registeredAt: DAWN,
    bookedAt: DAWN,
    ...changes,
  };
}

/** A log that is looked at. */
export function recordingLog(lines: { readonly level: string; readonly event: string }[]): Log {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void lines.push({ ...fields, level, event });
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return log;
}

let calls = 0;

/** A callback of an account, stored and not applied. */
export async function storeCall(
  { database, clock }: Stage,
  events: readonly TrackingEvent[],
  { account = 'main', poll = [] }: { readonly account?: string; readonly poll?: readonly string[] } = {},
): Promise<void> {
  calls += 1;
  const body = Buffer.from('{}');
  const receivedAt = clock.now();
  await insertCallbacks(database, [
    { account, hash: `call-${calls}`, body, outcome: { events, poll }, note: null, receivedAt },
  ]);
}

export async function register({ database }: Stage, parcels: readonly NewTrackedParcel[]): Promise<void> {
  for (let from = 0; from < parcels.length; from += 5_000)
    await registerParcels(database, parcels.slice(from, from + 5_000));
}

let documents = 0;

/** A consignment of the shipment `s-1`. @returns its id */
export async function insertReceived({ database, clock }: Stage): Promise<string> {
  const addressee = { eventId: 'e-1', userId: 7, deviceName: null };
  const of = {
    area: '1',
    bookedOn: 'transport-booking',
    documentId: `d-${(documents += 1)}`,
    shipmentId: 's-1',
  } as const;
  return (await insertConsignment(database, { ...of, addressee, now: clock.now() })) ?? '';
}

/** Ends it with these parts, a minute after what was before, and registers its parcels. */
export async function endBooked(
  { tracking, database, clock }: Stage,
  id: string,
  { plan, parts }: Pick<Consignment, 'plan' | 'parts'>,
): Promise<void> {
  clock.forward(60_000);
  await database.query(
    `update consignment set state = 'closed', account = 'main', shipment_number = '10045', due_at = null,
            version = version + 1, plan = $2::jsonb, parts = $3::jsonb, updated_at = $4 where id = $1`,
    [id, asJsonb({ plan }), asJsonb(parts), clock.now()],
  );
  await registerEnded(tracking);
}

/** What is known, without what only says when it came to be known. */
export async function known({ database }: Stage): Promise<{ readonly parcels: unknown; readonly notices: unknown }> {
  const parcels = await database.query(
    `select account, tracking_number, status, status_at, place, estimated_delivery, tracking_url, url_from_events,
            ended_at is not null as ended, next_ask_at is null as left_alone
       from tracked_parcel order by account, tracking_number`,
  );
  const notices = await database.query(
    `select p.tracking_number, n.kind, n.status from tracking_outbox n join tracked_parcel p on p.id = n.parcel_id
      where n.kind <> 'kept-status' order by p.tracking_number, n.kind, n.status`,
  );
  return { parcels, notices };
}
