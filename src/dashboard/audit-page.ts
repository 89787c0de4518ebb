import express, { type Request, type Router } from 'express';
import type { Audit } from '../access/audit.js';
import type { AuditEntry, AuditFilter, AuditResult } from '../access/audit-rows.js';
import { AUDIT, sendAudit } from '../http/api/audit.js';
import { addressWith, askedBy } from './inbox/list-address.js';
import { type PageDeps, timesOf } from './page-deps.js';
import { asPage, readable } from './readable-address.js';

const PATH = '/audit';
const TAKES = asPage(AUDIT);
const ROWS = 50;
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
  const list = readable(deps, { page: 'audit', title: 'Audit log', home: PATH, takes: TAKES });
  router.get(PATH, signedIn, list, async (request, response) => {
    const filter = filterOf(request);
    const { operator, since, until } = filter;
    const given = { operator, since: since?.toISOString(), until: until?.toISOString() };
    const { entries, cursor } = await audit.list(filter);
    const { time } = timesOf(deps);
    renderer.send(response, 'audit', {
      ...pageOf(request, response),
      ...{ page: 'audit', isFirst: filter.cursor === null, given, newest: addressWith(PATH, given) },
      older: cursor === null ? null : addressWith(PATH, { ...given, cursor }),
      csv: addressWith(`${PATH}.csv`, given),
      rows: entries.map((entry) => rowOf(entry, time(entry.at))),
    });
  });
  router.get(`${PATH}.csv`, signedIn, list, (request, response) => sendAudit(audit, filterOf(request), response));
  return router;
}

function filterOf(request: Request): AuditFilter {
  return { ...askedBy(TAKES, request), limit: ROWS };
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
