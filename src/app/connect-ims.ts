import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../carriers/contract/adapter.js';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { giveBackLeases } from '../consignment/ledger/due-rows.js';
import { keepShare } from '../ims/limits/instance-share.js';
import { usageStore } from '../ims/limits/usage-rows.js';
import type { Database } from '../db/database.js';
import { type ImsClient, createImsClient } from '../ims/calls/client.js';
import { wholeShare } from '../ims/limits/slots.js';
import type { Log } from '../log.js';
import type { Settings } from '../config/environment.js';

export interface ImsDeps {
  readonly http: HttpPort;
  readonly database: Database;
  readonly log: Log;
  readonly clock: Clock;
  /** Unique for each run of the process. */
  readonly owner: string;
  /** Called with the time that each request waited for the limits. */
  readonly waited: (ms: number) => void;
}

export interface ConnectedIms extends ImsClient {
  /** Whether the other instances know this one, so that it may send; once they do, it stays so. */
  isKnown(): boolean;
}

/** The client of the IMS, with the limits that all instances share. */
export async function connectIms(settings: Settings, deps: ImsDeps): Promise<ConnectedIms> {
  const { http, database, log, clock, owner, waited } = deps;
  const pool = settings.REDIS_URL === undefined ? null : await slotPool(settings.REDIS_URL, { log, owner });
  // An embedded database has one process, which may use the whole limit.
  const onInstanceGone = (id: string) => giveBackLeases(database, id);
  const kept = database.kind === 'server' ? keepShare({ database, pool, id: owner, clock, log, onInstanceGone }) : null;
  const client = createImsClient(
    {
      baseUrl: settings.IMS_BASE_URL,
      authUrl: settings.IMS_AUTH_URL,
      clientId: settings.IMS_CLIENT_ID,
      clientSecret: settings.IMS_CLIENT_SECRET,
    },
    {
      http,
      clock,
      log,
      waited,
      usage: usageStore(database),
      share: kept ?? wholeShare,
      pool,
      // A request that waits for the limit of its key must not keep a stopped process alive.
      sleep: (ms) => pause(ms, undefined, { ref: false }),
    },
  );
  let known = kept === null;
  return {
    ...client,
    isKnown: () => (known ||= (kept?.perSecond() ?? 0) > 0),
    close: async () => {
      await client.close();
      // This comes last: other instances take over our share as soon as they read that this one has stopped.
      await kept?.stop();
      pool?.close();
    },
  };
}

/** Loaded only where there is a Redis. */
async function slotPool(url: string, tools: { readonly log: Log; readonly owner: string }) {
  return (await import('../ims/limits/slot-pool.js')).connectSlotPool(url, tools);
}
