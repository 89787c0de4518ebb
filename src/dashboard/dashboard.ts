import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { OpenId } from '../access/openid.js';
import type { Sessions } from '../access/sessions.js';
import { auditedAction } from '../http/audited-action.js';
import { overviewForRole } from '../http/api/overview.js';
import { type OperatorAccess, auditActions } from '../http/operator-access.js';
import type { OperatorActions } from '../operator/actions.js';
import type { RunBulk } from '../operator/bulk/bulk.js';
import type { LoadOpenBookings } from '../operator/needs-a-person/bookings.js';
import type { CountNeedsPerson } from '../operator/needs-a-person/count.js';
import type { OperatorQueries } from '../operator/operator-queries.js';
import type { FieldNames } from '../operator/requests/field-names.js';
import type { ReadRules } from '../operator/rule-use.js';
import type { TryShipment } from '../operator/try-shipment.js';
import type { ReadOverview } from '../operator/overview/overview.js';
import { auditPage } from './audit-page.js';
import { areaChoiceOf, hrefOf } from './area-choice.js';
import { assetRoutes } from './assets.js';
import { consignmentPages } from './consignments/consignment-pages.js';
import { type Cookies, createCookies } from './cookies.js';
import { type CarrierSide, carrierPages } from './carriers/carrier-pages.js';
import { count as countText, timesIn } from './format.js';
import { needsAPersonPages } from './needs-a-person/needs-a-person-pages.js';
import { inboxPages } from './inbox/inbox-pages.js';
import { type Inbox, sendMissing } from './inbox/inbox-page-deps.js';
import { type ShownArea, timeZoneOf } from './page-deps.js';
import { createRenderer } from './render.js';
import { rulePages } from './rules/rule-pages.js';
import { type GateDeps, frameOf, requireFormToken, requireSession, sessionIn } from './session-gate.js';
import { ownPathIn } from './sign-in/place.js';
import { signInRoutes } from './sign-in/sign-in.js';
import { GOOD } from './shapes.js';
import { todayOf } from './today/today.js';
import { freeText } from '../http/openapi/parameters.js';
import { readable } from './readable-address.js';

const MAX_BODY_BYTES = 100_000;
const MAX_FIELDS = 2_000;
/** The side bar; each group is set apart from the one before. */
const ENTRIES = [
  { page: 'today', href: '/', name: 'Today', group: 1 },
  { page: 'needs-a-person', href: '/needs-a-person', name: 'Needs a person', group: 1 },
  { page: 'consignments', href: '/consignments', name: 'Consignments', group: 1 },
  { page: 'parcels', href: '/parcels', name: 'Parcels', group: 1 },
  { page: 'manifests', href: '/manifests', name: 'Manifests', group: 1 },
  { page: 'carriers', href: '/carriers', name: 'Carriers', group: 2 },
  { page: 'rules', href: '/rules', name: 'Rules', group: 2 },
  { page: 'events', href: '/inbox', name: 'Events', group: 2 },
  { page: 'dead-letters', href: '/dead-letters', name: 'Dead letters', group: 2 },
  { page: 'audit', href: '/audit', name: 'Audit log', group: 3 },
];
const THEMES = ['light', 'dark', 'system'];

export interface DashboardDeps {
  readonly access: OperatorAccess;
  readonly sessions: Sessions;
  /** `null`: operators sign in with tokens only. */
  readonly openId: OpenId | null;
  readonly overview: ReadOverview;
  readonly actions: OperatorActions;
  readonly queries: OperatorQueries;
  readonly bulk: RunBulk;
  readonly openBookings: LoadOpenBookings;
  readonly countNeedsPerson: CountNeedsPerson;
  readonly carriers: CarrierSide;
  readonly rules: ReadRules;
  readonly tryShipment: TryShipment;
  readonly fieldNames: FieldNames;
  readonly inbox: Inbox;
  readonly areas: readonly ShownArea[];
  readonly publicUrl: string;
  readonly clock: Clock;
}

/**
 * The pages for operators, with a session of their own: nothing but the sign-in page and `/assets` without one.
 * @param budget memory for bodies
 */
