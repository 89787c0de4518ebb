import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { NotPossible, NumbersNotPossible } from '../../consignment/machine/operator.js';
import type { Audit } from '../../access/audit.js';
import { CONSIGNMENT_STATES, isIncomplete, traitsOf } from '../../consignment/states.js';
import { BadRequest } from '../../http/bad-request.js';
import { forRole, operatorIn, requireNames } from '../../http/operator-access.js';
import type { OperatorActions } from '../../operator/actions.js';
import { UnknownConsignment } from '../../operator/known-consignment.js';
import type { Hindrances } from '../../operator/hindrances.js';
import type { LoadOpenBookings, Unconfirmed } from '../../operator/needs-a-person/bookings.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import { ACTIONS, type Action, confirmationOf, reprintIn, resolutionIn } from './actions.js';
import type { CarrierSide } from '../carriers/carrier-pages.js';
import { type ListedConsignment, type WholeConsignment, carrierOf, rowOf, shipmentOf, wholeOf } from './view.js';
import {
  type AskedList,
  type CountedView,
  listAddress,
  askedIn,
  chipsOf,
  countedViews,
  viewsOf,
} from './list-query.js';
import { exportList } from './export.js';
import { addressWith } from '../inbox/list-address.js';
import { type PageDeps, timeZoneOf, timesOf } from '../page-deps.js';
import { type RequestChoice, choiceIn, requestPages, requestsShown } from '../requests/request-pages.js';

const ROWS = 50;
const CSV = '/consignments.csv';
const ID = /^[\w-]{1,100}$/;
const LANGUAGE = 'en';
const LABEL_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
};

export interface ConsignmentPagesDeps extends PageDeps {
  readonly actions: OperatorActions;
  readonly audit: Audit;
  readonly queries: OperatorQueries;
  readonly carriers: Pick<CarrierSide, 'abilities'>;
  readonly openBookings: LoadOpenBookings;
  /** Before each action. */
  readonly acting: readonly RequestHandler[];
}

/** The list, one consignment, its labels, and what an operator does with it. */
export function consignmentPages(deps: ConsignmentPagesDeps): Router {
  const router = express.Router();
  const { signedIn } = deps;
  router.get('/consignments', signedIn, (request, response) => showList(deps, request, response));
  router.get(CSV, signedIn, async (request, response) => {
    const asked = askedIn(request, (area) => timeZoneOf(deps, area));
    if (asked.problem !== null) return showList(deps, request, response);
    await exportList(request, response, { ...deps, asked });
  });
  router.get('/consignments/:id', signedIn, async (request, response) => {
    await showOne(deps, { request, response, id: idOf(request) });
  });
  router.get('/consignments/:id/labels/:n', signedIn, requireNames, async (request, response) => {
    const { bytes, fileName, type } = await deps.actions.labelToSee(idOf(request), Number(request.params['n']));
    const disposition = `inline; filename="${fileName}"`;
    response.type(type).set({ ...LABEL_HEADERS, 'content-disposition': disposition });
    response.send(Buffer.from(bytes));
  });
  router.get('/consignments/:id/labels/:n/pages/:page.png', signedIn, requireNames, async (request, response) => {
    const { n, page } = request.params;
    const png = await deps.actions.labelPage(idOf(request), Number(n), Number(page));
    response.type('png').set(LABEL_HEADERS).send(Buffer.from(png));
  });
  router.use(
    requestPages({
      ...{ signedIn, acting: deps.acting, idOf },
      show: (request, response, choice) => showOne(deps, { request, response, id: idOf(request), choice }),
    }),
  );
  for (const action of ACTIONS) {
    router.get(`/consignments/:id/${action}`, signedIn, async (request, response) => {
      await showOne(deps, { request, response, id: idOf(request), action });
    });
    router.post(`/consignments/:id/${action}`, signedIn, ...deps.acting, (request, response) =>
      act(deps, { request, response, id: idOf(request), action }),
    );
  }
  router.use('/consignments/:id/labels', ((error, request, response, next) => {
    if (!(error instanceof NotPossible)) return next(error);
    response.status(409);
    return showOne(deps, { request, response, id: idOf(request), refusal: error.message });
  }) satisfies express.ErrorRequestHandler);
  router.use(((error, request, response, next) => {
    if (!(error instanceof UnknownConsignment)) return next(error);
    response.status(404);
    deps.renderer.send(response, 'not-found', { ...deps.pageOf(request, response), page: 'consignments' });
  }) satisfies express.ErrorRequestHandler);
  return router;
}

async function showList(deps: ConsignmentPagesDeps, request: Request, response: Response): Promise<void> {
  const asked = askedIn(request, (area) => timeZoneOf(deps, area));
  const { filter, sort, cursor: place, problem } = asked;
  const { value, cursor } = await listed(deps, asked);
  const ids = value.map(({ id }) => id);
  const rows = await forRole(response, { value, ids }, deps.queries.withoutNames);
  const [only] = rows;
  if (filter.q !== null && place === null && only && rows.length === 1)
    return response.redirect(303, `/consignments/${only.id}`);
  const now = deps.clock.now();
  const times = timesOf(deps, filter.areas?.[0] ?? null);
  const other = sort === 'newest' ? 'oldest' : 'newest';
  if (problem !== null) response.status(400);
  deps.renderer.send(response, 'consignments', {
    ...deps.pageOf(request, response),
    ...{ styles: ['needs-a-person'], scripts: ['needs-a-person'], back: request.originalUrl },
    ...{ page: 'consignments', filter, q: filter.q, states: CONSIGNMENT_STATES, areas: deps.areas, problem, sort },
    carriers: deps.carriers.abilities.map(({ id }) => id),
    chips: chipsOf(filter, sort, (at) => `${times.whole(at)} ${times.city}`),
    views: await viewsIn(deps, asked),
    rows: rows.map((row) => rowOf(row, timesOf(deps, row.area), now)),
    isFirst: place === null,
    next: cursor === null ? null : listAddress(filter, { sort, cursor }),
    first: listAddress(filter, { sort }),
    csv: listAddress(filter, { sort, path: CSV }),
    otherWay: listAddress(filter, { sort: other }),
  });
}

