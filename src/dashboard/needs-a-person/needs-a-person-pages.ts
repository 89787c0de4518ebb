import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Audit } from '../../access/audit.js';
import { overviewForRole } from '../../http/api/overview.js';
import { auditActions, forRole, operatorIn, requireActor } from '../../http/operator-access.js';
import type { RunBulk } from '../../operator/bulk/bulk.js';
import type { LoadOpenBookings, OpenBooking } from '../../operator/needs-a-person/bookings.js';
import type { Cause } from '../../operator/overview/causes.js';
import type { Overview, ReadOverview } from '../../operator/overview/overview.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import { plural } from '../format.js';
import { freeText } from '../../http/openapi/parameters.js';
import { type PageDeps, timesOf } from '../page-deps.js';
import { readable } from '../readable-address.js';
import { GOOD } from '../shapes.js';
import { requireFormToken } from '../session-gate.js';
import { type Answers, type FormFields, answersIn, judgeAll, outdatedIn } from './answers.js';
import { fillIn, listToCheck } from './answers-table.js';
import { type BookingResult, areAtRest, becameRow, refusedIn, wrongIn } from './became.js';
import { type ChosenCause, causeAddress, chosenIn, decisionOf, groupsOf, originOf } from './causes.js';
import { formBody } from './form-body.js';
import { answerRows, retryRow } from './list-view.js';
import { PACES, paceIn, readyIn, reviewOfAnswers, reviewOfRetries } from './review.js';

/** The bookings of a cause that one page shows: their ids fit into an address. The others follow when these are settled. */
const MAX_SHOWN = 150;
const ID = /^[\w-]{1,100}$/;
const LANGUAGE = 'en';
const HOME = '/needs-a-person';
const TAKES = { area: freeText('Only this area'), cause: freeText('The cause that is chosen') };

export interface NeedsAPersonDeps extends PageDeps {
  readonly overview: ReadOverview;
  readonly queries: Pick<OperatorQueries, 'withoutNames'>;
  readonly bookings: LoadOpenBookings;
  readonly bulk: RunBulk;
  readonly audit: Audit;
  /** Memory for bodies. */
  readonly budget: RequestHandler;
}

/** What needs a person, cause by cause: looked up, answered or retried, reviewed, done. */
export function needsAPersonPages(deps: NeedsAPersonDeps): Router {
  const router = express.Router();
  const { signedIn, audit, budget } = deps;
  const form = [signedIn, budget, ...formBody, requireFormToken(audit)];
  const preparing = [...form, requireActor(audit)];
  const acting = [...form, auditActions(audit)];
  const list = readable(deps, { page: 'needs-a-person', title: 'Needs a person', home: HOME, takes: TAKES });
  router.get(HOME, signedIn, list, (request, response) => showCause(deps, request, response));
  router.get(`${HOME}/list.csv`, signedIn, list, (request, response) => sendList(deps, request, response));
  router.get(`${HOME}/became`, signedIn, async (request, response) => {
    await showBecame(deps, { request, response, ids: idsIn(String(request.query['ids'] ?? '').split(',')) });
  });
  router.post(`${HOME}/answers`, ...preparing, (request, response) => showFilled(deps, request, response));
  router.post(`${HOME}/review`, ...preparing, async (request, response) => {
    const fields = request.body as FormFields;
    await (fields['action'] === 'retry' ? reviewRetries : reviewAnswers)(deps, request, response);
  });
  router.post(`${HOME}/resolve`, ...acting, (request, response) => applyAnswers(deps, request, response));
  router.post(`${HOME}/retry`, ...acting, (request, response) => applyRetries(deps, request, response));
  return router;
}

interface Found extends ChosenCause {
  readonly overview: Overview;
  readonly bookings: readonly OpenBooking[];
}

/** The cause of the address or of the form, with its bookings. */
async function find(deps: NeedsAPersonDeps, given: FormFields, response: Response): Promise<Found> {
  const area = deps.areas.find(({ contextId }) => contextId === given['area'])?.contextId ?? null;
  const { withoutNames } = deps.queries;
  const reading = { read: deps.overview, withoutNames };
  const overview = await overviewForRole(response, reading, { area, language: LANGUAGE });
  const wanted = typeof given['cause'] === 'string' && given['cause'] !== '' ? given['cause'] : null;
  const chosen = chosenIn(overview, area, wanted);
  const ids = chosen.cause?.ids.slice(0, MAX_SHOWN) ?? [];
  const found = ids.length === 0 ? [] : await deps.bookings(ids, LANGUAGE);
  const bookings = await forRole(response, { value: found, ids }, withoutNames);
  return { ...chosen, overview, bookings: bookings.filter((each) => isStillOpen(each, chosen.cause)) };
}

