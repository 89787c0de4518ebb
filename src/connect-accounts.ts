import type { Clock } from '../carriers/contract/adapter.js';
import type { HttpPort } from '../carriers/contract/http-port.js';
import type { ConfiguredAccount } from './config-file.js';
import { createCarrierQueue } from './consignment/carrier-queue.js';
import type { Account } from './consignment/world.js';
import type { Log } from './log.js';
import { createRehearsal } from './transport/rehearsal.js';

export interface AccountWires {
  readonly http: HttpPort;
  readonly log: Log;
  readonly clock: Clock;
}

/** The accounts of the configuration by name, each connected to its carrier. */
export function connectAccounts(
  accounts: readonly ConfiguredAccount[],
  wires: AccountWires,
): ReadonlyMap<string, Account> {
  return new Map(accounts.map((account) => [account.name, connectAccount(account, wires)]));
}

function connectAccount(account: ConfiguredAccount, { http, log, clock }: AccountWires): Account {
  const { name, adapter, imsCarrierName, baseUrl, config } = account;
  return {
    name,
    imsCarrierName,
    adapter,
    carrier: adapter.connect(config, { http, clock, baseUrl }),
    queue: createCarrierQueue({ account: name, clock, random: Math.random, log }),
    rehearse: async (request) => {
      const { port, requests } = createRehearsal();
      // What it makes of an answer that never comes is of no interest.
      await adapter
        .connect(config, { http: port, clock, baseUrl })
        .book(request)
        .catch(() => null);
      return requests;
    },
  };
}
