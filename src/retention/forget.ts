import { addToJournal } from '../consignment/ledger/consignment-rows.js';
import type { ConsignmentRow } from '../consignment/ledger/row.js';
import { NotPossible } from '../consignment/machine/operator.js';
import { fromStoredState } from '../consignment/states.js';
import { holdUntilCommit } from '../db/advisory-locks.js';
import type { Sql } from '../db/database.js';
import { anonymiseRows, dropLabelsOf } from './anonymise-rows.js';
import { AT_REST, PARCELS_ENDED } from './at-rest.js';
import type { KeptDays } from './kept.js';
import type { RetentionContext } from './retention.js';

/** What a booking has sent is written within seconds after its end. */
const SETTLES_MS = 60_000;

/** No consignment has this number or id. */
export class UnknownShipment extends Error {
  override readonly name = 'UnknownShipment';
}

export interface ForgetRequest {
  /** A shipment's number or id, or a consignment's id. */
  readonly shipment: string;
  /** `null`: the shipment is in one area only. */
  readonly area: string | null;
  /** The operator's name. */
  readonly by: string;
}

/** What was removed, and what stays. */
export interface Forgotten {
  readonly shipmentNumber: string | null;
  readonly area: string;
  readonly consignments: readonly { readonly id: string; readonly state: string }[];
  /** Counts by kind. */
  readonly removed: Readonly<Record<string, number>>;
  readonly kept: readonly { readonly what: string; readonly why: string }[];
}

export type Forget = (request: ForgetRequest) => Promise<Forgotten>;

/**
 * Removes what names the recipient of a shipment, in one transaction; safe to repeat.
 * @throws UnknownShipment
 * @throws NotPossible several shipments have the number, or a booking is not at rest
 */
export function forgetting({ database, clock, days }: Pick<RetentionContext, 'database' | 'clock' | 'days'>): Forget {
  return (request) =>
    database.transaction(async (sql) => {
      const now = clock.now();
      const rows = await lockedRows(sql, request, new Date(now.getTime() - SETTLES_MS));
      const [first] = rows;
      if (first === undefined) throw new UnknownShipment(`no consignment of shipment ${request.shipment}`);
      requireOneShipment(rows);
      requireAtRest(rows);
      const ids = rows.map(({ id }) => id);
      const removed = {
        ...(await anonymiseRows(sql, rows, now)),
        labels: await dropLabelsOf(sql, ids),
        events: await emptyBodiesOf(sql, rows),
        callbacks: await dropCallbacksOf(sql, ids),
      };
      for (const id of ids)
        await addToJournal(sql, { id, what: 'forgotten', now, fields: { by: request.by, removed } });
      return {
        shipmentNumber: first.shipment_number,
        area: first.area,
        consignments: rows.map(({ id, state }) => ({ id, state: fromStoredState(state) })),
        removed,
        kept: [...(rows.every(({ parcels_ended: isEnd }) => isEnd) ? [] : [stillToCome(days)]), ...keptOf(days)],
      };
    });
}

type Locked = ConsignmentRow & { readonly at_rest: boolean; readonly parcels_ended: boolean };

/** Every consignment of the shipment, so that none of them keeps the address; tracking is locked as for `rowsToAnonymise`. */
async function lockedRows(sql: Sql, { shipment, area }: ForgetRequest, endedBefore: Date): Promise<readonly Locked[]> {
  await holdUntilCommit(sql, 'tracking');
  return sql.query<Locked>(
    `with named as (
       select area, shipment_id, id from consignment
        where ($2::text is null or area = $2) and (shipment_number = $1 or shipment_id = $1 or id = $1))
     select c.*, ${AT_REST} and c.updated_at < $3 as at_rest, ${PARCELS_ENDED} as parcels_ended from consignment c
      where exists (select from named n
                     where n.id = c.id or (n.area = c.area and n.shipment_id = c.shipment_id))
      order by c.created_at, c.id for update of c`,
    [shipment, area, endedBefore],
  );
}

/** The number of one shipment may be the id of another. */
function requireOneShipment(rows: readonly Locked[]): void {
  const areas = [...new Set(rows.map(({ area }) => area))];
  if (areas.length > 1) throw new NotPossible(`areas ${areas.join(' and ')} have such a shipment: name one with area`);
  const shipments = new Map(rows.map((row) => [row.shipment_id ?? row.id, row]));
  if (shipments.size === 1) return;
  const list = [...shipments.values()].map(({ id, shipment_number: number }) => `${id} (shipment ${number ?? '-'})`);
  throw new NotPossible(
    `several shipments have this number or id. Nothing was removed: name the consignment, ${list.join(' or ')}`,
  );
}

function requireAtRest(rows: readonly Locked[]): void {
  const moving = rows.filter(({ at_rest: isAtRest }) => !isAtRest);
  if (moving.length === 0) return;
  const list = moving.map(({ id, state }) => `${id} (${fromStoredState(state)})`).join(', ');
  throw new NotPossible(
    `booking ${list} is not at rest: it is being worked on, ended less than a minute ago, needs a person, or its manifest is not ` +
      'closed. Nothing was removed: settle it, then forget again',
  );
}

/** Bodies of events of the shipment and its documents; that they came stays known. */
async function emptyBodiesOf(sql: Sql, rows: readonly Locked[]): Promise<number> {
  const [{ area, shipment_id: shipmentId } = { area: '', shipment_id: null }] = rows;
  const documents = rows.flatMap(({ document_id: id }) => id ?? []);
  const emptied = await sql.query(
    `update event set body = ''
      where area = $1 and (shipment_id = $2 or document_id = any($3::text[])) and body <> '' returning event_id`,
    [area, shipmentId, documents],
  );
  return emptied.length;
}

/** Callbacks about its parcels that were applied; what they said is in the parcels' events. */
async function dropCallbacksOf(sql: Sql, ids: readonly string[]): Promise<number> {
  const dropped = await sql.query(
    `delete from callback b using tracked_parcel p
      where p.consignment_id = any($1::text[]) and b.account = p.account and b.state = 'applied'
        and b.received_at >= p.registered_at and p.tracking_number = any(b.tracking_numbers)
     returning b.id`,
    [ids],
  );
  return dropped.length;
}

function stillToCome({ addresses }: KeptDays): Forgotten['kept'][number] {
  return {
    what: 'what the carrier says from now on: a parcel is on its way, or a message about one is not sent yet',
    why:
      `it may name who took the parcel; removed when the parcels have ended, ${addresses} days after the booking at the ` +
      'earliest, or when you forget again',
  };
}

function keptOf({ history, audit }: KeptDays): Forgotten['kept'] {
  return [
    {
      what: 'numbers of the shipment, documents, containers and parcels, references, times and states',
      why: `no parcel may be booked twice, and claims on a carrier need them; deleted ${history} days after the end`,
    },
    { what: 'manifests', why: `they name the sender, the numbers and no recipient; deleted after ${history} days` },
    { what: 'the audit log', why: `it says who asked for this; deleted after ${audit} days` },
    {
      what: 'what the IMS, the carrier, the printer and those who get webhooks have',
      why: 'Waybridge cannot delete it there: ask each of them',
    },
    { what: 'backups, and free space in the files of the database', why: 'overwritten in time; docs/retention.md' },
  ];
}
