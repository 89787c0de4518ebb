import express, { type RequestHandler, type Router } from 'express';
import type { HandoverQueries } from '../../manifests/handover-queries.js';
import { HANDOVER_STATES } from '../../manifests/manifest-rows.js';
import { limit, numberCursor, oneWord, readQuery, freeText, time } from '../openapi/parameters.js';
import { notesForRole } from '../operator-access.js';
import { sendProblem } from '../problem.js';

const NAME = /^\P{Cc}{1,100}$/u;

/** The manifests of one note. */
export const HANDOVER = {
  area: freeText('Only of this area, by contextId'),
  account: freeText('Only of this account'),
};
/** The list of handovers. */
export const HANDOVERS = {
  state: oneWord(HANDOVER_STATES, 'Only in this state', null),
  ...HANDOVER,
  since: time('Those that were made at this time or later'),
  until: time('Those that were made before this time'),
  q: freeText('Exactly the consignment note, or a number of a consignment that left by it'),
  cursor: numberCursor,
  limit,
};

/** The path of the list, and its first name. */
const PATHS = ['/manifests', '/handovers'] as const;

/** Manifests, below `/api/v1`: a list, and those of one note as PDF or JSON. The caller checks the token. */
export function manifestsApi(handovers: HandoverQueries): Router {
  const router = express.Router();
  for (const path of PATHS) {
    router.get(path, listOf(handovers));
    router.get(`${path}/:documentId`, ofOneNote(handovers));
  }
  return router;
}

function listOf(handovers: HandoverQueries): RequestHandler {
  return async (request, response) => {
    const { handovers: found, cursor } = await handovers.list(readQuery(HANDOVERS, request.query));
    const manifests = notesForRole(response, found);
    // `handovers` is the first name of `manifests`.
    response.json({ manifests, handovers: manifests, cursor });
  };
}

function ofOneNote(handovers: HandoverQueries): RequestHandler {
  return async (request, response) => {
    const documentId = String(request.params['documentId']);
    const { area, account } = readQuery(HANDOVER, request.query);
    const asked = { documentId, area, account };
    const type = request.accepts(['application/pdf', 'application/json']);
    const found = !NAME.test(documentId)
      ? null
      : await (type === 'application/json' ? handovers.overview(asked) : handovers.pdf(asked));
    if (found === null) return sendProblem(response, 404, { title: 'No such handover' });
    if (!(found instanceof Uint8Array)) return void response.json(notesForRole(response, found));
    response.type('application/pdf').set('content-disposition', 'inline; filename="handover.pdf"');
    response.send(Buffer.from(found));
  };
}
