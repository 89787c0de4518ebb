import express, { type Request, type Router } from 'express';
import type { HandoverQueries } from '../../manifests/queries.js';
import { HANDOVER_STATES, type HandoverFilter, type HandoverState } from '../../manifests/manifest-rows.js';
import { pageIn } from '../page.js';
import { sendProblem } from '../problem.js';

const NAME = /^\P{Cc}{1,100}$/u;
const UNREADABLE = 'The request cannot be read';

/** Handovers, below `/api/v1`: a list, and the manifests of one note as PDF or JSON. The caller checks the token. */
export function handoversApi(handovers: HandoverQueries): Router {
  const router = express.Router();
  router.get('/handovers', async (request, response) => {
    const filter = filterIn(request);
    if (typeof filter === 'string') return sendProblem(response, 400, { title: UNREADABLE, detail: filter });
    response.json(await handovers.list(filter));
  });
  router.get('/handovers/:documentId', async (request, response) => {
    const { documentId } = request.params;
    const area = nameIn(request.query['area']);
    const account = nameIn(request.query['account']);
    if (area === undefined || account === undefined)
      return sendProblem(response, 400, { title: UNREADABLE, detail: 'area and account are names' });
    const asked = { documentId, area, account };
    const type = request.accepts(['application/pdf', 'application/json']);
    const found = !NAME.test(documentId)
      ? null
      : await (type === 'application/json' ? handovers.overview(asked) : handovers.pdf(asked));
    if (found === null) return sendProblem(response, 404, { title: 'No such handover' });
    if (!(found instanceof Uint8Array)) return void response.json(found);
    response.type('application/pdf').set('content-disposition', 'inline; filename="handover.pdf"');
    response.send(Buffer.from(found));
  });
  return router;
}

/** @returns the filter, or an error text */
function filterIn({ query }: Request): HandoverFilter | string {
  const [area, account] = [nameIn(query['area']), nameIn(query['account'])];
  if (area === undefined || account === undefined) return 'area and account are names';
  const state = stateIn(query['state']);
  if (state === undefined) return `state is one of ${HANDOVER_STATES.join(', ')}`;
  const page = pageIn(query);
  return typeof page === 'string' ? page : { area, account, state, ...page };
}

/** @returns `null`: not given; `undefined`: not a state */
function stateIn(value: unknown): HandoverState | null | undefined {
  return value === undefined ? null : HANDOVER_STATES.find((state) => state === value);
}

/** @returns `null`: not given; `undefined`: not a name */
function nameIn(value: unknown): string | null | undefined {
  if (value === undefined) return null;
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}
