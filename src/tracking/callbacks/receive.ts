import { createHash } from 'node:crypto';
import { plainText } from '../../../carriers/contract/plain-text.js';
import type { CallbackOutcome } from '../../../carriers/contract/tracking.js';
import type { CallbackInbox } from './inbox.js';
import type { NewCallback } from './callback-rows.js';
import type { TrackingContext } from '../context.js';
import { createRefusalLog } from './refusals.js';

export interface ArrivedCallback {
  readonly account: string;
  readonly raw: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's address; `null`: the connection is gone. */
  readonly from: string | null;
}

/** The result; `stored`, `known` and `ignored` are answered 200. */
export type CallbackReceipt =
  | 'stored'
  /** The same body was stored before, and says nothing new. */
  | 'known'
  /** Stored, without events for us. */
  | 'ignored'
  | 'refused';

export interface Callbacks {
  /** Whether the account exists and has callbacks. */
  expected(account: string): boolean;
  /**
   * Checks a callback and stores it; applying it comes later.
   * @throws InboxFull | DatabaseUnavailable nothing was stored
   */
  take(callback: ArrivedCallback): Promise<CallbackReceipt>;
}

export function createCallbacks(
  { booking: context, callbacks }: TrackingContext,
  inbox: CallbackInbox,
  applySoon: () => void,
): Callbacks {
  const logRefusal = createRefusalLog(context);
  return {
    expected: (account) => callbacks.has(account),
    take: async ({ account, raw, headers, from }) => {
      const known = callbacks.get(account);
      if (!known) return 'refused';
      const now = context.clock.now();
      const outcome = plainOutcome(known.parse(raw, { headers, secrets: known.secrets, now }));
      if (outcome.kind === 'refused') {
        logRefusal({ account, because: outcome.because, from });
        return 'refused';
      }
      const stored = await inbox.put(toRow(account, { raw, outcome, now }));
      if (outcome.kind === 'ignored') context.log.info('callback ignored', { account, because: outcome.because });
      else applySoon();
      if (outcome.kind === 'events' && outcome.unread)
        context.log.warn('callback events not readable', { account, events: outcome.unread });
      if (stored === 'known') return 'known';
      return outcome.kind === 'ignored' ? 'ignored' : 'stored';
    },
  };
}

/** The reason may quote the carrier's code. */
function plainOutcome(outcome: CallbackOutcome): CallbackOutcome {
  return outcome.kind === 'events' ? outcome : { ...outcome, because: plainText(outcome.because) };
}

interface Authentic {
  readonly raw: Uint8Array;
  readonly outcome: Exclude<CallbackOutcome, { kind: 'refused' }>;
  readonly now: Date;
}

function toRow(account: string, { raw, outcome, now }: Authentic): NewCallback {
  const common = { account, hash: hashOf(raw), body: raw, receivedAt: now };
  if (outcome.kind === 'ignored') return { ...common, outcome: null, note: outcome.because };
  const { events, ask = [], poll = ask } = outcome;
  return { ...common, outcome: { events, poll }, note: null };
}

/** The line feed is in the hashes that are stored already. */
function hashOf(raw: Uint8Array): string {
  return createHash('sha256').update('\n').update(raw).digest('base64url');
}
