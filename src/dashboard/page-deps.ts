import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../../carriers/contract/adapter.js';
import { type Times, timesIn } from './format.js';
import type { Renderer } from './render.js';

/** An area as pages need it. */
export interface ShownArea {
  readonly contextId: string;
  readonly timeZone: string;
}

/** What the pages behind the sign-in share. */
export interface PageDeps {
  readonly areas: readonly ShownArea[];
  readonly clock: Clock;
  readonly renderer: Renderer;
  /** What every page shows. */
  readonly pageOf: (request: Request, response: Response) => object;
  /** Before each page. */
  readonly signedIn: RequestHandler;
}

/** The time zone of the area; of the first area, where it is unknown. */
export function timeZoneOf({ areas }: Pick<PageDeps, 'areas'>, contextId: string | null): string {
  const area = areas.find((one) => one.contextId === contextId) ?? areas[0];
  return area?.timeZone ?? 'UTC';
}

/** Times as an operator reads them, in the time zone of the area. */
export function timesOf(deps: Pick<PageDeps, 'areas' | 'clock'>, contextId: string | null = null): Times {
  return timesIn(timeZoneOf(deps, contextId), deps.clock.now());
}
