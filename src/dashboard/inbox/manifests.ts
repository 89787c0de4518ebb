import express, { type Request, type Response, type Router } from 'express';
import { HANDOVER, HANDOVERS } from '../../http/api/manifests.js';
import { notesForRole } from '../../http/operator-access.js';
import { addressWith, askedBy } from './list-address.js';
import { TABS, manifestAddress, manifestPage, manifestShown } from './manifest-view.js';
import { type InboxPagesDeps, ROWS, sendMissing } from './inbox-page-deps.js';
import { timesOf } from '../page-deps.js';
import { asPage, readable } from '../readable-address.js';

const PATH = '/manifests';
const TAKES = asPage(HANDOVERS);
const NAME = /^\P{Cc}{1,100}$/u;
const ROW = /^\d{1,18}$/;
const PDF_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
  'cache-control': 'private, no-store',
  'content-disposition': 'inline; filename="manifest.pdf"',
};

/** What left: the manifests with their state, one with its PDF, and retrying what failed. */
export function manifestPages(deps: InboxPagesDeps): Router {
  const router = express.Router();
  const { signedIn, acting } = deps;
  const list = readable(deps, { page: 'manifests', title: 'Manifests', home: PATH, takes: TAKES });
  router.get(PATH, signedIn, list, (request, response) => showList(deps, request, response));
  router.get(`${PATH}/:id`, signedIn, (request, response) => showOne(deps, { request, response }));
  router.get(`${PATH}/:id/pdf`, signedIn, (request, response) => sendPdf(deps, request, response));
  router.get(`${PATH}/:id/retry`, signedIn, (request, response) =>
    showOne(deps, { request, response, confirm: String(request.query['manifest']) }),
  );
  router.post(`${PATH}/:id/retry`, signedIn, ...acting, (request, response) => retry(deps, request, response));
  return router;
}

async function showList(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const { state, area, account, since, until, q, cursor: from } = askedBy(TAKES, request);
  const asked = { state, area, account, since, until, q, cursor: from, limit: ROWS };
  const { handovers, cursor } = await deps.handovers.list(asked);
  const given = { state, area, account, q };
  const address = (changes: Readonly<Record<string, string | null>>) => addressWith(PATH, { ...given, ...changes });
  const tabs = TABS.map((tab) => ({ ...tab, isChosen: tab.state === state, href: address({ state: tab.state }) }));
  deps.renderer.send(response, 'manifests', {
    ...deps.pageOf(request, response),
    ...{ page: 'manifests', tabs, given, areas: deps.areas, isFiltered: address({}) !== PATH },
    rows: notesForRole(response, handovers).map((one) => manifestShown(one, timesOf(deps, one.area))),
    ...{ isFirst: from === null, newest: address({}), older: cursor === null ? null : address({ cursor }) },
  });
}

interface Showing {
  readonly request: Request;
  readonly response: Response;
  /** The manifest that may be retried. */
  readonly confirm?: string;
  readonly refusal?: string;
}

async function showOne(deps: InboxPagesDeps, showing: Showing): Promise<void> {
  const { request, response, confirm = null, refusal = null } = showing;
  const documentId = idOf(request);
  const found = documentId === null ? null : await deps.handovers.overview({ documentId, area: null, account: null });
  if (found === null) return sendMissing(deps, request, response);
  deps.renderer.send(response, 'manifest', {
    ...deps.pageOf(request, response),
    ...{ page: 'manifests', document: found.documentId, address: manifestAddress(found.documentId), confirm, refusal },
    ...{
      isDone: request.query['done'] === 'retry',
      lists: manifestPage(notesForRole(response, found), (area) => timesOf(deps, area)),
    },
  });
}

async function sendPdf(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const documentId = idOf(request);
  const { area, account } = askedBy(HANDOVER, request);
  const pdf = documentId === null ? null : await deps.handovers.pdf({ documentId, area, account });
  if (pdf === null) return sendMissing(deps, request, response);
  response.type('application/pdf').set(PDF_HEADERS).send(Buffer.from(pdf));
}

async function retry(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const documentId = idOf(request);
  const row = String((request.body as Readonly<Record<string, unknown>>)['manifest']);
  if (documentId === null || !ROW.test(row)) return sendMissing(deps, request, response);
  if ((await deps.deadLetters.retry(`manifest-${row}`)) > 0)
    return response.redirect(303, `${manifestAddress(documentId)}?done=retry`);
  response.status(409);
  const refusal = 'No step of it stands failed: it was retried meanwhile, or Waybridge is at it now.';
  await showOne(deps, { request, response, refusal });
}

function idOf(request: Request): string | null {
  const id = String(request.params['id']);
  return NAME.test(id) ? id : null;
}
