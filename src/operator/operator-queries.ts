import type { Database, Sql } from '../db/database.js';
import { findConsignment } from '../consignment/ledger/consignment-rows.js';
import { type ConsignmentRow, toConsignment } from '../consignment/ledger/row.js';
import {
  type Consignment,
  bookedParcels,
  cancelledParcels,
  chosenCarrier,
  lastCarriersNumber,
} from '../consignment/consignment.js';
import { RETURNS_FILE } from '../consignment/steps/returns-file.js';
import type { Language } from '../messages/keys.js';
import {
  type ConsignmentFilter,
  type ConsignmentPage,
  countConsignments,
  listConsignments,
} from './consignment-list.js';
import { destinationOf } from './destination.js';
import { type HistoryRow, lastAction } from './last-action.js';
import { unanswered } from '../consignment/machine/doubts.js';
import { notDone, printedOf } from './not-done.js';
import { cancelledIn, whyPartUnused } from './labels/parcel-labels.js';
import { type OperatorTexts, type TextsIn, messagesOfRun, reasonOf } from './reason.js';
import type { FieldNames } from './requests/field-names.js';
import { type RequestQueries, requestQueries } from './requests/request-queries.js';
import { type WithoutNames, withoutNamesIn } from './requests/viewer.js';
import { UnknownConsignment } from './known-consignment.js';

export interface ListRequest extends ConsignmentPage {
  readonly filter: ConsignmentFilter;
  readonly language: Language;
}

export interface OperatorQueries extends RequestQueries {
  /** Newest first, unless it is asked for otherwise. */
  list(request: ListRequest): Promise<{ readonly consignments: readonly object[]; readonly cursor: string | null }>;
  /** How many consignments each of these filters finds, as `countConsignments`. */
  counts(filters: readonly ConsignmentFilter[]): Promise<readonly number[]>;
  /** With its parts, effects, labels, history and requests. @throws UnknownConsignment */
  one(id: string, language: Language): Promise<object>;
  /** Why a person must not use the label of this consignment; `null`: a person may, or there is no such consignment. */
  whyLabelUnused(id: string): Promise<'cancelled' | 'to-be-cancelled' | null>;
  /** Removes names, for the role `view`. */
  readonly withoutNames: WithoutNames;
}

export function operatorQueries(database: Database, textsIn: TextsIn, names: FieldNames): OperatorQueries {
  const requests = requestQueries(database, names);
  return {
    ...requests,
    withoutNames: withoutNamesIn(database, names),
    list: async ({ filter, language, ...page }) => {
      const { rows, cursor } = await listConsignments(database, filter, page);
      const times = await timesToLabel(database, rows);
      const consignments = rows.map((row) => ({
        ...summary(toConsignment(row), row, textsIn(language)),
        timeToLabelMs: times.get(row.id) ?? null,
      }));
      return { consignments, cursor };
    },
    counts: (filters) => countConsignments(database, filters),
    whyLabelUnused: (id) => whyLabelUnused(database, id),
    one: async (id, language) => {
      const [row] = await database.query<ConsignmentRow>('select * from consignment where id = $1', [id]);
      if (!row) throw new UnknownConsignment(`no consignment ${id}`);
      const stored = await database.query<{ n: number; pages: number | null }>(
        `select n, sum(pages)::int as pages from label
          where consignment_id = $1 and not (n = 0 and k = $2) group by n order by n`,
        [id, RETURNS_FILE],
      );
      const times = await timesToLabel(database, [row]);
      const voided = await cancelledIn(database, toConsignment(row));
      const { cancelled } = voided;
      const labels = stored.filter(({ n }) => whyPartUnused(toConsignment(row), n, voided) === null);
      const history = await database.query<HistoryRow>(
        'select at, what, fields from journal where consignment_id = $1 order by id',
        [id],
      );
      return {
        ...summary(toConsignment(row), row, textsIn(language)),
        ...details(toConsignment(row)),
        lastAction: lastAction(toConsignment(row), history, textsIn(language)),
        timeToLabelMs: times.get(id) ?? null,
        labels: labels.map((label) => label.n),
        /** The pages of the first of `labels`; `null`: not counted, or the labels of cancelled parcels are left out. */
        labelPages: cancelled === 'some' ? null : (labels[0]?.pages ?? null),
        /** Whether all parcels of its label are cancelled: it must not be used. */
        labelIsVoid: cancelled === 'all',
        history,
        requests: await requests.requests(id),
      };
    },
  };
}

