import { type FoundInIms, type Sought, findMissed } from './find-missed.js';
import type { MissedEvent } from './verdict.js';
import { type Recover, writeStatusAgain } from './recover.js';
import type { BookingContext } from '../consignment/context.js';
import type { Area } from '../areas/area.js';

/** The limit of one replay. */
const MAX_REPLAYED = 1_000;

/** A request to recover missed events. */
export interface ReplayRequest {
  readonly area: string;
  readonly what: Sought;
  /** `tell`: dry run. */
  readonly mode: 'do' | 'tell';
}

/** The result for one document or shipment. */
export interface Replayed {
  readonly documentId: string | null;
  readonly shipmentId: string | null;
  /**
   * `recovered`: taken in as if its event had come; `in-doubt`: recovered, and the carrier is asked before anything is
   * booked; `status-written`: it had ended, and the IMS did not show it; `not-allowed`: our access does not show what
   * is to be done; the others: unchanged.
   */
  readonly outcome: 'recovered' | 'in-doubt' | 'status-written' | 'known' | 'not-ours' | 'not-found' | 'not-allowed';
  readonly because: string | null;
}

export interface ReplayAnswer {
  readonly results: readonly Replayed[];
  /** There are more than those listed; nothing was done about them. */
  readonly more: boolean;
}

/** There is no such area in our configuration. */
export class UnknownArea extends Error {
  override readonly name = 'UnknownArea';
}

/** @throws UnknownArea, and what the IMS client throws */
export type Replay = (request: ReplayRequest) => Promise<ReplayAnswer>;

/**
 * Recovers missed events by hand, through the same code as reconciliation, whatever their age. It reads without a
 * lease; each change takes the lease of its row.
 */
export function createReplay(context: BookingContext, recover: Recover): Replay {
  return async (request) => {
    const area = context.areas.get(request.area);
    if (!area) throw new UnknownArea(`area ${request.area} is not configured`);
    const found = await findMissed(context, area, request.what);
    const some = found.slice(0, MAX_REPLAYED);
    const results = request.mode === 'tell' ? some.map(foretold) : await act({ context, area, recover }, some);
    context.log.info('replayed by operator', { area: request.area, mode: request.mode, found: some.length });
    return { results, more: found.length > some.length };
  };
}

function foretold({ documentId, shipmentId, verdict }: FoundInIms): Replayed {
  const about = { documentId, shipmentId };
  switch (verdict.kind) {
    case 'recover':
      return { ...about, ...recovered(verdict.missed) };
    case 'write-status':
      return { ...about, ...statusWritten(verdict.status) };
    default:
      return { ...about, outcome: verdict.kind, because: verdict.because };
  }
}

function recovered({ possiblyBooked }: MissedEvent): Pick<Replayed, 'outcome' | 'because'> {
  return possiblyBooked
    ? { outcome: 'in-doubt', because: 'another program has begun it: the carrier is asked before anything is booked' }
    : { outcome: 'recovered', because: null };
}

function statusWritten(status: string): Pick<Replayed, 'outcome' | 'because'> {
  return { outcome: 'status-written', because: `it has ended: ${status}` };
}

interface Acting {
  readonly context: BookingContext;
  readonly area: Area;
  readonly recover: Recover;
}

async function act({ context, area, recover }: Acting, found: readonly FoundInIms[]): Promise<readonly Replayed[]> {
  const missed = found.flatMap(({ verdict }) => (verdict.kind === 'recover' ? [verdict.missed] : []));
  const taken = new Set(await recover(missed));
  const results: Replayed[] = [];
  for (const one of found) results.push(await acted(one));
  return results;

  async function acted(one: FoundInIms): Promise<Replayed> {
    const { verdict } = one;
    const told = foretold(one);
    if (verdict.kind === 'recover' && !taken.has(verdict.missed))
      return { ...told, outcome: 'known', because: 'its event came this moment' };
    if (verdict.kind !== 'write-status' || (await writeStatusAgain(context, area, verdict))) return told;
    return { ...told, outcome: 'known', because: `it has ended, but the IMS does not take ${verdict.status}` };
  }
}
