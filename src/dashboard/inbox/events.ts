import express, { type Request, type Response, type Router } from 'express';
import type { WholeEvent } from '../../intake/event-queries.js';
import { EVENT_OUTCOMES } from '../../intake/event-list.js';
import { EVENTS, notesOfTasksForRole } from '../../http/api/inbox/events.js';
import { ImsTrouble, imsTroubleIn } from '../../http/ims-refusals.js';
import { REPLAYED, eventAddress, eventPage, eventShown, nameOf, replayConfirmation } from './event-view.js';
import { addressWith, askedBy, joined } from './list-address.js';
import { type InboxPagesDeps, ROWS, sendMissing } from './inbox-page-deps.js';
import { timesOf } from '../page-deps.js';
import { asPage, readable } from '../readable-address.js';

const PATH = '/inbox';
const TAKES = asPage(EVENTS);
const ID = /^[\x21-\x7e]{1,120}$/;

/** What came in: the list, one event raw and understood, and doing it again. */
export function eventPages(deps: InboxPagesDeps): Router {
  const router = express.Router();
  const { signedIn } = deps;
  const list = readable(deps, { page: 'events', title: 'Events', home: PATH, takes: TAKES });
  router.get(PATH, signedIn, list, (request, response) => showList(deps, request, response));
  router.get(`${PATH}/:id`, signedIn, (request, response) => showOne(deps, { request, response }));
  router.post(`${PATH}/:id/personal-data`, signedIn, ...deps.acting, (request, response) =>
    showOne(deps, { request, response, personalData: 'shown' }),
  );
  router.get(`${PATH}/:id/replay`, signedIn, (request, response) => confirm(deps, { request, response }));
  router.post(`${PATH}/:id/replay`, signedIn, ...deps.acting, (request, response) =>
    replay(deps, { request, response }),
  );
  return router;
}

async function showList(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const { area, type, outcome, since, until, q, cursor: from } = askedBy(TAKES, request);
  const filter = { areas: area, types: type, outcomes: outcome, since, until, q };
  const { events, cursor } = await deps.events.list(filter, { cursor: from, limit: ROWS });
  const given = {
    ...{ area: joined(area), type: joined(type), outcome: joined(outcome), q },
    ...{ since: since?.toISOString(), until: until?.toISOString() },
  };
  const now = deps.clock.now();
  deps.renderer.send(response, 'events', {
    ...deps.pageOf(request, response),
    ...{
      page: 'events',
      given,
      outcomes: EVENT_OUTCOMES,
      areas: deps.areas,
      isFiltered: addressWith(PATH, given) !== PATH,
    },
    rows: notesOfTasksForRole(response, events).map((event) => eventShown(event, timesOf(deps, event.area), now)),
    ...{ isFirst: from === null, newest: addressWith(PATH, given) },
    older: cursor === null ? null : addressWith(PATH, { ...given, cursor }),
  });
}

interface Showing {
  readonly request: Request;
  readonly response: Response;
  readonly confirm?: { readonly question: string; readonly will: string; readonly isUseful: boolean };
  /** Why a replay was not possible. */
  readonly refusal?: string;
  readonly personalData?: 'hidden' | 'asked' | 'shown';
}

async function showOne(deps: InboxPagesDeps, showing: Showing): Promise<void> {
  const { request, response, confirm: confirmation = null, refusal = null } = showing;
  const event = await eventOf(deps, request, response);
  if (event === null) return sendMissing(deps, request, response);
  const { personalData = request.query['personal'] === 'ask' ? 'asked' : 'hidden' } = showing;
  const done = Object.entries(REPLAYED).find(([outcome]) => outcome === request.query['done'])?.[1] ?? null;
  deps.renderer.send(response, 'event', {
    ...deps.pageOf(request, response),
    ...{ page: 'events', address: eventAddress(event.id), name: nameOf(event), confirm: confirmation, refusal, done },
    view: eventPage(event, timesOf(deps, event.area), {
      ...{ now: deps.clock.now(), fieldNames: deps.fieldNames },
      personalData: personalData === 'shown' ? 'shown' : 'hidden',
    }),
    personalData,
  });
}

async function eventOf(deps: InboxPagesDeps, request: Request, response: Response): Promise<WholeEvent | null> {
  const id = idOf(request);
  const found = id === null ? null : await deps.events.one(id);
  return notesOfTasksForRole(response, found === null ? [] : [found])[0] ?? null;
}

async function confirm(deps: InboxPagesDeps, { request, response }: Showing): Promise<void> {
  const foretold = await replayed(deps, request, 'tell');
  if (foretold instanceof ImsTrouble) return showOne(deps, { request, response, refusal: foretold.message });
  if (foretold === null) return sendMissing(deps, request, response);
  const confirmation = { question: 'Replay this event?', ...replayConfirmation(foretold) };
  await showOne(deps, { request, response, confirm: confirmation });
}

async function replay(deps: InboxPagesDeps, { request, response }: Showing): Promise<void> {
  const done = await replayed(deps, request, 'do');
  if (done === null) return sendMissing(deps, request, response);
  if (!(done instanceof ImsTrouble))
    return response.redirect(303, `${eventAddress(done.eventId)}?done=${done.outcome}`);
  response.status(done.status);
  await showOne(deps, { request, response, refusal: done.message });
}

async function replayed({ replayEvent }: InboxPagesDeps, request: Request, mode: 'do' | 'tell') {
  const id = idOf(request);
  if (id === null) return null;
  return replayEvent(id, mode).catch((error: unknown) => {
    const trouble = imsTroubleIn(error);
    if (trouble === null) throw error;
    return trouble;
  });
}

function idOf(request: Request): string | null {
  const id = String(request.params['id']);
  return ID.test(id) ? id : null;
}
