import type { Request, Response } from 'express';
import type { Audit } from '../../access/audit.js';
import { auditedAction } from '../../http/audited-action.js';
import { csvLine, sendCsv } from '../../http/csv.js';
import { forRole, operatorIn } from '../../http/operator-access.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import { townOf } from '../needs-a-person/list-view.js';
import type { AskedList } from './list-query.js';
import { type ListedConsignment, carrierOf, shipmentOf } from './view.js';

/** Read at once: a booking never waits for more. */
const ROWS_AT_ONCE = 100;
const MAX_ROWS = 10_000;
const TOO_MANY = `There are more than these ${MAX_ROWS} rows: export a shorter time, or one carrier after the other.`;

/** Where the recipient lives is the town, as in the list; no name. */
const COLUMNS: readonly (readonly [name: string, value: (row: ListedConsignment) => string | Date | null])[] = [
  ['id', ({ id }) => id],
  ['began', ({ createdAt }) => createdAt],
  ['area', ({ area }) => area],
  ['state', ({ state }) => state],
  ['shipment', shipmentOf],
  ['document', ({ documentId }) => documentId],
  ['carrier', carrierOf],
  ['account', ({ account }) => account],
  ['to', ({ to }) => townOf(to ?? null)],
  ['parcels', ({ parcels }) => String(parcels.length)],
  ['trackingNumbers', ({ parcels }) => parcels.map(({ trackingNumber }) => trackingNumber).join(' ')],
  ['reference', ({ reference }) => reference],
  ['carrierNumber', ({ carrierNumber }) => carrierNumber],
  ['timeToLabelMs', ({ timeToLabelMs }) => (timeToLabelMs === null ? null : String(timeToLabelMs))],
  ['reason', ({ reason }) => reason ?? null],
];

interface Exported {
  readonly queries: OperatorQueries;
  readonly audit: Audit;
  readonly asked: AskedList;
}

/** Sends what the list shows, on all its pages, as CSV; the audit log says who took how many rows. */
export async function exportList(
  request: Request,
  response: Response,
  { queries, audit, asked }: Exported,
): Promise<void> {
  const entry = await audit.begin({ operator: operatorIn(response).name, ...auditedAction(request) });
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    let heading = csvLine(COLUMNS.map(([name]) => name));
    for await (const { read, isCut } of pagesOf(queries, asked, response)) {
      rows += read.length;
      yield heading + read.map(lineOf).join('') + (isCut ? csvLine([TOO_MANY]) : '');
      heading = '';
    }
    await audit.end(entry, { result: 'done', status: 200, detail: `${rows} rows` });
  }
  const failed = () => audit.end(entry, { result: 'failed', status: 500, detail: `after ${rows} rows` });
  try {
    if (!(await sendCsv(response, 'consignments.csv', lines()))) await failed();
  } catch (error) {
    await failed();
    throw error;
  }
}

interface Page {
  readonly read: readonly ListedConsignment[];
  /** The list ends with this page, although there are more rows. */
  readonly isCut: boolean;
}

/** Reads the list page by page, from the first. */
async function* pagesOf(
  queries: OperatorQueries,
  { filter, sort }: AskedList,
  response: Response,
): AsyncGenerator<Page> {
  let [cursor, left]: [string | null, number] = [null, MAX_ROWS];
  do {
    const page = { sort, cursor, limit: Math.min(left, ROWS_AT_ONCE), language: 'en' } as const;
    const { consignments, cursor: next } = await queries.list({ filter, ...page });
    const value = consignments as readonly ListedConsignment[];
    [cursor, left] = [next, left - value.length];
    const read = await forRole(response, { value, ids: value.map(({ id }) => id) }, queries.withoutNames);
    yield { read, isCut: cursor !== null && left <= 0 };
  } while (cursor !== null && left > 0);
}

function lineOf(row: ListedConsignment): string {
  return csvLine(COLUMNS.map(([, value]) => value(row)));
}
