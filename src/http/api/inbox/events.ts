import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { EVENT_CURSOR, EVENT_OUTCOMES } from '../../../intake/event-list.js';
import type { EventQueries, WholeEvent } from '../../../intake/event-queries.js';
import type { FieldNames } from '../../../operator/requests/field-names.js';
import { bodyWithoutPersonalData } from '../../../operator/requests/personal-data.js';
import type { ReplayEvent } from '../../../reconciliation/replay-event.js';
import { imsRefusals } from '../../ims-refusals.js';
import { notesForRole, readsNames } from '../../operator-access.js';
import { someWords, cursor, limit, names, readQuery, freeText, time } from '../../openapi/parameters.js';
import { sendProblem } from '../../problem.js';
import { TRY_FIRST } from './dry-run.js';

const MAX_BODY_BYTES = 1_000;
const ID = /^[\x21-\x7e]{1,120}$/;

/** The list of events. */
export const EVENTS = {
  area: names('Their areas, by contextId'),
  type: names('Their types, e.g. documentCreated'),
  outcome: someWords(
    EVENT_OUTCOMES,
    'What became of them: accepted, ignored because they ask for nothing, or unreadable',
  ),
  since: time('Those that came at this time or later'),
  until: time('Those that came before this time'),
  q: freeText(
    'Exactly the id of the event, its document, its shipment, its consignment, or the number of the shipment',
  ),
  cursor: cursor(EVENT_CURSOR),
  limit,
};

export interface EventsApi {
  readonly events: EventQueries;
  readonly replayEvent: ReplayEvent;
  readonly fieldNames: FieldNames;
}

/** What came in, below `/api/v1`: a list, one event raw and understood, and doing it again. The caller checks the token. */
export function eventsApi({ events, replayEvent, fieldNames }: EventsApi, budget: RequestHandler): Router {
  const router = express.Router();
  const json = express.json({ limit: MAX_BODY_BYTES, type: () => true });
  router.get('/events', async (request, response) => {
    const {
      area: areas,
      type: types,
      outcome: outcomes,
      cursor: from,
      limit: rows,
      ...given
    } = readQuery(EVENTS, request.query);
    const found = await events.list({ areas, types, outcomes, ...given }, { cursor: from, limit: rows });
    response.json({ ...found, events: notesOfTasksForRole(response, found.events) });
  });
  router.get('/events/:id', async (request, response) => {
    readQuery({}, request.query);
    const id = idOf(request);
    const event = id === null ? null : await events.one(id);
    if (event === null) return sendProblem(response, 404, { title: 'No such event' });
    const [shown = event] = notesOfTasksForRole(response, [event]);
    response.json(readsNames(response) ? shown : withoutPersonalData(shown, fieldNames));
  });
  router.post('/events/:id/replay', budget, json, async (request, response) => {
    const mode = TRY_FIRST.read(request.body as unknown);
    const id = idOf(request);
    const replayed = id === null ? null : await replayEvent(id, mode);
    if (replayed === null) return sendProblem(response, 404, { title: 'No such event' });
    const resultAt = `/api/v1/events/${encodeURIComponent(replayed.eventId)}`;
    response.json({ dryRun: mode === 'tell', ...replayed, resultAt });
  });
  router.use(imsRefusals);
  return router;
}

/** The note of a task that is not done is what the IMS has said. */
export function notesOfTasksForRole<One extends Pick<WholeEvent, 'tasks'>>(
  response: Response,
  events: readonly One[],
): readonly One[] {
  return events.map((event) => ({
    ...event,
    tasks: event.tasks.map((task) => (task.state === 'done' ? task : notesForRole(response, task))),
  }));
}

/** Who may only look sees no names and addresses. */
function withoutPersonalData({ body, understood, ...event }: WholeEvent, names: FieldNames): WholeEvent {
  const shown = understood.kind === 'event' ? { ...understood, userId: null } : understood;
  return { ...event, body: body === null ? null : bodyWithoutPersonalData(body, names), understood: shown };
}

function idOf(request: Request): string | null {
  const id = String(request.params['id']);
  return ID.test(id) ? id : null;
}
