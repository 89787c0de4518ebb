import type { Request, RequestHandler, Response } from 'express';
import type { Audit } from '../../access/audit.js';
import type { DeadLetters } from '../../dead-letters/dead-letters.js';
import type { EventQueries } from '../../intake/event-queries.js';
import type { HandoverQueries } from '../../manifests/handover-queries.js';
import type { OperatorQueries } from '../../operator/operator-queries.js';
import type { FieldNames } from '../../operator/requests/field-names.js';
import type { ReplayEvent } from '../../reconciliation/replay-event.js';
import type { TrackingQueries } from '../../tracking/parcels/tracking-queries.js';
import type { PageDeps } from '../page-deps.js';

/** What the pages show: events, parcels, manifests, and what was given up. */
export interface Inbox {
  readonly events: EventQueries;
  readonly replayEvent: ReplayEvent;
  readonly parcels: TrackingQueries;
  readonly handovers: HandoverQueries;
  readonly deadLetters: DeadLetters;
}

export interface InboxPagesDeps extends Inbox, PageDeps {
  readonly fieldNames: FieldNames;
  readonly queries: Pick<OperatorQueries, 'withoutNames'>;
  readonly audit: Audit;
  /** Before each action. */
  readonly acting: readonly RequestHandler[];
}

/** The rows of a page of a list. */
export const ROWS = 50;

/** Sends a page that says that there is no such thing. */
export function sendMissing(deps: Pick<PageDeps, 'renderer' | 'pageOf'>, request: Request, response: Response): void {
  response.status(404);
  deps.renderer.send(response, 'nothing-here', { ...deps.pageOf(request, response), page: '' });
}