/** The causes may be two seconds old. */
function isStillOpen({ needsOperator, state }: OpenBooking, cause: Cause | null): boolean {
  return cause?.kind === 'in-doubt' ? needsOperator : state === cause?.kind;
}

interface Told {
  readonly answers: Answers;
  readonly problems: readonly string[];
}

const NOTHING_TOLD: Told = { answers: new Map(), problems: [] };

async function showCause(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const found = await find(deps, request.query, response);
  const isRefresh = request.get('hx-request') === 'true';
  send(deps, {
    request,
    response,
    found,
    told: NOTHING_TOLD,
    page: isRefresh ? 'refresh' : 'needs-a-person',
  });
}

async function showFilled(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const fields = request.body as FormFields;
  const found = await find(deps, fields, response);
  const answers = answersIn(fields, found.bookings);
  const filled = fillIn(answers, fields['table'], found.bookings);
  const told = { ...filled, problems: [...outdatedIn(filled.answers, found.bookings), ...filled.problems] };
  send(deps, { request, response, found, told, page: 'needs-a-person' });
}

interface Sending {
  readonly request: Request;
  readonly response: Response;
  readonly found: Found;
  readonly told: Told;
  readonly page: string;
}

function send(deps: NeedsAPersonDeps, { request, response, found, told, page }: Sending): void {
  const { overview, cause, wanted, area } = found;
  const carrier = cause?.carrier ?? 'the carrier';
  deps.renderer.send(response, page, {
    ...deps.pageOf(request, response),
    ...{ page: 'needs-a-person', part: 'needs-a-person-causes', number: overview.needsPerson.count },
    ...{ groups: groupsOf(overview, found), good: GOOD.shape, cause, wanted, area, carrier, links: linksOf(found) },
    ...{ paces: PACES, pace: paceIn(null).value, problems: told.problems },
    ...(cause === null ? {} : decided(deps, cause, { ...found, told })),
  });
}

function linksOf({ area, wanted, cause }: Found) {
  const chosen = { area, cause: cause?.id ?? wanted };
  return {
    home: causeAddress(HOME, chosen),
    all: causeAddress(HOME, { area, cause: null }),
    list: causeAddress(`${HOME}/list.csv`, chosen),
  };
}

/** What a page shows of its cause. */
function decided(deps: NeedsAPersonDeps, cause: Cause, { area, bookings, told }: Found & { readonly told: Told }) {
  const decision = decisionOf(cause);
  const moment = { now: deps.clock.now(), times: timesOf(deps, cause.area ?? area) };
  return {
    decision,
    more: cause.ids.length > MAX_SHOWN ? MAX_SHOWN : null,
    answers: decision.kind === 'answer' ? answerRows(bookings, told.answers, moment) : [],
    retries: decision.kind === 'retry' ? bookings.map((booking) => retryRow(booking, moment.times)) : [],
  };
}

