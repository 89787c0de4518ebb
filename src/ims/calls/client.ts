import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { HttpPort } from '../../../carriers/contract/http-port.js';
import type { Log } from '../../log.js';
import type { AreaMemory, ImsArea } from './ims-area.js';
import { createArea } from './ims-area.js';
import { createCache } from './cache.js';
import type { CallTools } from './call.js';
import { createCapabilities } from './capabilities.js';
import { createKeyRefusal } from './key-refusal.js';
import type { UsageStore } from '../limits/daily-budget.js';
import { createDailyBudget } from '../limits/daily-budget.js';
import type { Priority } from '../operations.js';
import type { Sleep } from '../limits/rate-limit.js';
import { createRateLimit } from '../limits/rate-limit.js';
import { createOutagePause } from '../limits/outage-pause.js';
import type { SlotPool } from '../limits/slot-pool.js';
import { type Share, type SlotSource, createSlots, wholeShare } from '../limits/slots.js';
import type { TokenSettings } from './token.js';
import { createTokenSource } from './token.js';

export interface ImsSettings extends TokenSettings {
  /** Ends in the version segment, with or without a slash after it. */
  readonly baseUrl: string;
}

export interface ImsTools {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly usage: UsageStore;
  /** This instance's share of the requests a second; missing: all. */
  readonly share?: Share;
  /** The slots that several instances share; missing: none. */
  readonly pool?: SlotPool | null;
  /** From 0 to below 1; spreads repeated calls. */
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** Called with the time that each request waited for the limits; missing: not measured. */
  readonly waited?: (ms: number) => void;
}

export interface ImsClient {
  /**
   * The IMS of one area. Areas with the same key share limits and caches.
   * @param priority `background`: waits for all bookings
   */
  area(contextId: string, apiKey: string, priority?: Priority): ImsArea;
  /**
   * Fetches a token if there is none; shows whether the service can work.
   * @throws ImsUnavailable | ImsCredentials
   */
  token(): Promise<void>;
  /** The use of the limits by each key. */
  usage(): readonly KeyUsage[];
  /** Stores unsaved counts; no request is sent afterwards. */
  close(): Promise<void>;
}

/** How much of its limits a key uses. */
export interface KeyUsage {
  /** Names the key in the database; does not reveal it. */
  readonly keyId: string;
  /** The areas that share the key, by contextId. */
  readonly areas: readonly string[];
  /** The most requests of this instance within one second, in the running minute and the one before. */
  readonly busiestSecond: number;
  /** What this instance may send in a second. */
  readonly perSecond: number;
  /** Requests of today that this instance has reserved and not used. */
  readonly reserved: number;
}

/** Shared by all clients with the same key. */
type OfKey = Pick<CallTools, 'limit' | 'budget' | 'capabilities' | 'keyRefusal' | 'outagePause'> & {
  readonly id: string;
  readonly slots: SlotSource;
  readonly memory: AreaMemory;
  readonly areas: Set<string>;
};

const KEY_ID_LENGTH = 16;

/** Creates the client of the IMS: tokens, limits, repeats and errors. A process has one, made in `src/app`. */
export function createImsClient(settings: ImsSettings, tools: ImsTools): ImsClient {
  const { http, clock, log, usage, random = Math.random, sleep = setTimeout } = tools;
  const { share = wholeShare, pool = null, waited } = tools;
  const tokens = createTokenSource(settings, { http, clock });
  const keys = new Map<string, OfKey>();

  function ofKey(apiKey: string): OfKey {
    const known = keys.get(apiKey);
    if (known) return known;
    const id = keyId(apiKey);
    const areas = new Set<string>();
    const slots = createSlots({ keyId: id, share, pool, sleep });
    const limit = createRateLimit({ clock, sleep, slots });
    const made: OfKey = {
      id,
      slots,
      areas,
      limit,
      outagePause: createOutagePause({ limit, clock, random, log }),
      budget: createDailyBudget(id, { usage, clock, log, areas: () => [...areas].sort() }),
      capabilities: createCapabilities(clock),
      keyRefusal: createKeyRefusal(clock),
      memory: {
        contexts: createCache({ clock, log, refusals: 'remembered' }),
        sellers: createCache({ clock, log, refusals: 'remembered' }),
        carriers: createCache({ clock, log, refusals: 'forgotten' }),
      },
    };
    keys.set(apiKey, made);
    return made;
  }

  return {
    area: (contextId, apiKey, priority = 'booking') => {
      const { memory, areas, limit, budget, capabilities, keyRefusal, outagePause } = ofKey(apiKey);
      areas.add(contextId);
      const baseUrl = settings.baseUrl.replace(/\/+$/, '');
      const context = { baseUrl, contextId, apiKey, priority, http, clock, log, random, sleep, tokens, waited };
      return createArea({ ...context, limit, budget, capabilities, keyRefusal, outagePause }, memory);
    },
    token: async () => void (await tokens.current()),
    usage: () => [...keys.values()].map(usageOf),
    close: async () => {
      tokens.close();
      for (const { limit } of keys.values()) limit.close();
      await Promise.all([...keys.values()].map(({ budget }) => budget.close()));
    },
  };
}

function usageOf({ id, areas, slots, budget }: OfKey): KeyUsage {
  const [busiestSecond, perSecond] = [slots.busiestSecond(), slots.perSecond()];
  return { keyId: id, areas: [...areas].sort(), busiestSecond, perSecond, reserved: budget.reserved() };
}

/** Names a key in the database, in Redis and in logs without revealing it. */
export function keyId(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, KEY_ID_LENGTH);
}
