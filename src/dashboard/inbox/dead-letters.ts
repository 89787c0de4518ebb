import express, { type Request, type Response, type Router } from 'express';
import { LETTER_ID, LETTER_KINDS, type LetterFilter } from '../../dead-letters/letter-rows.js';
import { DEAD_LETTERS } from '../../http/api/inbox/dead-letters.js';
import { givenUpForRole } from '../../http/operator-access.js';
import { plural } from '../format.js';
import { LETTER_WORDS, letterShown } from './letter-view.js';
import { addressWith, askedBy, joined } from './list-address.js';
import { type InboxPagesDeps, ROWS, sendMissing } from './inbox-page-deps.js';
import { timesOf } from '../page-deps.js';
import { asPage, readable } from '../readable-address.js';
import { freeText } from '../../http/openapi/parameters.js';

const PATH = '/dead-letters';
const TAKES = { ...asPage(DEAD_LETTERS), retried: freeText('How many were retried') };

/** What was given up, by kind, and trying it again: one, or all that are shown. */
export function deadLetterPages(deps: InboxPagesDeps): Router {
  const router = express.Router();
  const { signedIn, acting } = deps;
  const list = readable(deps, { page: 'dead-letters', title: 'Dead letters', home: PATH, takes: TAKES });
  router.get(PATH, signedIn, list, (request, response) => showList(deps, { request, response }));
  router.get(`${PATH}/retry`, signedIn, list, async (request, response) => {
    const { retried, more } = await deps.deadLetters.retryAll(asked(request).filter, 'tell');
    const count = `${plural(retried, 'dead letter')}${more ? ', of more' : ''}`;
    await showList(deps, { request, response, confirm: count });
  });
  router.post(`${PATH}/retry`, signedIn, ...acting, list, async (request, response) => {
    const { filter, address } = asked(request);
    const { retried } = await deps.deadLetters.retryAll(filter, 'do');
    response.redirect(303, address({ retried: String(retried) }));
  });
  router.get(`${PATH}/:id/retry`, signedIn, list, (request, response) =>
    showList(deps, { request, response, confirm: 'this dead letter' }),
  );
  router.post(`${PATH}/:id/retry`, signedIn, ...acting, list, async (request, response) => {
    const id = String(request.params['id']);
    if (!LETTER_ID.test(id)) return sendMissing(deps, request, response);
    const retried = await deps.deadLetters.retry(id);
    response.redirect(303, asked(request).address({ retried: String(retried) }));
  });
  return router;
}

interface Asked {
  readonly filter: LetterFilter;
  readonly cursor: string | null;
  readonly given: Readonly<Record<string, string | null>>;
  /** The address of the list with the same filter. */
  address(changes: Readonly<Record<string, string | null>>): string;
}

/** An action has the filter of its list in its address. */
function asked(request: Request): Asked {
  const { kind, area, account, since, until, q, cursor } = askedBy(TAKES, request);
  const times = { since: since?.toISOString() ?? null, until: until?.toISOString() ?? null };
  const given = { kind: joined(kind), area: joined(area), account: joined(account), ...times, q };
  const filter = { kinds: kind, areas: area, accounts: account, since, until, q };
  return { filter, cursor, given, address: (changes) => addressWith(PATH, { ...given, ...changes }) };
}

interface Showing {
  readonly request: Request;
  readonly response: Response;
  /** What would be tried again, by the address of the request. */
  readonly confirm?: string;
}

async function showList(deps: InboxPagesDeps, { request, response, confirm }: Showing): Promise<void> {
  const { filter, cursor: from, given, address } = asked(request);
  const { deadLetters: found, cursor } = await deps.deadLetters.list(filter, { cursor: from, limit: ROWS });
  const deadLetters = await givenUpForRole(response, found, deps.queries.withoutNames);
  const kinds = [null, ...LETTER_KINDS];
  const { retried } = request.query;
  deps.renderer.send(response, 'dead-letters', {
    ...deps.pageOf(request, response),
    ...{ page: 'dead-letters', given, areas: deps.areas, confirm: confirm ?? null, isFiltered: address({}) !== PATH },
    tabs: kinds.map((kind) => ({
      ...{
        word: kind === null ? 'All' : LETTER_WORDS[kind].tab,
        href: address({ kind }),
        isChosen: kind === given['kind'],
      },
    })),
    rows: deadLetters.map((letter) => letterShown(letter, timesOf(deps, letter.area))),
    ...{ isFirst: from === null, newest: address({}), older: cursor === null ? null : address({ cursor }) },
    retry: addressWith(`${PATH}/retry`, given),
    ...{ action: request.originalUrl, query: address({}).slice(PATH.length) },
    done: typeof retried === 'string' && /^\d{1,6}$/.test(retried) ? plural(Number(retried), 'dead letter') : null,
  });
}
