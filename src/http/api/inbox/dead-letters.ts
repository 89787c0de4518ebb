import express, { type RequestHandler, type Router } from 'express';
import type { DeadLetters } from '../../../dead-letters/dead-letters.js';
import { LETTER_CURSOR, LETTER_ID, LETTER_KINDS, type LetterFilter } from '../../../dead-letters/letter-rows.js';
import type { WithoutNames } from '../../../operator/requests/viewer.js';
import { BadRequest } from '../../bad-request.js';
import { isJsonObject } from '../../../../carriers/contract/json.js';
import { type Body, DRY_RUN, fieldsIn, modeIn, objectOf } from '../../openapi/body.js';
import {
  type ParameterValues,
  someWords,
  cursor,
  limit,
  names,
  readQuery,
  freeText,
  time,
} from '../../openapi/parameters.js';
import { givenUpForRole } from '../../operator-access.js';
import { sendProblem } from '../../problem.js';

const MAX_BODY_BYTES = 10_000;

const FILTER = {
  kind: someWords(LETTER_KINDS, 'What was given up'),
  area: names('Their areas, by contextId'),
  account: names('The accounts, by their names in the configuration'),
  since: time('Those that began at this time or later'),
  until: time('Those that began before this time'),
  q: freeText(
    'Exactly a number: of the parcel, the shipment, the consignment, the document, or the id of the subscriber',
  ),
};

/** What was given up. */
export const DEAD_LETTERS = { ...FILTER, cursor: cursor(LETTER_CURSOR), limit };

const RETRY_SCHEMA = objectOf(
  {
    filter: { type: 'object', description: 'The parameters of the list; an empty one means all' },
    dryRun: DRY_RUN,
  },
  ['filter'],
);

/** What is tried again. */
export const RETRY: Body<{ readonly filter: LetterFilter; readonly mode: 'do' | 'tell' }> = {
  schema: RETRY_SCHEMA,
  examples: [{ filter: {} }, { filter: { kind: 'webhook', since: '2026-03-04' }, dryRun: true }],
  read: (body) => {
    const { filter, ...manner } = fieldsIn(RETRY_SCHEMA, body);
    if (!isJsonObject(filter))
      throw new BadRequest('filter is an object with the parameters of the list; {} means all');
    return { filter: filterOf(readQuery(FILTER, filter)), mode: modeIn(manner) };
  },
};

/** What was given up, below `/api/v1`: a list, and trying it again. The caller checks the token. */
export function deadLettersApi(letters: DeadLetters, withoutNames: WithoutNames, budget: RequestHandler): Router {
  const router = express.Router();
  const json = express.json({ limit: MAX_BODY_BYTES, type: () => true });
  router.get('/dead-letters', async (request, response) => {
    const { cursor: from, limit: rows, ...given } = readQuery(DEAD_LETTERS, request.query);
    const { deadLetters, cursor: next } = await letters.list(filterOf(given), { cursor: from, limit: rows });
    response.json({ deadLetters: await givenUpForRole(response, deadLetters, withoutNames), cursor: next });
  });
  router.post('/dead-letters/retry', budget, json, async (request, response) => {
    const { filter, mode } = RETRY.read(request.body as unknown);
    response.status(202).json({ dryRun: mode === 'tell', ...(await letters.retryAll(filter, mode)) });
  });
  router.post('/dead-letters/:id/retry', async (request, response) => {
    const { id } = request.params;
    const retried = LETTER_ID.test(id) ? await letters.retry(id) : 0;
    if (retried === 0)
      return sendProblem(response, 404, {
        title: 'No such dead letter',
        detail: 'It was delivered or tried again meanwhile, or is being tried now.',
      });
    response.status(202).json({ retried });
  });
  return router;
}

function filterOf({ kind, area, account, ...others }: ParameterValues<typeof FILTER>): LetterFilter {
  return { kinds: kind, areas: area, accounts: account, ...others };
}
