import type { Clock } from '../../../carriers/contract/adapter.js';

/** A key that the IMS never accepts has a token renewed once in this time. */
const RECENT_MS = 60_000;

/**
 * When the IMS refused a key (401) with a token that was renewed for it: then the token is not the cause, and the
 * following calls with the key renew none.
 */
export interface KeyRefusal {
  happens(): void;
  isRecent(): boolean;
}

export function createKeyRefusal(clock: Clock): KeyRefusal {
  let lastMs = -Infinity;
  const nowMs = () => clock.now().getTime();
  return {
    happens: () => void (lastMs = nowMs()),
    isRecent: () => nowMs() - lastMs < RECENT_MS,
  };
}