async function whyLabelUnused(database: Database, id: string): ReturnType<OperatorQueries['whyLabelUnused']> {
  const consignment = await findConsignment(database, id);
  if (consignment === null) return null;
  if ((await cancelledIn(database, consignment)).cancelled === 'all') return 'cancelled';
  return consignment.cancelRequest === null ? null : 'to-be-cancelled';
}

/** Milliseconds from the event that asked for a booking (or its last retry) to its first label. */
async function timesToLabel(sql: Sql, rows: readonly ConsignmentRow[]): Promise<ReadonlyMap<string, number>> {
  const found = await sql.query<{ id: string; ms: number }>(
    `select asked.id, extract(epoch from min(label.created_at) - asked.since)::float8 * 1000 as ms
       from unnest($1::text[], $2::timestamptz[]) as asked (id, since)
       join label on label.consignment_id = asked.id and label.created_at >= asked.since group by asked.id, asked.since`,
    [rows.map(({ id }) => id), rows.map(({ run_started_at: since }) => since)],
  );
  return new Map(found.map(({ id, ms }) => [id, Math.round(ms)]));
}

function summary(consignment: Consignment, row: ConsignmentRow, texts: OperatorTexts): object {
  const chosen = chosenCarrier(consignment);
  return {
    id: consignment.id,
    area: consignment.area,
    state: consignment.state,
    bookedOn: consignment.bookedOn,
    documentId: consignment.documentId,
    shipmentId: consignment.shipmentId,
    shipmentNumber: consignment.shipmentNumber,
    /** The chosen account, also of a refused booking for which a carrier was chosen. */
    account: chosen?.account ?? null,
    carrier: chosen?.carrierId ?? null,
    carrierName: chosen?.carrierName ?? nameInMessages(consignment) ?? consignment.eventCarrierName,
    /** Why it is in its state, or what it waits for; `null`: nothing went wrong. */
    reason: reasonOf(consignment, texts),
    to: destinationOf(consignment),
    reference: consignment.reference,
    carrierNumber: lastCarriersNumber(consignment),
    parcels: [
      ...bookedParcels(consignment).map((parcel) => parcelShown(parcel, 'booked')),
      ...cancelledParcels(consignment).map((parcel) => parcelShown(parcel, 'cancelled')),
    ],
    printed: printedOf(consignment),
    notDone: notDone(consignment),
    needsOperator: consignment.needsOperator,
    /** `needsOperator` under its first name. */
    waitsForPerson: consignment.needsOperator,
    /** What `resolve` asks about: each reference with its containers, and when it was sent. Empty unless an operator is needed. */
    unconfirmed: consignment.needsOperator ? unconfirmed(consignment) : [],
    dueAt: consignment.dueAt,
    handedOverAt: row.handed_over_at,
    handedOverBy: row.handed_over_by,
    createdAt: consignment.createdAt,
    updatedAt: row.updated_at,
  };
}

function unconfirmed(consignment: Consignment): readonly object[] {
  return unanswered(consignment).map(({ request, sentAt }) => ({
    reference: request.reference,
    containers: request.parcels.map(({ id }) => id),
    sentAt,
  }));
}

/** Rows from before the choice was kept beside them name their carrier in the messages only. */
function nameInMessages(consignment: Consignment): string | null {
  const named = messagesOfRun(consignment).flatMap(({ values }) => ('carrier' in values ? [values.carrier] : []));
  const last = named.at(-1) ?? '-';
  return last === '-' ? null : String(last);
}

/** Cancelled parcels are shown too, because people ask for their numbers. */
function parcelShown(
  { parcelId, trackingNumber, trackingUrl }: ReturnType<typeof bookedParcels>[number],
  state: 'booked' | 'cancelled',
): object {
  return { containerId: parcelId, trackingNumber, trackingUrl, state };
}

function details(consignment: Consignment): object {
  const { eventId, userId, deviceName } = consignment.addressee;
  return {
    event: { eventId, userId, deviceName },
    rule: consignment.plan?.rule ?? null,
    /** The printing profile that was chosen for it; `null`: labels are printed as they came. */
    printing: consignment.plan?.print ?? null,
    run: consignment.run,
    parts: consignment.parts.map(
      ({ n, state, attempt, sentAt, problems, unmatched, unusable = [], labels, request }) => ({
        n,
        state,
        attempt,
        sentAt,
        reference: request.reference,
        containers: request.parcels.map((parcel) => parcel.id),
        problems,
        unmatched,
        unusable,
        labels,
      }),
    ),
    writes: consignment.effects.map(({ key, call, state, note }) => ({ key, kind: call.kind, state, note })),
  };
}
