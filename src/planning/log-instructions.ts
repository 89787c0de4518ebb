import { createHash } from 'node:crypto';
import { markSent, wasSent } from '../areas/sent-rows.js';
import type { ShipmentPlan } from './plan-shipment.js';
import type { PlanningContext } from './planner.js';

const DIGEST_CHARACTERS = 16;
/** The limit for one shipment. */
const MAX_TOLD = 10;

/** Logs settings in the IMS that an operator has to correct; bookings fail until then. */
export function logUnusableSettings(
  { log }: Pick<PlanningContext, 'log'>,
  area: string,
  { settled }: ShipmentPlan,
): void {
  if (settled?.kind !== 'unusable') return;
  const { account, of, troubles } = settled;
  const settings = troubles.slice(0, MAX_TOLD).map(({ path, rule }) => `${path} ${rule}`);
  log.error('settings in the IMS cannot be used', {
    area,
    account: account.name,
    of: `${of.kind} ${of.name}`,
    settings,
  });
}

/** Logs odd instructions of an area once, across restarts: they are the same for every shipment. */
export async function logInstructions(
  { database, log, clock }: Pick<PlanningContext, 'database' | 'log' | 'clock'>,
  area: string,
  { selection }: ShipmentPlan,
): Promise<void> {
  for (const { from, path, trouble } of (selection?.instructions?.warnings ?? []).slice(0, MAX_TOLD)) {
    const digest = createHash('sha256')
      .update(JSON.stringify([from, path, trouble]))
      .digest('hex');
    const notice = { area, topic: `instructions:${digest.slice(0, DIGEST_CHARACTERS)}` };
    if (await wasSent(database, notice)) continue;
    log.warn('odd instruction', { area, from, path, trouble });
    await markSent(database, notice, clock.now());
  }
}
