import { createHash } from 'node:crypto';
import type { CarrierAccount, Clock } from '../../carriers/contract/adapter.js';
import { CarrierUnavailable } from '../../carriers/contract/errors.js';
import type { HttpPort } from '../../carriers/contract/http-port.js';
import type { LabelDrawing, NumberPort } from '../../carriers/contract/tools.js';
import { secretTexts, undeclaredSecrets } from '../config/account-settings.js';
import type { ConfiguredAccount } from '../config/sections/account.js';
import { customerOf, settingsInIms, type SettingsDocuments } from '../config/settings-in-ims.js';
import type { CircuitStore } from './account-circuit.js';
import { operatorFiles } from '../program-files.js';
import { plainAccount } from './plain-account.js';
import { createBulkhead } from './bulkhead.js';
import type { CircuitRules } from './circuit-breaker.js';
import type { Account, SettledAccount } from './account.js';
import type { Log } from '../log.js';
import { watchingHttp } from '../transport/watched-http.js';
import { createDryRun } from '../transport/dry-run.js';

/** The limit for one account; the least recently used connection is dropped. */
const MAX_CONNECTED_SELLERS = 500;

export interface AccountDeps {
  readonly http: HttpPort;
  /** Watches the requests of one account; missing: nothing does. */
  readonly watch?: (http: HttpPort, account: string) => HttpPort;
  readonly log: Log;
  readonly clock: Clock;
  /** Called with secrets that are found after the start. */
  readonly hide: (secrets: readonly string[]) => void;
  /** Missing: circuits are not shared. */
  readonly circuits?: CircuitDeps;
  /** Missing: no account gets numbers. */
  readonly numbers?: NumberPort;
  /** Missing: no account has labels drawn. */
  readonly labels?: LabelDrawing;
}

export interface CircuitDeps {
  readonly store: CircuitStore;
  /** Identifies this run of the process. */
  readonly owner: string;
  readonly instances: () => number;
}

/** The accounts of the configuration by name, each connected to its carrier. */
export function connectAccounts(
  accounts: readonly ConfiguredAccount[],
  deps: AccountDeps,
): ReadonlyMap<string, Account> {
  return new Map(accounts.map((account) => [account.name, connectAccount(account, deps)]));
}

function connectAccount(account: ConfiguredAccount, deps: AccountDeps): Account {
  const { name, adapter, imsCarrierName, config, customs, returnAddress } = account;
  const { clock, log } = deps;
  const { carrier, dryRun, probeOnce } = connection(account, config, deps);
  warnOfUndeclared(account, config, log);
  const rules = circuitRules(account, carrier);
  const connected: Account = {
    ...{ name, imsCarrierName, adapter, carrier, dryRun, probeOnce },
    ...{ ...(customs && { customs }), ...(returnAddress && { returnAddress }) },
    bulkhead: createBulkhead({ account: name, clock, random: Math.random, log, rules, ...deps.circuits }),
  };
  if (!account.fromIms) return { ...connected, customer: customerOf(config, adapter) };
  const unsettled = { ...connected, carrier: withoutCalls(name, connected.carrier) };
  return { ...unsettled, ...settling(account, unsettled, deps) };
}

function warnOfUndeclared({ name: account, adapter }: ConfiguredAccount, config: object, log: Log): void {
  for (const { setting } of undeclaredSecrets(adapter, config)) {
    const todo = `the author of the adapter must return ${setting} from secrets, or give it a name that is no secret's`;
    log.warn('secret not declared', { account, carrier: adapter.name, setting, todo });
  }
}

/** References are unique within an account only: what is booked again at another account is another parcel there. */
export function numbersOfAccount(account: string, numbers: NumberPort): NumberPort {
  return { take: (wanted) => numbers.take({ ...wanted, reference: `${account} ${wanted.reference}` }) };
}

function connection({ name, adapter, baseUrl }: ConfiguredAccount, config: object, deps: AccountDeps) {
  const { clock, watch } = deps;
  const http = watch ? watch(deps.http, name) : deps.http;
  const files = operatorFiles;
  const { numbers, labels } = deps;
  const ours = { ...(numbers && { numbers: numbersOfAccount(name, numbers) }), ...(labels && { labels }) };
  const tools = { http, clock, baseUrl, files, ...ours };
  const carrier = plainAccount(adapter.connect(config, tools));
  const dryRun: Account['dryRun'] = async (request) => {
    const { port, requests } = createDryRun();
    // The adapter's error is expected: a dry run gets no answer.
    await adapter
      .connect(config, { http: port, clock, baseUrl, files })
      .book(request)
      .catch(() => null);
    return requests;
  };
  const probeOnce: Account['probeOnce'] = async () => {
    const watched = watchingHttp(http);
    await plainAccount(adapter.connect(config, { ...tools, http: watched.http })).probe?.();
    return watched.last()?.status ?? null;
  };
  return { carrier, dryRun, probeOnce };
}

/** Connections by their settings: sellers with the same settings share one. */
function settling(
  account: ConfiguredAccount,
  unsettled: Account,
  deps: AccountDeps,
): Required<Pick<Account, 'settle' | 'settledLast'>> {
  const { adapter, fromIms } = account;
  const made = new Map<string, Account>();
  const connected = (config: object): Account => {
    const key = createHash('sha256').update(JSON.stringify(config)).digest('hex');
    const settled = made.get(key) ?? { ...unsettled, ...connection(account, config, deps) };
    if (!made.has(key)) deps.hide(secretTexts(adapter, config));
    if (made.size === 0) warnOfUndeclared(account, config, deps.log);
    made.delete(key);
    made.set(key, settled);
    const [oldest] = made.keys();
    if (made.size > MAX_CONNECTED_SELLERS && oldest !== undefined) made.delete(oldest);
    return settled;
  };
  let told = false;
  const settle = (documents: SettingsDocuments): SettledAccount => {
    const found = settingsInIms(adapter, fromIms?.given ?? {}, documents);
    if (found.kind === 'found' && found.passedOver && !told) {
      told = true;
      const { path, rule: because } = found.passedOver;
      deps.log.warn('settings of sellers not read', { account: account.name, path, because });
    }
    if (found.kind === 'found') return { kind: 'settled', account: connected(found.config), customer: found.customer };
    return { kind: 'unusable', account: unsettled, of: found.of, troubles: found.troubles };
  };
  return { settle, settledLast: () => [...made.values()].at(-1) ?? null };
}

const PURE: readonly string[] = ['check', 'textChanges'] satisfies (keyof CarrierAccount)[];

/** The account's capabilities without its calls: its settings are not known yet. */
function withoutCalls(account: string, carrier: CarrierAccount): CarrierAccount {
  const refuse = async () => {
    throw new CarrierUnavailable(`the settings of ${account} are in the IMS and were not read`);
  };
  const members = Object.entries(carrier).map(([name, member]) => [
    name,
    typeof member !== 'function' || PURE.includes(name) ? member : refuse,
  ]);
  return Object.fromEntries(members) as CarrierAccount;
}

/** Decides as `find-outcome.ts` does: a carrier without a lookup that would book again needs a person. */
function circuitRules({ adapter }: ConfiguredAccount, carrier: CarrierAccount): CircuitRules {
  const asked = carrier.findByReference !== undefined || adapter.traits.repeatedBooking !== 'books-again';
  return { probe: carrier.probe ? 'yes' : 'no', lostAnswers: asked ? 'carrier' : 'person' };
}
