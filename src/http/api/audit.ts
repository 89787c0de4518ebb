import { once } from 'node:events';
import express, { type Request, type Response, type Router } from 'express';
import type { Audit } from '../../access/audit.js';
import type { AuditEntry, AuditFilter } from '../../access/audit-rows.js';
import { pageIn } from '../page.js';
import { sendProblem } from '../problem.js';

const UNREADABLE = 'The request cannot be read';
const NAME = /^\P{C}{1,60}$/u;
const TIME = /^(?!0000)\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
const KNOWN = ['operator', 'since', 'until', 'cursor', 'limit'];
const COLUMNS = ['id', 'at', 'operator', 'action', 'target', 'address', 'result', 'status', 'detail'] as const;
const ROWS_AT_ONCE = 500;

/** The audit log, below `/api/v1`: a list, and all of it as CSV. The caller checks the token. */
export function auditApi(audit: Audit): Router {
  const router = express.Router();
  router.get('/audit', async (request, response) => {
    const filter = filterIn(request);
    if (typeof filter === 'string') return sendProblem(response, 400, { title: UNREADABLE, detail: filter });
    response.json(await audit.list(filter));
  });
  router.get('/audit.csv', async (request, response) => {
    const filter = filterIn(request);
    if (typeof filter === 'string') return sendProblem(response, 400, { title: UNREADABLE, detail: filter });
    await sendCsv(audit, filter, response);
  });
  return router;
}

/** Reads and writes some rows at a time: the log may be longer than the memory. */
async function sendCsv(audit: Audit, filter: AuditFilter, response: Response): Promise<void> {
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
function csvField(value: string | number | Date | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @returns the filter, or an error text */
function filterIn({ query }: Request): AuditFilter | string {
  const unknown = Object.keys(query).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) return `"${unknown}" is not one of ${KNOWN.join(', ')}`;
  const page = pageIn(query);
  if (typeof page === 'string') return page;
  const { operator = null } = query;
  if (operator !== null && !(typeof operator === 'string' && NAME.test(operator)))
    return "operator is an operator's name";
  const since = timeIn(query['since']);
  const until = timeIn(query['until']);
  if (since === undefined || until === undefined) return 'since and until are times, e.g. 2026-03-04T12:00:00Z';
  return { operator, since, until, ...page };
}

/** @returns `null`: not given; `undefined`: not a time */
function timeIn(value: unknown): Date | null | undefined {
  if (value === undefined) return null;
  const time = typeof value === 'string' && TIME.test(value) ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? undefined : time;
}
