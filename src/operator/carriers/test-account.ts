import { CarrierRejected, CarrierUnavailable } from '../../../carriers/contract/errors.js';
import type { Account } from '../../accounts/account.js';
import type { AccountToProbe } from '../../accounts/circuit-sharing.js';
import type { Clock } from '../../../carriers/contract/adapter.js';
import type { Log } from '../../log.js';
import { refusesLogin } from '../../transport/watched-http.js';
import { withTimeout } from '../../worker/with-timeout.js';

/** A person waits for the answer. */
const TEST_ENDS_WITHIN_MS = 15_000;

export type TestResult =
  | { readonly kind: 'answers'; readonly tookMs: number }
  /** In words. */
  | { readonly kind: 'no-answer'; readonly because: string }
  /** It answers, but refuses the login. */
  | { readonly kind: 'login-refused'; readonly status: number }
  /** The carrier offers no call that books nothing. */
  | { readonly kind: 'cannot' }
  | { readonly kind: 'no-account' };

/** Sends the account's harmless call; books nothing, stores nothing, and moves no circuit. */
export type TestAccount = (name: string) => Promise<TestResult>;

export interface TestAccountDeps {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly clock: Clock;
  readonly log: Log;
  /** The account with settings, where they are in the IMS. */
  readonly withSettings: AccountToProbe;
}

export function accountTester({ accounts, clock, log, withSettings }: TestAccountDeps): TestAccount {
  return async (name) => {
    const account = accounts.get(name);
    if (!account) return { kind: 'no-account' };
    if (!account.carrier.probe) return { kind: 'cannot' };
    const begun = clock.now().getTime();
    try {
      const late = () => {
        throw new CarrierUnavailable(`no answer within ${TEST_ENDS_WITHIN_MS / 1_000} s`);
      };
      const status = await withTimeout(probe(account, withSettings), TEST_ENDS_WITHIN_MS, late);
      if (status !== null && refusesLogin(status)) return { kind: 'login-refused', status };
      return { kind: 'answers', tookMs: clock.now().getTime() - begun };
    } catch (error) {
      if (!(error instanceof CarrierUnavailable || error instanceof CarrierRejected)) throw error;
      log.warn('test without an answer', { account: name, error });
      return { kind: 'no-answer', because: error.message };
    }
  };
}

async function probe(account: Account, withSettings: AccountToProbe): Promise<number | null> {
  const settled = await withSettings(account);
  if (settled === null) throw new CarrierUnavailable(`the IMS has no settings of ${account.name} that can be used`);
  return settled.probeOnce();
}
