import express, { type Express, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { DeadLetters } from '../dead-letters/dead-letters.js';
import { NotPossible } from '../consignment/machine/operator.js';
import type { HandoverQueries } from '../manifests/handover-queries.js';
import type { OperatorActions } from '../operator/actions.js';
import { UnknownConsignment } from '../operator/known-consignment.js';
import type { RunBulk } from '../operator/bulk/bulk.js';
import type { FindPickupPoints } from '../operator/pickup-points.js';
import type { ReadOverview } from '../operator/overview/overview.js';
import type { ReturnLabels } from '../operator/returns/return-labels.js';
import type { OperatorQueries } from '../operator/operator-queries.js';
import type { FieldNames } from '../operator/requests/field-names.js';
import type { Replay } from '../reconciliation/replay.js';
import type { Forget } from '../retention/forget.js';
import type { Receipt } from '../intake/intake.js';
import type { Log } from '../log.js';
import type { TrackingQueries } from '../tracking/parcels/tracking-queries.js';
import type { Callbacks } from '../tracking/callbacks/receive.js';
import type { Subscribers } from '../webhooks/subscribers.js';
import { requireEventsSecret } from './authentication.js';
import { type OperatorAccess, auditActions, requireOperator } from './operator-access.js';
import { auditApi } from './api/audit.js';
import { bodyBudget } from './body-budget.js';
import { callbackRoutes } from './callbacks.js';
import { type Explaining, explainApi } from './api/explain.js';
import { deadLettersApi } from './api/inbox/dead-letters.js';
import { type EventsApi, eventsApi } from './api/inbox/events.js';
import { type MeasuresShown, metricsRoute } from './metrics.js';
import { manifestsApi } from './api/manifests.js';
import { operatorApi } from './api/consignments.js';
import { wrongSecrets } from './rate-limit.js';
import { answerErrors, sendProblem } from './problem.js';
import { bulkApi } from './api/bulk.js';
import { overviewApi } from './api/overview.js';
import { docsRoutes } from './openapi/docs.js';
import { forgetApi } from './forget.js';
import { pickupPointsApi } from './api/pickup-points.js';
import { returnLabelsApi } from './api/return-labels.js';
import { subscribersApi } from './api/subscribers.js';
import { trackingApi } from './api/tracking.js';

/** The limit of one request: the size of some thousand events. */
const MAX_BODY_BYTES = 1_000_000;

export interface ServerDeps {
  readonly log: Log;
  /** The proxies whose `X-Forwarded-For` is trusted; empty: none. */
  readonly trustedProxies: readonly string[];
  readonly eventsSecret: string;
  readonly access: OperatorAccess;
  /** The pages for operators; `budget`: memory for bodies. */
  readonly dashboard: (budget: RequestHandler) => RequestHandler;
  /** `null`: the measures need no token, and are shown inside only. */
  readonly metricsToken: string | null;
  readonly measures: MeasuresShown;
  /** Stores the events of one request. @throws when not all are stored; when sent again, the stored ones are duplicates */
  takeIn(body: Uint8Array): Promise<readonly Receipt[]>;
  readonly actions: OperatorActions;
  readonly queries: OperatorQueries;
  /** Tells personal data, for those who may not read it. */
  readonly fieldNames: FieldNames;
  readonly bulk: RunBulk;
  readonly overview: ReadOverview;
  readonly replay: Replay;
  readonly inbox: Omit<EventsApi, 'fieldNames'>;
  readonly deadLetters: DeadLetters;
  readonly callbacks: Callbacks;
  readonly parcels: TrackingQueries;
  readonly subscribers: Subscribers;
  readonly handovers: HandoverQueries;
  readonly explaining: Explaining;
  readonly pickupPoints: FindPickupPoints;
  readonly returnLabels: ReturnLabels;
  readonly forget: Forget;
  /** @returns why the service cannot work; empty when it can */
  notReady(): Promise<readonly string[]>;
  readonly links: { verify(id: string, expires: string, signature: string): 'valid' | 'expired' | 'forged' };
}

/** The HTTP surface: check, store, answer. Work happens after the answer. */
export function createServer(deps: ServerDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', deps.trustedProxies);
  app.use(helmet());
  const budget = bodyBudget(deps.log);
  // Before the log of refusals: its own has one line a minute.
  app.use('/callbacks', callbackRoutes(deps.callbacks, deps.log, budget));
  app.use(logRefusals(deps.log));
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/readyz', ready(deps));
  app.get('/metrics', ...metricsRoute(deps.measures, deps.metricsToken));
  const secret = requireEventsSecret(deps.eventsSecret);
  const body = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
  app.post(['/events', '/events/:secret'], secret, budget, body, events(deps));
  app.get('/labels/:file', signedLabel(deps));
  app.use(docsRoutes());
  const api = operatorApi(deps.actions, deps.queries, deps.replay, budget);
  const bulk = bulkApi(deps.bulk, budget);
  const overview = overviewApi(deps.overview, deps.explaining.areas, deps.queries.withoutNames);
  const parcels = trackingApi(deps.parcels, deps.queries.withoutNames);
  const { fieldNames } = deps;
  const incoming = eventsApi({ ...deps.inbox, fieldNames }, budget);
  const inbox = [incoming, deadLettersApi(deps.deadLetters, deps.queries.withoutNames, budget)];
  const subscribers = subscribersApi(deps.subscribers, deps.explaining.areas, budget);
  const explain = explainApi(deps.explaining, fieldNames);
  const manifests = manifestsApi(deps.handovers);
  const points = pickupPointsApi(deps.pickupPoints);
  const returns = returnLabelsApi(deps.returnLabels, deps.queries.withoutNames, budget);
  const operator = [notKept, requireOperator(deps.access), auditActions(deps.access.audit)];
  const audit = auditApi(deps.access.audit);
  const forget = forgetApi(deps.forget);
  const list = [overview, bulk, ...inbox, parcels, subscribers, manifests, points, returns, explain, forget];
  app.use('/api/v1', ...operator, audit, ...list, api);
  app.use((request, response, next) => {
    const allowed = ALLOWED.get(request.path);
    if (allowed === undefined) return next();
    response.set('allow', allowed);
    sendProblem(response, 405, { title: 'Not with this method' });
  });
  app.use(deps.dashboard(budget));
  app.use((_request, response) => {
    sendProblem(response, 404, { title: 'There is nothing here' });
  });
  app.use(answerErrors(deps.log));
  return app;
}

/** The methods of the paths that other machines ask, as `Allow` names them to one that comes by another method. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['/events', 'POST'],
  ...['/healthz', '/readyz', '/metrics'].map((path) => [path, 'GET, HEAD'] as const),
]);

/** Answers to operators hold addresses of people, and secrets. */
const notKept: RequestHandler = (_request, response, next) => {
  response.set('cache-control', 'no-store');
  next();
};

/** Logs requests with a wrong secret, but for callbacks, which have a log line of their own. */
function logRefusals(log: Log): RequestHandler {
  return (request, response, next) => {
    const name = /^\/(events|api|labels)/.exec(request.path)?.[1] ?? 'elsewhere';
    response.once('finish', () => {
      if (response.statusCode === 401) log.warn('not authentic', { interface: name, from: request.ip });
    });
    next();
  };
}

function events(deps: ServerDeps): RequestHandler {
  return async (request, response) => {
    const bytes: unknown = request.body;
    try {
      const receipts = await deps.takeIn(Buffer.isBuffer(bytes) ? bytes : new Uint8Array());
      response.status(202).json({ results: receipts });
    } catch (error) {
      // Not all of them are stored, so the sender keeps the events and sends them again.
      deps.log.error('events not stored', { error });
      sendProblem(response, 503, { title: 'Not stored', detail: 'Send it again.' });
    }
  };
}

function ready(deps: ServerDeps): RequestHandler {
  return async (_request, response) => {
    const problems = await deps.notReady();
    if (problems.length === 0) response.json({ status: 'ready' });
    else sendProblem(response, 503, { title: 'Not ready', detail: problems.join('; ') });
  };
}

/** What a worker reads in the place of a label. */
const NOT_TO_BE_USED = {
  cancelled: {
    status: 410,
    title: 'This booking is cancelled',
    detail:
      'Do not use its label, and throw a printed one away. If the shipment is to be sent after all, use the label of its newer booking, or book it again.',
  },
  'to-be-cancelled': {
    status: 409,
    title: 'This booking is to be cancelled',
    detail:
      'Do not use its label, and keep its parcels here. Open this link again in some minutes: it gives the label only if the carrier refuses to cancel the booking.',
  },
} as const;

/** The label file for its signed address. */
function signedLabel(deps: ServerDeps): RequestHandler {
  const count = wrongSecrets();
  return async (request, response) => {
    const id = /^([A-Za-z0-9-]+)\.pdf$/.exec(String(request.params.file))?.[1];
    const { expires, signature } = request.query;
    const verdict =
      id && typeof expires === 'string' && typeof signature === 'string'
        ? deps.links.verify(id, expires, signature)
        : 'forged';
    if (verdict === 'expired')
      return sendProblem(response, 410, {
        title: 'This link has expired',
        detail: 'Ask the person who runs Waybridge for the label.',
      });
    if (verdict === 'forged' || !id)
      return count(request, response, () => sendProblem(response, 403, { title: 'This link is not complete' }));
    const unused = await deps.queries.whyLabelUnused(id);
    if (unused !== null) {
      const { status, ...problem } = NOT_TO_BE_USED[unused];
      return sendProblem(response, status, problem);
    }
    await sendLabel(deps, response, id);
  };
}

async function sendLabel(deps: ServerDeps, response: Response, id: string): Promise<void> {
  const label = await deps.actions.labelToSee(id, 0).catch((error: unknown) => {
    if (error instanceof UnknownConsignment || error instanceof NotPossible) return error;
    throw error;
  });
  if (label instanceof UnknownConsignment) return sendProblem(response, 404, { title: 'There is no such label' });
  if (label instanceof NotPossible)
    return sendProblem(response, 409, {
      title: 'This label cannot be given',
      detail: `Ask the person who runs Waybridge to print the labels of this booking. Do not use one of a cancelled parcel. Why: ${label.message}.`,
    });
  const { bytes, fileName, type } = label;
  response
    .type(type)
    .set('content-disposition', `inline; filename="${fileName}"`)
    .set('cache-control', 'private, no-store');
  response.send(Buffer.from(bytes));
}
