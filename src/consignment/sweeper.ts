import { type Consignment, carrierName, say, shipmentName } from './consignment.js';
import { dueErrands } from './errand-rows.js';
import { dueIds, takeWaiting } from './ledger.js';
import { post } from './steps/write.js';
import { type World, areaOf } from './world.js';

const SWEEP_EVERY_MS = 500;
const MOST_AT_ONCE = 200;
/** Nobody waits in silence for longer. */
const TOLD_AFTER_MS = 15_000;

export interface Wakers {
  readonly consignments: (ids: readonly string[]) => void;
  readonly errands: (ids: readonly string[]) => void;
}

/**
 * Finds what is due and has no wake-up: postponed work, work of a process that died, wake-ups that were lost. Tells
 * workers who wait too long.
 * @returns stops it
 */
export function startSweeper(world: World, wakers: Wakers): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    sweep(world, wakers)
      .catch((error: unknown) => world.log.warn('sweep failed', { error }))
      .finally(() => (busy = false));
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export async function sweep(world: World, wakers: Wakers): Promise<void> {
  const now = world.clock.now();
  wakers.consignments(await dueIds(world.database, now, MOST_AT_ONCE));
  wakers.errands(await dueErrands(world.database, now, MOST_AT_ONCE));
  const waiting = await takeWaiting(world.database, now, new Date(now.getTime() - TOLD_AFTER_MS));
  // Not waited for: an IMS that hangs would keep everybody else's work from being found.
  for (const consignment of waiting) void tellWaiting(world, consignment);
}

const KEY = {
  received: 'waiting-ims',
  planned: 'waiting-limit',
  booking: 'waiting-carrier',
  'in-doubt': 'waiting-in-doubt',
  booked: 'waiting-label',
  labelled: 'waiting-ims',
} as const;

async function tellWaiting(world: World, consignment: Consignment): Promise<void> {
  const area = world.areas.get(consignment.area);
  if (!area || consignment.waitsForPerson || !(consignment.state in KEY)) return;
  const key = KEY[consignment.state as keyof typeof KEY];
  const message = say(key, { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment) });
  try {
    await post(world, areaOf(world, consignment.area), {
      to: consignment.addressee,
      message,
    });
    world.log.info('told to wait', { consignment: consignment.id, state: consignment.state });
  } catch (error) {
    world.log.warn('could not tell to wait', { consignment: consignment.id, error });
  }
}
