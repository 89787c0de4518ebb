import { settingsDocuments } from '../planning/settled-account.js';
import type { BookingContext } from '../consignment/context.js';
import type { Account } from '../accounts/account.js';
import type { Area } from '../areas/area.js';
import { whyNotStoring } from '../db/access.js';
import type { Database } from '../db/database.js';
import type { ConnectedIms } from './connect-ims.js';
import type { ImsClient } from '../ims/calls/client.js';
import type { Assembler } from '../labels/assembler.js';
import type { Log } from '../log.js';
import { withTimeout } from '../worker/with-timeout.js';

const READY_WITHIN_MS = 3_000;

/** Gets the token and each area's address and starts the process that reads labels, so that the first booking need not wait. */
export function warmUp(context: BookingContext, ims: ImsClient, assembler: Assembler): void {
  const targets = context.profiles?.profiles.map(({ target }) => target) ?? [];
  // The token comes first: without it the service is not ready and gets no labels.
  void Promise.allSettled([ims.token()]).then(() => assembler.warm(targets));
  for (const area of context.areas.values()) {
    const warned = (error: unknown) => context.log.warn('area cannot be read yet', { area: area.contextId, error });
    area.imsBackground.loadContext(area.contextId).catch(warned);
    for (const account of context.accounts.values()) noteSettings(context.log, area, account).catch(warned);
  }
}

/** Logs the settings that a shipment without a seller gets. Where sellers have settings of their own, missing ones are no fault. */
async function noteSettings(log: Log, { contextId, imsBackground }: Area, account: Account): Promise<void> {
  if (!account.settle) return;
  const read = await settingsDocuments(imsBackground, { sellerId: null, carrierName: account.imsCarrierName });
  const settled = account.settle(read);
  const settings =
    settled.kind === 'settled' ? 'complete' : settled.troubles.map(({ path, rule }) => `${path} ${rule}`);
  log.info('settings in the IMS, without those of sellers', { area: contextId, account: account.name, settings });
}

/** @returns the reasons why the service cannot work; empty when it is ready */
export async function notReady(database: Database, ims: ConnectedIms): Promise<readonly string[]> {
  const within = <T>(work: Promise<T>) =>
    withTimeout(work, READY_WITHIN_MS, () => {
      throw new Error('no answer');
    });
  const [stored, token] = await Promise.allSettled([within(whyNotStoring(database)), within(ims.token())]);
  return [
    ...(stored.status === 'rejected' ? ['the database does not answer'] : []),
    ...(stored.status === 'fulfilled' && stored.value !== null ? [stored.value] : []),
    ...(token.status === 'rejected' ? ['there is no token for the IMS'] : []),
    // At its start. An event that came to it now would wait, and another instance could take it at once.
    ...(stored.status === 'fulfilled' && !ims.isKnown() ? ['the other instances do not know this one yet'] : []),
  ];
}