export function dashboardRoutes(deps: DashboardDeps, budget: RequestHandler): Router {
  const { access, sessions, openId, publicUrl } = deps;
  const cookies = createCookies(publicUrl);
  const renderer = createRenderer();
  const gate: GateDeps = { sessions, audit: access.audit, cookies };
  const router = express.Router();
  router.use('/assets', assetRoutes());
  router.use(signInRoutes({ ...gate, access, renderer, host: new URL(publicUrl).host, budget, openId }));
  const signedIn = withCount(deps, requireSession(gate));
  const body = express.urlencoded({ extended: false, limit: MAX_BODY_BYTES, parameterLimit: MAX_FIELDS });
  const form = [budget, body, requireFormToken(access.audit)];
  router.use(personalRoutes({ access, sessions, cookies, signedIn, form }));
  const pageOf = (request: Request, response: Response) => ({
    frame: frameOf(request, response, cookies),
    entries: ENTRIES.map((entry) => ({ ...entry, href: hrefOf(entry.href, deps.areas, request) })),
    areaChoice: areaChoiceOf(deps.areas, request),
    clock: clockOf(deps, request),
    needsPerson: response.locals['needsPerson'] as string | null,
  });
  const today = async (request: Request, response: Response) => {
    const reading = { read: deps.overview, withoutNames: deps.queries.withoutNames };
    const overview = await overviewForRole(response, reading, { area: areaIn(deps, request), language: 'en' });
    const history = await deps.carriers.history('2-hours');
    const shown = todayOf(overview, history, timesIn(timeZoneOf(deps, overview.area), overview.at));
    const { area } = overview;
    return { ...pageOf(request, response), page: 'today', today: shown, area, good: GOOD.shape };
  };
  const takes = { area: freeText('Only this area') };
  const ofArea = readable({ renderer, pageOf }, { page: 'today', title: 'Today', home: '/', takes });
  router.get('/', signedIn, ofArea, async (request, response) => {
    const data = await today(request, response);
    renderer.send(response, request.get('hx-request') === 'true' ? 'today-refresh' : 'today', data);
  });
  const acting = [...form, auditActions(access.audit)];
  const shown = { ...deps, audit: access.audit, renderer, pageOf, signedIn };
  router.use(consignmentPages({ ...shown, acting }));
  router.use(needsAPersonPages({ ...shown, bookings: deps.openBookings, budget }));
  router.use(carrierPages({ ...shown, form }));
  router.use(rulePages(shown));
  router.use(...inboxPages({ ...shown, ...deps.inbox, acting }));
  router.use(auditPage(shown));
  router.use(nothingHere(signedIn, (request, response) => sendMissing(shown, request, response)));
  return router;
}

/** A browser that asks for a page gets one, also where there is none; programs get what the API answers. */
function nothingHere(signedIn: RequestHandler, send: (request: Request, response: Response) => void): RequestHandler {
  return (request, response, next) => {
    const isProgram = request.path.startsWith('/api/') || request.accepts(['json', 'html']) !== 'html';
    if (request.method !== 'GET' || isProgram) return next();
    return signedIn(request, response, (error?: unknown) =>
      error === undefined ? send(request, response) : next(error),
    );
  };
}

interface PersonalDeps extends Pick<DashboardDeps, 'access' | 'sessions'> {
  readonly cookies: Cookies;
  readonly signedIn: RequestHandler;
  /** Before each form. */
  readonly form: readonly RequestHandler[];
}

/** What an operator changes about the own session. */
function personalRoutes({ access: { audit }, sessions, cookies, signedIn, form }: PersonalDeps): Router {
  const router = express.Router();
  router.post('/sign-out', signedIn, ...form, async (request, response) => {
    const { operator, id } = sessionIn(response);
    const entry = await audit.begin({ operator: operator.name, ...auditedAction(request) });
    await sessions.end(id);
    await audit.end(entry, { result: 'done', status: 303 });
    cookies.clear(response, 'session');
    response.redirect(303, '/sign-in?ended=out');
  });
  router.post('/theme', signedIn, ...form, (request, response) => {
    const given = request.body as Readonly<Record<string, unknown>>;
    const theme = String(given['theme']);
    if (theme === 'system') cookies.clear(response, 'theme');
    else if (THEMES.includes(theme)) cookies.set(response, 'theme', theme);
    response.redirect(303, ownPathIn(String(given['back'] ?? '')));
  });
  return router;
}

/** The time of the page, which scripts keep running; in the time zone of the area. */
function clockOf(deps: DashboardDeps, request: Request) {
  const now = deps.clock.now();
  const timeZone = timeZoneOf(deps, areaIn(deps, request));
  return { at: now.toISOString(), words: timesIn(timeZone, now).moment(now), timeZone };
}

/** An area that is not configured counts as none: a link may be older than the configuration. */
function areaIn({ areas }: DashboardDeps, { query }: Request): string | null {
  return areas.find(({ contextId }) => contextId === query['area'])?.contextId ?? null;
}

/** Accepts the requests that `session` accepts, with the number beside "Needs a person". */
function withCount(deps: DashboardDeps, session: RequestHandler): RequestHandler {
  const count = async (request: Request, response: Response) => {
    const number = await deps.countNeedsPerson(areaIn(deps, request));
    response.locals['needsPerson'] = number === 0 ? null : countText(number);
  };
  return (request, response, next) =>
    session(request, response, (error?: unknown) =>
      error === undefined ? count(request, response).then(() => next(), next) : next(error),
    );
}
