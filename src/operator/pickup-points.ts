import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { PickupPoint, PickupPointQuery } from '../../carriers/contract/model.js';
import type { Account } from '../accounts/account.js';
import { BulkheadRejected } from '../accounts/bulkhead.js';
import type { AccountToProbe } from '../accounts/circuit-sharing.js';
import type { Log } from '../log.js';
import { withTimeout } from '../worker/with-timeout.js';

/** A person waits for the answer. */
const WITHIN_MS = 10_000;

export type PickupPointAnswer =
  | { readonly kind: 'found'; readonly pickupPoints: readonly PickupPoint[] }
  | { readonly kind: 'no-account' }
  /** The carrier has no search for pick-up points that Waybridge knows. */
  | { readonly kind: 'cannot'; readonly carrier: string }
  /** In the carrier's words. */
  | { readonly kind: 'refused'; readonly carrier: string; readonly because: string }
  | { readonly kind: 'login-refused'; readonly carrier: string; readonly because: string }
  | { readonly kind: 'no-answer'; readonly carrier: string; readonly because: string };

export type FindPickupPoints = (account: string, query: PickupPointQuery) => Promise<PickupPointAnswer>;

export interface PickupPointContext {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly log: Log;
  /** The account with settings, where they are in the IMS: any customer's will do for a read. */
  readonly withSettings: AccountToProbe;
}

/** Asks carriers for their pick-up points; stores nothing. */
export function pickupPointSearch({ accounts, log, withSettings }: PickupPointContext): FindPickupPoints {
  return async (name, query) => {
    const account = accounts.get(name);
    if (!account) return { kind: 'no-account' };
    const carrier = account.adapter.name;
    try {
      const late = () => {
        throw new CarrierUnavailable(`no answer within ${WITHIN_MS} ms`);
      };
      const pickupPoints = await withTimeout(ask(account, query), WITHIN_MS, late);
      return pickupPoints === 'cannot' ? { kind: 'cannot', carrier } : { kind: 'found', pickupPoints };
    } catch (error) {
      const known = [CarrierRejected, CarrierUnavailable, BulkheadRejected].find((kind) => error instanceof kind);
      if (!known) throw error;
      log.warn('no pick-up points', { account: name, error });
      const because = error instanceof Error ? error.message : '';
      if (!(error instanceof CarrierRejected)) return { kind: 'no-answer', carrier, because };
      return { kind: error.because === 'credentials' ? 'login-refused' : 'refused', carrier, because };
    }
  };

  /** Settings decide what an account can do: where they are in the IMS, it is known when they are read. */
  async function ask(account: Account, query: PickupPointQuery): Promise<readonly PickupPoint[] | 'cannot'> {
    const { name, bulkhead } = account;
    const settled = await withSettings(account);
    if (settled === null) throw new CarrierUnavailable(`the IMS has no settings of ${name} that can be used`);
    const { pickupPoints } = settled.carrier;
    if (!pickupPoints) return 'cannot';
    return bulkhead.run('pick-up points', () => pickupPoints(query), 'aside');
  }
}
