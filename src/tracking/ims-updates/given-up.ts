import type { Sql } from '../../db/database.js';

/** A part of a list, newest first. */
export interface Page {
  /** The cursor of the page before; `null`: the first page. */
  readonly cursor: string | null;
  readonly limit: number;
}

interface GivenUpRow {
  readonly id: string | number;
  readonly kind: string;
  readonly status: string;
  readonly area: string;
  readonly note: string | null;
  readonly tries: number;
  readonly created_at: Date;
  readonly shipment_id: string | null;
  readonly account: string | null;
  readonly tracking_number: string | null;
  readonly shipment_number: string | null;
  readonly consignment_id: string | null;
}

/** `null`, here and below: all. */
export interface FailedRequest extends Page {
  readonly account: string | null;
  /** Only those that began at this time or later, … */
  readonly since: Date | null;
  /** … and before this one. */
  readonly until: Date | null;
  /** Updates: exactly the number of the parcel or the shipment. Callbacks: a part of the reason. */
  readonly q: string | null;
}

export interface GivenUpRequest extends FailedRequest {
  readonly area: string | null;
}

/** Updates to the IMS that were given up. */
export async function listGivenUp(
  sql: Sql,
  page: GivenUpRequest,
): Promise<{ readonly givenUp: readonly ReturnType<typeof givenUpView>[]; readonly cursor: string | null }> {
  const rows = await sql.query<GivenUpRow>(
    `select n.id, n.kind, n.status, n.area, n.note, n.tries, n.created_at, n.shipment_id, p.account, p.tracking_number,
            p.shipment_number, p.consignment_id
       from tracking_outbox n left join tracked_parcel p on p.id = n.parcel_id
      where n.state = 'given-up' and ($1::text is null or n.area = $1) and ($2::bigint is null or n.id < $2)
        and ($4::text is null or p.account = $4) and ($5::timestamptz is null or n.created_at >= $5)
        and ($6::timestamptz is null or n.created_at < $6)
        and ($7::text is null or $7 in (p.tracking_number, p.shipment_number, n.shipment_id))
      order by n.id desc limit $3`,
    [page.area, page.cursor, page.limit + 1, page.account, page.since, page.until, page.q],
  );
  const { shown, cursor } = cut(rows, page);
  return { givenUp: shown.map(givenUpView), cursor };
}

function givenUpView({ id, kind, status, area, note, tries, ...row }: GivenUpRow) {
  return {
    ...{ id: String(id), kind, status, area, note },
    // `tries` is the first name of `attempts`.
    ...{ attempts: tries, tries },
    createdAt: row.created_at,
    account: row.account,
    trackingNumber: row.tracking_number,
    shipmentId: row.shipment_id,
    shipmentNumber: row.shipment_number,
    consignmentId: row.consignment_id,
  };
}

interface FailedRow {
  readonly id: string | number;
  readonly account: string;
  readonly note: string | null;
  readonly received_at: Date;
}

/** Callbacks that could not be applied. */
export async function listFailed(
  sql: Sql,
  page: FailedRequest,
): Promise<{ readonly callbacks: readonly object[]; readonly cursor: string | null }> {
  const rows = await sql.query<FailedRow>(
    `select id, account, note, received_at from callback
      where state = 'failed' and ($1::bigint is null or id < $1) and ($3::text is null or account = $3)
        and ($4::timestamptz is null or received_at >= $4) and ($5::timestamptz is null or received_at < $5)
        and ($6::text is null or position(lower($6) in lower(note)) > 0)
      order by id desc limit $2`,
    [page.cursor, page.limit + 1, page.account, page.since, page.until, page.q],
  );
  const { shown, cursor } = cut(rows, page);
  const view = ({ id, account, note, received_at: receivedAt }: FailedRow) => ({
    ...{ id: String(id), account, note, receivedAt },
  });
  return { callbacks: shown.map(view), cursor };
}

/** @param rows one more than the page has, where there is one */
function cut<Row extends { readonly id: string | number }>(rows: readonly Row[], { limit }: Page) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { shown, cursor: rows.length > limit && last !== undefined ? String(last.id) : null };
}
