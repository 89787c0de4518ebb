import { createHash } from 'node:crypto';
import type { CallbackOutcome } from '../../../carriers/contract/tracking.js';
import type { CallbackInbox } from './inbox.js';
import type { NewCallback } from './callback-rows.js';
import type { TrackingContext } from '../context.js';

/** A callback as it came in. */
export interface ArrivedCallback {
  readonly account: string;
  readonly raw: Uint8Array;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What became of it; `stored`, `known` and `ignored` are the sender's success. */
export type CallbackReceipt =
  | 'stored'
  /** The same was stored before. */
  | 'known'
  /** Kept, and nothing for us. */
  | 'ignored'
  | 'refused';

export interface Callbacks {
  /** Whether there is such an account, and its carrier may call. */
  expected(account: string): boolean;
  /**
   * Checks a callback and stores it; applying it comes later.
   * @throws InboxFull | DatabaseUnavailable nothing was stored
   */
  take(callback: ArrivedCallback): Promise<CallbackReceipt>;
}

/** A call that only says "something happened" is always the same: within so long it is taken for a repetition. */
const THIN_REPEATED_MS = 60_000;

export function createCallbacks(
  { booking: context, callbacks }: TrackingContext,
  inbox: CallbackInbox,
  applySoon: () => void,
): Callbacks {
  return {
    expected: (account) => callbacks.has(account),
    take: async ({ account, raw, headers }) => {
      const known = callbacks.get(account);
      if (!known) return 'refused';
      const now = context.clock.now();
      const outcome = known.parse(raw, { headers, secrets: known.secrets, now });
      if (outcome.kind === 'refused') {
        context.log.info('callback refused', { account, because: outcome.because });
        return 'refused';
      }
      const stored = await inbox.put(toRow(account, { raw, outcome, now }));
      if (outcome.kind === 'ignored') context.log.info('callback ignored', { account, because: outcome.because });
      else applySoon();
      if (stored === 'known') return 'known';
      return outcome.kind === 'ignored' ? 'ignored' : 'stored';
    },
  };
}

interface Authentic {
  readonly raw: Uint8Array;
  readonly outcome: Exclude<CallbackOutcome, { kind: 'refused' }>;
  readonly now: Date;
}

function toRow(account: string, { raw, outcome, now }: Authentic): NewCallback {
  const common = { account, body: raw, receivedAt: now };
  if (outcome.kind === 'ignored') return { ...common, hash: hashOf(raw, ''), outcome: null, note: outcome.because };
  const { events, ask = [] } = outcome;
  const turn = ask.length > 0 ? String(Math.floor(now.getTime() / THIN_REPEATED_MS)) : '';
  return { ...common, hash: hashOf(raw, turn), outcome: { events, ask }, note: null };
}

function hashOf(raw: Uint8Array, turn: string): string {
  return createHash('sha256').update(turn).update('\n').update(raw).digest('base64url');
}
