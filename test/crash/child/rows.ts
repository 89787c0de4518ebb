import type { Sql } from '../../../src/db/database.js';
import type { ConsignmentView, LabelView, PartView, Rows } from './protocol.js';

interface ConsignmentRow {
  readonly id: string;
  readonly document_id: string | null;
  readonly shipment_id: string | null;
  readonly event_id: string;
  readonly state: string;
  readonly run: number;
  readonly carrier: string | null;
  readonly waits_for_person: boolean;
  readonly due_at: Date | null;
  readonly lease_owner: string | null;
  readonly lease_until: Date | null;
  readonly parts: readonly PartRow[];
  readonly effects: readonly { readonly key: string; readonly state: string }[];
}

interface PartRow {
  readonly n: number;
  readonly state: string;
  readonly request: { readonly reference: string; readonly parcels: readonly { readonly id: string }[] };
  readonly booking: { readonly parcels: readonly { readonly kind: string; readonly trackingNumber?: string }[] } | null;
  readonly unmatched: readonly string[];
}

interface TaskRow {
  readonly id: string;
  readonly due_at: Date | null;
  readonly lease_owner: string | null;
  readonly lease_until: Date | null;
}

/** Reads what the checks need, past all watchers. */
export async function readRows(
  sql: Sql,
  { owners, now }: { readonly owners: ReadonlySet<string>; readonly now: Date },
): Promise<Rows> {
  const events = await sql.query<{ id: string; outcome: string }>('select event_id as id, outcome from event');
  const consignments = await sql.query<ConsignmentRow>(
    `select id, document_id, shipment_id, event_id, state, run, carrier, waits_for_person, due_at, lease_owner, lease_until, parts,
            effects from consignment`,
  );
  const tasks = await sql.query<TaskRow>('select id, due_at, lease_owner, lease_until from task');
  const labels = await sql.query<LabelView>(
    `select consignment_id as consignment, n, sha256 as told, encode(sha256(bytes), 'hex') as real from label`,
  );
  return {
    events,
    consignments: consignments.map((row) => toView(row, owners)),
    tasks: tasks.map((row) => ({
      id: row.id,
      dueAt: row.due_at?.getTime() ?? null,
      leaseUntil: row.lease_until?.getTime() ?? null,
      own: owners.has(row.lease_owner ?? ''),
    })),
    labels,
    nowMs: now.getTime(),
  };
}

function toView(row: ConsignmentRow, owners: ReadonlySet<string>): ConsignmentView {
  return {
    id: row.id,
    documentId: row.document_id,
    shipmentId: row.shipment_id,
    eventId: row.event_id,
    state: row.state,
    run: row.run,
    carrier: row.carrier,
    needsOperator: row.waits_for_person,
    dueAt: row.due_at?.getTime() ?? null,
    leaseUntil: row.lease_until?.getTime() ?? null,
    own: owners.has(row.lease_owner ?? ''),
    parts: row.parts.map(toPartView),
    effects: row.effects.map(({ key, state }) => ({ key, state })),
  };
}

function toPartView({ n, state, request, booking, unmatched }: PartRow): PartView {
  const given = (booking?.parcels ?? []).flatMap(({ kind, trackingNumber }) =>
    kind === 'booked' && trackingNumber !== undefined ? [trackingNumber] : [],
  );
  const containers = request.parcels.map((parcel) => parcel.id);
  return { n, state, reference: request.reference, containers, trackingNumbers: [...given, ...unmatched] };
}
