import type { BookingContext } from '../../consignment/context.js';

const TOLD_EVERY_MS = 60_000;

export interface RefusedCallback {
  /** The account's name in the configuration. */
  readonly account: string;
  readonly because: string;
  /** The caller's address; `null`: the connection is gone. */
  readonly from: string | null;
}

interface Told {
  readonly atMs: number;
  /** Refused since, without a line. */
  leftOut: number;
}

/** @returns logs refused callbacks, one a minute for each account: a stranger can make thousands a second */
export function createRefusalLog({ clock, log }: BookingContext): (refused: RefusedCallback) => void {
  const told = new Map<string, Told>();
  return ({ account, because, from }) => {
    const nowMs = clock.now().getTime();
    const last = told.get(account);
    if (last !== undefined && nowMs - last.atMs < TOLD_EVERY_MS) {
      last.leftOut += 1;
      return;
    }
    log.warn('callback refused', { account, because, from, leftOut: last?.leftOut ?? 0 });
    told.set(account, { atMs: nowMs, leftOut: 0 });
  };
}
