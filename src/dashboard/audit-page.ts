import express, { type Request, type Router } from 'express';
import type { Audit } from '../access/audit.js';
import type { AuditEntry, AuditFilter, AuditResult } from '../access/audit-rows.js';
import { sendCsv } from '../http/api/audit.js';
import { type PageDeps, timesOf } from './page-deps.js';

const ALL: AuditFilter = { operator: null, since: null, until: null, cursor: null, limit: 50 };
/** A number that fits into a `bigint`. */
const CURSOR = /^\d{1,18}$/;
const TONES: Readonly<Record<AuditResult, string>> = {
  begun: 'warn',
  done: 'second',
  refused: 'warn',
  failed: 'danger',
};

export interface AuditPageDeps extends PageDeps {
  readonly audit: Audit;
}

/** Who did what, newest first, and all of it as CSV. */
export function auditPage(deps: AuditPageDeps): Router {
  const { audit, renderer, signedIn, pageOf } = deps;
  const router = express.Router();
  router.get('/audit', signedIn, async (request, response) => {
    const filter = filterOf(request);
    const { entries, cursor } = await audit.list(filter);
    const { time } = timesOf(deps);
    renderer.send(response, 'audit', {
      ...pageOf(request, response),
      ...{ page: 'audit', isFirst: filter.cursor === null, older: cursor === null ? null : `/audit?cursor=${cursor}` },
      rows: entries.map((entry) => rowOf(entry, time(entry.at))),
    });
  });
  router.get('/audit.csv', signedIn, (request, response) => sendCsv(audit, filterOf(request), response));
  return router;
}

/** A cursor that cannot be read counts as not given. */
function filterOf({ query }: Request): AuditFilter {
  const { cursor } = query;
  return typeof cursor === 'string' && CURSOR.test(cursor) ? { ...ALL, cursor } : ALL;
}

function rowOf(entry: AuditEntry, time: string) {
  const consignment = /^consignments\/([\w-]{1,100})$/.exec(entry.target ?? '')?.[1];
  return {
    ...{ time, at: entry.at.toISOString(), action: entry.action, result: entry.result, tone: TONES[entry.result] },
    ...{ operator: entry.operator ?? 'not known', address: entry.address ?? '—', detail: entry.detail ?? '' },
    target: entry.target ?? '—',
    href: consignment === undefined ? null : `/consignments/${consignment}`,
  };
}
