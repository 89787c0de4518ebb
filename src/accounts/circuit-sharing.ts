import type { Database } from '../db/database.js';
import { databaseAnswersWithin } from '../worker/with-timeout.js';
import type { Log } from '../log.js';
import { NO_OUTAGE } from './circuit-breaker.js';
import { readCircuits } from './circuit-rows.js';
import type { Account } from './account.js';

/** How late an instance may learn of another one's change. */
const LOOK_EVERY_MS = 1_000;
/** The longest wait for the first read. */
const LOOK_WITHIN_MS = 3_000;

export interface CircuitKeeper {
  stop(): Promise<void>;
}

/** The number of living instances, as far as known. */
export interface InstanceCount {
  now: number;
}

/** The account to probe with; `null`: no settings are known. */
export type AccountToProbe = (account: Account) => Promise<Account | null>;

export interface KeeperTools {
  readonly database: Database;
  readonly log: Log;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly accountToProbe: AccountToProbe;
  readonly instances: InstanceCount;
}

/**
 * Shares the circuits among all instances, and sends due probes.
 * @returns when the stored circuits are read, or the database does not answer
 */
export async function keepCircuits(tools: KeeperTools): Promise<CircuitKeeper> {
  const { accounts, accountToProbe, log } = tools;
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;

  async function lookAndProbe(): Promise<void> {
    try {
      await databaseAnswersWithin(LOOK_WITHIN_MS, look(tools));
      failing = false;
    } catch (error) {
      if (!failing) log.warn('circuits not read', { error });
      failing = true;
    }
    if (stopped) return;
    for (const account of accounts.values()) probe(account, accountToProbe, log);
    timer = setTimeout(() => void lookAndProbe(), LOOK_EVERY_MS).unref();
  }

  await lookAndProbe();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function look({ database, accounts, instances }: KeeperTools): Promise<void> {
  const circuits = [...accounts.values()].map(({ bulkhead }) => bulkhead.circuit);
  await Promise.all(circuits.map((circuit) => circuit.flush()));
  const rows = await readCircuits(database);
  instances.now = Math.max(1, rows.instances);
  for (const { name, bulkhead } of accounts.values())
    bulkhead.circuit.learn(rows.states[name] ?? NO_OUTAGE, rows.nowMs);
}

/** Not awaited: a carrier that hangs must not delay other carriers' probes. */
function probe(account: Account, accountToProbe: AccountToProbe, log: Log): void {
  const { name, bulkhead } = account;
  const ask = async () => {
    if (!bulkhead.circuit.isProbeDue()) return;
    const { carrier } = (await accountToProbe(account)) ?? {};
    // Leaves the probe to another instance, which may have settings.
    if (!carrier?.probe) return bulkhead.circuit.cannotProbe();
    await bulkhead.circuit.probeWhenDue(async () => {
      await carrier.probe?.();
      log.info('carrier answers a probe', { account: name });
    });
  };
  ask().catch((error: unknown) => log.warn('no probe sent', { account: name, error }));
}
