import express, { type Router } from 'express';
import type { HandOverQueries } from '../consignment/hand-over-queries.js';
import { problem } from './problem.js';

const NAME = /^\P{Cc}{1,100}$/u;

/**
 * What carriers took by a consignment note, for operators; below `/api/v1`: as a PDF, or as JSON for who asks for that.
 * Who may enter is decided before.
 */
export function handoversApi(handOvers: HandOverQueries): Router {
  const router = express.Router();
  router.get('/handovers/:documentId', async (request, response) => {
    const { documentId } = request.params;
    const area = nameIn(request.query['area']);
    const account = nameIn(request.query['account']);
    if (area === undefined || account === undefined)
      return problem(response, 400, { title: 'The request cannot be read', detail: 'area and account are names' });
    const wish = { documentId, area, account };
    const type = request.accepts(['application/pdf', 'application/json']);
    const found = !NAME.test(documentId)
      ? null
      : await (type === 'application/json' ? handOvers.overview(wish) : handOvers.pdf(wish));
    if (found === null) return problem(response, 404, { title: 'No such hand-over' });
    if (!(found instanceof Uint8Array)) return void response.json(found);
    response.type('application/pdf').set('content-disposition', 'inline; filename="handover.pdf"');
    response.send(Buffer.from(found));
  });
  return router;
}

/** @returns `null`: not given; `undefined`: not a name */
function nameIn(value: unknown): string | null | undefined {
  if (value === undefined) return null;
  return typeof value === 'string' && NAME.test(value) ? value : undefined;
}
