import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Audit } from '../../access/audit.js';
import type { DeadLetters } from '../../dead-letters/dead-letters.js';
import type { EventQueries } from '../../intake/event-queries.js';
import type { HandoverQueries } from '../../manifests/queries.js';
import type { ReplayEvent } from '../../reconciliation/replay-event.js';
import type { TrackingQueries } from '../../tracking/parcels/queries.js';
import { type Times, timesIn } from '../format.js';
import type { Renderer } from '../render.js';

/** What the pages show: events, parcels, manifests, and what was given up. */
export interface Inbox {
  readonly events: EventQueries;
  readonly replayEvent: ReplayEvent;
  readonly parcels: TrackingQueries;
  readonly handovers: HandoverQueries;
  readonly deadLetters: DeadLetters;
}

export interface InboxPagesDeps extends Inbox {
  readonly audit: Audit;
  readonly areas: readonly { readonly contextId: string; readonly timeZone: string }[];
  readonly clock: Clock;
  readonly renderer: Renderer;
  /** What every page shows. */
  readonly pageOf: (request: Request, response: Response) => object;
  /** Before each page; and before each action. */
  readonly signedIn: RequestHandler;
  readonly acting: readonly RequestHandler[];
}

/** The rows of a page of a list. */
export const ROWS = 50;

/** Times of the area; of an unknown one those of the first. */
export function timesOf({ areas, clock }: InboxPagesDeps, contextId: string | null): Times {
  const area = areas.find((one) => one.contextId === contextId) ?? areas[0];
  return timesIn(area?.timeZone ?? 'UTC', clock.now());
}

/** Sends a page that says that there is no such thing. */
export function sendMissing(deps: InboxPagesDeps, request: Request, response: Response): void {
  response.status(404);
  deps.renderer.send(response, 'nothing-here', { ...deps.pageOf(request, response), page: '' });
}