async function sendList(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const { bookings } = await find(deps, request.query, response);
  response.set({ 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="to-check.csv"' });
  response.type('text/csv').send(listToCheck(bookings));
}

/** The bookings of a form, whatever became of them meanwhile. */
async function ofForm(deps: NeedsAPersonDeps, fields: FormFields) {
  const given = fields['id'];
  const ids = idsIn(Array.isArray(given) ? given : [given]);
  const bookings = ids.length === 0 ? [] : await deps.bookings(ids, LANGUAGE);
  const area = deps.areas.find(({ contextId }) => contextId === fields['area'])?.contextId ?? null;
  const cause = typeof fields['cause'] === 'string' ? fields['cause'] : null;
  const times = timesOf(deps, bookings[0]?.area ?? area);
  const pace = paceIn(fields['pace']);
  return {
    ids,
    bookings,
    area,
    cause,
    times,
    pace,
    perSecond: Number(pace.value),
    back: originOf(fields['back'], { area, cause }),
  };
}

async function reviewAnswers(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const fields = request.body as FormFields;
  const about = await ofForm(deps, fields);
  const judged = judgedIn(deps, fields, about);
  const { perSecond } = about;
  const by = operatorIn(response).name;
  const tried = await deps.bulk({ what: answersOf(judged), perSecond, mode: 'tell', by });
  const carrier = about.bookings[0]?.carrier ?? 'the carrier';
  const ready = new Set(readyIn(judged, tried).map(({ booking }) => booking.id));
  const answers = answersIn(fields, about.bookings);
  const moment = { now: deps.clock.now(), times: about.times };
  deps.renderer.send(response, 'needs-a-person-review', {
    ...deps.pageOf(request, response),
    ...{
      page: 'needs-a-person',
      about,
      action: 'resolve',
      review: reviewOfAnswers(judged, tried, { perSecond, carrier }),
    },
    rows: answerRows(about.bookings, answers, moment).map((row) => ({ ...row, isReady: ready.has(row.id) })),
  });
}

async function reviewRetries(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const about = await ofForm(deps, request.body as FormFields);
  const { ids, bookings, times, perSecond } = about;
  const what = { action: 'retry', which: { kind: 'ids', ids } } as const;
  const tried = await deps.bulk({ what, perSecond, mode: 'tell', by: operatorIn(response).name });
  const taken = new Set(tried.filter(({ outcome }) => outcome === 'accepted').map(({ id }) => id));
  deps.renderer.send(response, 'needs-a-person-review', {
    ...deps.pageOf(request, response),
    ...{ page: 'needs-a-person', about, action: 'retry', review: reviewOfRetries(bookings, tried, perSecond) },
    rows: bookings.map((booking) => ({ ...retryRow(booking, times), isReady: taken.has(booking.id) })),
  });
}

type About = Awaited<ReturnType<typeof ofForm>>;

function judgedIn({ clock }: NeedsAPersonDeps, fields: FormFields, { bookings, times }: About) {
  return judgeAll(fields, bookings, { now: clock.now(), time: times.time });
}

function answersOf(judged: ReturnType<typeof judgedIn>) {
  const answered = judged.filter((each) => each.kind === 'answered');
  const answers = answered.map(({ booking, resolution }) => ({ id: booking.id, resolution }));
  return { action: 'resolve', answers } as const;
}

async function applyAnswers(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const fields = request.body as FormFields;
  const about = await ofForm(deps, fields);
  const judged = judgedIn(deps, fields, about);
  const by = operatorIn(response).name;
  const results = await deps.bulk({ what: answersOf(judged), perSecond: about.perSecond, mode: 'do', by });
  await showResults(deps, { request, response, about, results: [...results, ...wrongIn(judged)] });
}

async function applyRetries(deps: NeedsAPersonDeps, request: Request, response: Response): Promise<void> {
  const about = await ofForm(deps, request.body as FormFields);
  const what = { action: 'retry', which: { kind: 'ids', ids: about.ids } } as const;
  const results = await deps.bulk({ what, perSecond: about.perSecond, mode: 'do', by: operatorIn(response).name });
  await showResults(deps, { request, response, about, results });
}

interface Showing {
  readonly request: Request;
  readonly response: Response;
}

async function showResults(
  deps: NeedsAPersonDeps,
  { about, results, ...showing }: Showing & { about: About; results: readonly BookingResult[] },
): Promise<void> {
  const ids = results.filter(({ outcome }) => outcome === 'accepted').map(({ id }) => id);
  const done = {
    accepted: plural(ids.length, 'booking'),
    refused: refusedIn(results, await deps.bookings(about.ids, LANGUAGE), {
      now: deps.clock.now(),
      times: about.times,
    }),
    back: about.back,
  };
  await showBecame(deps, { ...showing, ids, done });
}

/** What became of some bookings: a page, and the part of it that refreshes itself. */
async function showBecame(
  deps: NeedsAPersonDeps,
  { request, response, ids, done = null }: Showing & { ids: readonly string[]; done?: object | null },
): Promise<void> {
  const value = ids.length === 0 ? [] : await deps.bookings(ids, LANGUAGE);
  const bookings = await forRole(response, { value, ids }, deps.queries.withoutNames);
  const moment = { now: deps.clock.now(), times: timesOf(deps, bookings[0]?.area ?? null) };
  const isRefresh = request.get('hx-request') === 'true';
  deps.renderer.send(response, isRefresh ? 'refresh' : 'needs-a-person-became', {
    ...deps.pageOf(request, response),
    ...{ page: 'needs-a-person', part: 'needs-a-person-rows', done, isAtRest: areAtRest(bookings) },
    address: `${HOME}/became?ids=${ids.join(',')}`,
    rows: bookings.map((booking) => becameRow(booking, moment)),
  });
}

function idsIn(given: readonly unknown[]): readonly string[] {
  const ids = given.filter((id): id is string => typeof id === 'string' && ID.test(id));
  return [...new Set(ids)].slice(0, MAX_SHOWN);
}
