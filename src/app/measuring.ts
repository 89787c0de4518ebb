import { statfs } from 'node:fs/promises';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import { callbackAccounts } from '../config/callbacks.js';
import type { ReadConfig } from '../config/config-file.js';
import type { Settings } from '../config/environment.js';
import type { BookingContext } from '../consignment/context.js';
import { keyId } from '../ims/calls/client.js';
import { REQUESTS_PER_DAY } from '../ims/limits/daily-budget.js';
import { countedHttp } from '../metrics/counted-http.js';
import { type Metrics, createMetrics } from '../metrics/metrics.js';
import { type DiskSpace, type Scrape, createScrape } from '../metrics/scrape.js';
import { callingCarriers } from '../tracking/callbacks/missing.js';
import type { Callbacks } from '../tracking/callbacks/receive.js';
import { performance } from 'node:perf_hooks';

const nowMs = () => performance.now();

/** What stands between the service and its outside, to count what passes. */
export interface Measuring {
  readonly metrics: Metrics;
  imsHttp(http: HttpPort): HttpPort;
  carrierHttp(http: HttpPort, account: string): HttpPort;
  callbacks(callbacks: Callbacks): Callbacks;
  scrape(context: BookingContext, settings: Settings, config: ReadConfig): Scrape;
}

export function createMeasuring(): Measuring {
  const metrics = createMetrics();
  return {
    metrics,
    imsHttp: (http) => countedHttp(http, metrics.ims, nowMs),
    carrierHttp: (http, account) => countedHttp(http, (exchange) => metrics.carrier(account, exchange), nowMs),
    callbacks: (callbacks) => countedCallbacks(callbacks, metrics),
    scrape: ({ database, clock, log, areas, accounts }, settings, config) => {
      for (const area of areas.keys())
        for (const { name: account, adapter } of accounts.values())
          metrics.bookings.expect({ area, account, carrier: adapter.id });
      return createScrape({
        ...{ metrics, database, clock, log, accounts },
        calling: callingCarriers(callbackAccounts(config.accounts).keys(), accounts),
        budget: {
          keyIds: new Map(config.file.areas.map(({ contextId, apiKey }) => [contextId, keyId(apiKey)])),
          perDay: REQUESTS_PER_DAY,
        },
        disk: database.kind === 'embedded' ? () => diskSpace(settings.DATA_DIR) : null,
      });
    },
  };
}

async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

/** Only known accounts come here: the server refuses the others. */
function countedCallbacks({ expected, take }: Callbacks, metrics: Metrics): Callbacks {
  return {
    expected,
    take: async (callback) => {
      try {
        const receipt = await take(callback);
        metrics.callback(callback.account, receipt);
        return receipt;
      } catch (error) {
        metrics.callback(callback.account, 'not-stored');
        throw error;
      }
    },
  };
}
