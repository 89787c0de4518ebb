import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Audit } from '../../access/audit.js';
import { operatorIn, requireActor } from '../../http/operator-access.js';
import type { Abilities } from '../../operator/carriers/abilities.js';
import { type ReadCarriers, SPANS, type HistorySpan } from '../../operator/carriers/history.js';
import type { TestAccount, TestResult } from '../../operator/carriers/test-account.js';
import { duration } from '../format.js';
import { oneWord } from '../../http/openapi/parameters.js';
import { askedBy } from '../inbox/list-address.js';
import { type PageDeps, timesOf } from '../page-deps.js';
import { readable } from '../readable-address.js';
import { GOOD } from '../shapes.js';
import { abilityRows, accountRow, healthRow, carriersSentence } from './view.js';

const TEST = 'test connection';
const NAMES: readonly (readonly [span: HistorySpan, name: string])[] = [
  ['4-hours', '4 hours'],
  ['1-day', '1 day'],
  ['7-days', '7 days'],
];
const TAKES = {
  span: oneWord(
    NAMES.map(([span]) => span),
    'How far back',
    '4-hours',
  ),
};

/** What the page of carriers is made of. */
export interface CarrierSide {
  readonly history: ReadCarriers;
  /** By carrier, in the order of the configuration. */
  readonly abilities: readonly Abilities[];
  /** By name; those whose connection can be tested. */
  readonly testable: ReadonlySet<string>;
  readonly test: TestAccount;
}

export interface CarrierPagesDeps extends PageDeps {
  readonly carriers: CarrierSide;
  readonly audit: Audit;
  /** Before each form. */
  readonly form: readonly RequestHandler[];
}

/** How the carriers answer, what each can do, and whether an account works. */
export function carrierPages(deps: CarrierPagesDeps): Router {
  const router = express.Router();
  const { signedIn, form, audit } = deps;
  const health = readable(deps, { page: 'carriers', title: 'Carriers', home: '/carriers', takes: TAKES });
  router.get('/carriers', signedIn, health, (request, response) => showCarriers(deps, request, response));
  router.post('/carriers/test', signedIn, ...form, requireActor(audit), (request, response) =>
    testAccounts(deps, request, response),
  );
  return router;
}

async function showCarriers(deps: CarrierPagesDeps, request: Request, response: Response): Promise<void> {
  const { carriers, audit, renderer } = deps;
  const { span } = askedBy(TAKES, request);
  const history = await carriers.history(span);
  const times = timesOf(deps);
  const tests = await audit.latest(TEST);
  const { abilities, testable } = carriers;
  renderer.send(response, request.get('hx-request') === 'true' ? 'refresh' : 'carriers', {
    ...deps.pageOf(request, response),
    ...{ page: 'carriers', part: 'carriers-health', span, sentence: carriersSentence(history), good: GOOD.shape },
    spans: NAMES.map(([value, name]) => ({ name, href: `/carriers?span=${value}`, isChosen: value === span })),
    bar: `${duration(SPANS[span].barMs)} a bar`,
    since: times.time(history.since),
    until: times.time(history.at),
    reachesTo: history.reachesTo && times.time(history.reachesTo),
    health: history.accounts.map((account) => healthRow(account, history.at, times)),
    accounts: history.accounts.map((each) => accountRow(each, testable.has(each.account), { tests, times })),
    ...{ names: abilities.map(({ name }) => name), abilities: abilityRows(abilities) },
  });
}

/** One account, or all; each has a row in the audit log, which the page shows as its last test. */
async function testAccounts(deps: CarrierPagesDeps, request: Request, response: Response): Promise<void> {
  const { testable } = deps.carriers;
  const { account } = request.body as Readonly<Record<string, unknown>>;
  const wanted = account === '' ? [...testable] : [...testable].filter((name) => name === account);
  await Promise.all(wanted.map((name) => testOne(deps, name, { request, response })));
  response.redirect(303, '/carriers#accounts');
}

async function testOne(
  { audit, carriers }: CarrierPagesDeps,
  name: string,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<void> {
  const operator = operatorIn(response).name;
  const attempt = { operator, action: TEST, target: `accounts/${name}`, address: request.ip ?? null };
  const entry = await audit.begin(attempt);
  try {
    const result = await carriers.test(name);
    await audit.end(entry, {
      result: result.kind === 'answers' ? 'done' : 'failed',
      status: 303,
      detail: said(result),
    });
  } catch (error) {
    await audit.end(entry, { result: 'failed', status: 500, detail: 'The test broke; it is in the log.' });
    throw error;
  }
}

function said(result: TestResult): string {
  switch (result.kind) {
    case 'answers':
      return `in ${duration(result.tookMs)}`;
    case 'no-answer':
      return result.because;
    case 'login-refused':
      return `It does not accept our login (status ${result.status}): correct config of the account.`;
    case 'cannot':
      return 'It offers no call that books nothing.';
    case 'no-account':
      return 'It is not in the configuration.';
  }
}