/** All consignments are not counted: their number says nothing. */
async function viewsIn({ queries }: ConsignmentPagesDeps, { filter }: AskedList): Promise<readonly CountedView[]> {
  const [all, ...others] = viewsOf(filter);
  const counts = await queries.counts(others.map((view) => view.filter));
  return countedViews(all ? [all, ...others] : [], [null, ...counts]);
}

/** Nothing where the address cannot be read. */
async function listed({ queries }: ConsignmentPagesDeps, { filter, sort, cursor: place, problem }: AskedList) {
  if (problem !== null) return { value: [], cursor: null };
  const page = { sort, cursor: place, limit: ROWS, language: LANGUAGE } as const;
  const { consignments, cursor } = await queries.list({ filter, ...page });
  return { value: consignments as readonly ListedConsignment[], cursor };
}

interface Showing {
  readonly request: Request;
  readonly response: Response;
  readonly id: string;
  readonly action?: Action;
  /** The request that is shown; missing: as the address says. */
  readonly choice?: RequestChoice;
  /** Why an action was not possible. */
  readonly refusal?: string;
}

async function showOne(deps: ConsignmentPagesDeps, showing: Showing): Promise<void> {
  const { request, response, id, action, refusal = null, choice = choiceIn(request) } = showing;
  const value = (await deps.queries.one(id, LANGUAGE)) as WholeConsignment;
  const one = await forRole(response, { value, ids: [id] }, deps.queries.withoutNames);
  const unconfirmed = await unconfirmedOf(deps, one);
  const view = wholeOf(one, { times: timesOf(deps, one.area), now: deps.clock.now(), unconfirmed });
  const timeZone = timeZoneOf(deps, one.area);
  const done = ACTIONS.find((each) => each === request.query['done']) ?? null;
  const path = `/consignments/${id}`;
  const about = { shipment: shipmentOf(one), carrier: carrierOf(one), state: one.state };
  deps.renderer.send(response, request.get('hx-request') === 'true' ? 'refresh' : 'consignment', {
    ...deps.pageOf(request, response),
    ...{ page: 'consignments', part: 'consignment-live', id, view, refusal, done },
    ...{ styles: ['requests'], scripts: ['requests'], profiles: deps.actions.profiles },
    requests: await requestsShown(deps.queries, one, { choice, timeZone }),
    refresh:
      isStill({ ...showing, choice }) || view.isAtRest ? null : addressWith(path, { request: choice.request, done }),
    actions: offered(await deps.actions.hindrances(id), one),
    confirm: action === undefined ? null : { action, ...confirmationOf(action, about) },
  });
}

async function unconfirmedOf(
  { openBookings }: ConsignmentPagesDeps,
  { id, needsOperator }: WholeConsignment,
): Promise<readonly Unconfirmed[]> {
  const [booking] = needsOperator ? await openBookings([id], LANGUAGE) : [];
  return booking?.unconfirmed ?? [];
}

/** Tells whether the page keeps still: a question, or what is shown once, stays until the operator has decided. */
function isStill({ action, refusal, choice }: Showing): boolean {
  return action !== undefined || refusal !== undefined || (choice?.personalData ?? 'hidden') !== 'hidden';
}

/** The actions with what keeps one from being possible. Only what is in doubt, or lacks numbers, can be resolved. */
function offered(hindrances: Hindrances, { needsOperator, state }: WholeConsignment) {
  const isOpen = needsOperator || isIncomplete(traitsOf(state));
  return ACTIONS.filter((action) => action !== 'resolve' || isOpen).map((action) => ({
    action,
    notBecause: action === 'resolve' ? null : hindrances[action],
  }));
}

async function act(
  deps: ConsignmentPagesDeps,
  showing: Required<Pick<Showing, 'request' | 'response' | 'id' | 'action'>>,
) {
  const { request, response, id, action } = showing;
  const by = operatorIn(response).name;
  try {
    if (action === 'resolve') {
      const one = (await deps.queries.one(id, LANGUAGE)) as WholeConsignment;
      await deps.actions.resolve(id, resolutionIn(bodyOf(request), one), by);
    } else if (action === 'reprint') await deps.actions.reprint(id, by, reprintIn(bodyOf(request)));
    else await deps.actions[action](id, by);
    response.redirect(303, `/consignments/${id}?done=${action}`);
  } catch (error) {
    const status = statusOf(error);
    if (status === null || !(error instanceof Error)) throw error;
    response.status(status);
    await showOne(deps, { ...showing, refusal: error.message });
  }
}

/** The status of the page that says why an action was not possible; `null`: it is an error of ours. */
function statusOf(error: unknown): 400 | 409 | 422 | null {
  if (error instanceof BadRequest) return 400;
  if (error instanceof NotPossible) return 409;
  return error instanceof NumbersNotPossible ? 422 : null;
}

function bodyOf(request: Request): Readonly<Record<string, unknown>> {
  return (request.body ?? {}) as Readonly<Record<string, unknown>>;
}

/** @throws UnknownConsignment it cannot be an id of ours */
function idOf(request: Request): string {
  const id = String(request.params['id']);
  if (!ID.test(id)) throw new UnknownConsignment('not an id');
  return id;
}
