import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { UnknownConsignment } from '../../operator/known-consignment.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import { firstOpen } from '../../operator/requests/attempts.js';
import { type WholeConsignment, carrierOf } from '../consignments/view.js';
import { CAUSES } from '../shapes.js';
import { type RequestPanel, panelOf } from './request-panel.js';
import { type Waterfall, waterfallOf } from './waterfall.js';

const ID = /^\d{1,6}\.\d{1,6}$/;

/** What the page of a consignment shows of its requests. */
export interface RequestsShown {
  /** `null`: none were kept. */
  readonly waterfall: Waterfall | null;
  /** `null`: none is chosen. */
  readonly panel: RequestPanel | null;
  readonly personalData: 'hidden' | 'asked' | 'shown';
  /** The insides of SVGs, by tone. */
  readonly shapes: { readonly danger: string; readonly warn: string };
}

export interface RequestChoice {
  /** The id of a request; `null`: the first failure that is still open. */
  readonly request: string | null;
  readonly personalData: RequestsShown['personalData'];
}

/** What the address of a page chooses; what cannot be read counts as not given. */
export function choiceIn({ query }: Request): RequestChoice {
  const given = query['request'];
  const request = typeof given === 'string' && ID.test(given) ? given : null;
  return { request, personalData: query['personal'] === 'ask' && request !== null ? 'asked' : 'hidden' };
}

/** @throws UnknownConsignment it has no such request */
export async function requestsShown(
  queries: OperatorQueries,
  one: WholeConsignment,
  { choice, timeZone }: { readonly choice: RequestChoice; readonly timeZone: string },
): Promise<RequestsShown> {
  const chosen = choice.request ?? firstOpen(one.requests)?.id ?? null;
  const of = { account: one.account, carrier: carrierOf(one) };
  const { requests, createdAt } = one;
  const how = choice.personalData === 'shown' ? 'shown' : 'hidden';
  return {
    waterfall: waterfallOf({ requests, createdAt, chosen, ...of }),
    panel: chosen === null ? null : panelOf(await queries.request(one.id, chosen, how), { of, timeZone }),
    personalData: choice.personalData,
    shapes: { danger: CAUSES.refused.shape, warn: CAUSES.incomplete.shape },
  };
}

export interface RequestPagesDeps {
  readonly signedIn: RequestHandler;
  /** Before each action: only for the role `act`, and with a row in the audit log. */
  readonly acting: readonly RequestHandler[];
  readonly idOf: (request: Request) => string;
  readonly show: (request: Request, response: Response, choice: RequestChoice) => Promise<void>;
}

/** Shows the personal data of one request, once: the address shows it hidden again. */
export function requestPages({ signedIn, acting, idOf, show }: RequestPagesDeps): Router {
  const router = express.Router();
  const path = '/consignments/:id/requests/:n/personal-data';
  router.get(path, signedIn, (request, response) => {
    response.redirect(303, `/consignments/${idOf(request)}?request=${requestIn(request)}`);
  });
  router.post(path, signedIn, ...acting, async (request, response) => {
    await show(request, response, { request: requestIn(request), personalData: 'shown' });
  });
  return router;
}

/** @throws UnknownConsignment */
function requestIn({ params }: Request): string {
  const n = String(params['n']);
  if (!ID.test(n)) throw new UnknownConsignment('not a request');
  return n;
}
