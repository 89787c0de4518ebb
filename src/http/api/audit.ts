import express, { type Response, type Router } from 'express';
import type { Audit } from '../../access/audit.js';
import type { AuditFilter } from '../../access/audit-rows.js';
import { csvLine, sendCsv } from '../csv.js';
import { limit, numberCursor, readQuery, freeText, time } from '../openapi/parameters.js';

/** The entries of the audit log. */
export const AUDIT = {
  operator: freeText('Only of the operator with this name'),
  since: time('Those from this time on'),
  until: time('Those from before this time'),
  cursor: numberCursor,
  limit,
};
const COLUMNS = ['id', 'at', 'operator', 'action', 'target', 'address', 'result', 'status', 'detail'] as const;
const ROWS_AT_ONCE = 500;

/** The audit log, below `/api/v1`: a list, and all of it as CSV. The caller checks the token. */
export function auditApi(audit: Audit): Router {
  const router = express.Router();
  router.get('/audit', async (request, response) => {
    response.json(await audit.list(readQuery(AUDIT, request.query)));
  });
  router.get('/audit.csv', async (request, response) => {
    await sendAudit(audit, readQuery(AUDIT, request.query), response);
  });
  return router;
}

/** All rows of the filter from its cursor on. */
export async function sendAudit(audit: Audit, filter: AuditFilter, response: Response): Promise<void> {
  await sendCsv(response, 'audit.csv', linesOf(audit, filter));
}

/** Some rows at a time: the log may be longer than the memory. */
async function* linesOf(audit: Audit, filter: AuditFilter): AsyncGenerator<string> {
  let heading = csvLine(COLUMNS);
  let { cursor } = filter;
  do {
    const page = await audit.list({ ...filter, cursor, limit: ROWS_AT_ONCE });
    yield heading + page.entries.map((entry) => csvLine(COLUMNS.map((column) => entry[column]))).join('');
    heading = '';
    cursor = page.cursor;
  } while (cursor !== null);
}
