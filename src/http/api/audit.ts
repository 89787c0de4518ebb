import { once } from 'node:events';
import express, { type Response, type Router } from 'express';
import type { Audit } from '../../access/audit.js';
import type { AuditEntry, AuditFilter } from '../../access/audit-rows.js';
import { limit, numberCursor, readQuery, text, time } from '../openapi/parameters.js';

/** The entries of the audit log. */
export const AUDIT = {
  operator: text('Only of the operator with this name'),
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
    await sendCsv(audit, readQuery(AUDIT, request.query), response);
  });
  return router;
}

/** All rows of the filter from its cursor on. Reads and writes some rows at a time: the log may be longer than the memory. */
export async function sendCsv(audit: Audit, filter: AuditFilter, response: Response): Promise<void> {
  let { cursor } = filter;
  let lines = `${COLUMNS.join(',')}\r\n`;
  do {
    const page = await audit.list({ ...filter, cursor, limit: ROWS_AT_ONCE });
    if (!response.headersSent) response.type('text/csv').set('content-disposition', 'attachment; filename="audit.csv"');
    const taken = response.write(lines + page.entries.map(csvLine).join(''));
    if (!taken) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    lines = '';
    cursor = page.cursor;
  } while (cursor !== null && !response.destroyed);
  response.end();
}

function csvLine(entry: AuditEntry): string {
  return `${COLUMNS.map((column) => csvField(entry[column])).join(',')}\r\n`;
}

/** RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvField(value: string | number | Date | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
