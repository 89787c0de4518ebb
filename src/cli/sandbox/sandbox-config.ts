import { stringify } from 'yaml';
import type { ListedCarrier } from '../../../carriers/index.js';
import { carriers } from '../../../carriers/index.js';
import type { Sandbox } from '../../sandbox/sandbox.js';

/** Carriers from outside, in the sandbox and at the service beside it. */
export interface PluggedIn {
  readonly plugIns: readonly ListedCarrier[];
  /** As `adapters` in the configuration names them. */
  readonly files: readonly string[];
}

const NOTHING: PluggedIn = { plugIns: [], files: [] };

/** Credentials that only the stand-ins accept. */
export const sandboxSecrets = {
  IMS_CLIENT_SECRET: 'full-secret',
  EVENTS_SECRET: 'sandbox-events-secret',
  OPERATOR_TOKEN: 'sandbox-operator-token',
  IMS_API_KEY_1: 'area-1-key',
  IMS_API_KEY_2: 'area-2-key',
  ...secretsOf(carriers),
} as const;

function secretsOf(listed: readonly ListedCarrier[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...listed.map(({ adapter }) => adapter.sample.secrets));
}

/** One of the credentials by its name. */
export function sandboxSecret(name: string): string {
  const secret = new Map(Object.entries(sandboxSecrets)).get(name);
  if (secret === undefined) throw new Error(`the sandbox has no secret ${name}`);
  return secret;
}

/** Services of Pretend; a shipment gets one of them whose `termsOfDelivery` says it. */
const PLAYED = ['refused', 'down:2', 'lost:1', 'slow:3000', 'nolabel'];

const RULES = `rules:
  - name: Danish pick-up points
    when: { deliveryAddress.countryCode: DK, deliverToPickUpPoint: true, carrierName: GLS }
    use: { account: gls, service: shop-delivery, options: { notification: email } }
  - name: without a carrier, to Denmark
    when: { carrierName: null, deliveryAddress.countryCode: DK }
    use: { account: gls }
  - name: without a carrier, abroad
    when: { carrierName: null }
    unless: { deliveryAddress.countryCode: US }
    use: { account: bring }
${PLAYED.map(
  (service) => `  - name: Pretend plays ${service}
    when: { carrierName: Pretend, termsOfDelivery: "${service}" }
    use: { account: pretend, service: "${service}" }`,
).join('\n')}
`;

/** The text of a `waybridge.yaml` for a service that works against a sandbox. */
export function sandboxConfig(sandbox: Sandbox, { plugIns, files }: PluggedIn = NOTHING): string {
  const adapters = files.length > 0 ? stringify({ adapters: files }) : '';
  return `${adapters}areas:
  - { contextId: 1, apiKey: "\${IMS_API_KEY_1}", language: en }
  - { contextId: 2, apiKey: "\${IMS_API_KEY_2}", language: da }
${stringify({ accounts: sampleAccounts(sandbox, [...carriers, ...plugIns]) })}${RULES}printing: { mode: resource }
`;
}

/** An account at each simulated carrier. */
function sampleAccounts(sandbox: Sandbox, listed: readonly ListedCarrier[]): Readonly<Record<string, unknown>> {
  const accounts = listed.map(({ adapter: { id, name, sample } }) => {
    const baseUrl = sandbox.carrierUrl(id);
    const callbacks = sample.callbackSecret ? { callbacks: { secret: `\${${sample.callbackSecret}}` } } : {};
    return [
      sample.account,
      { carrier: id, imsCarrierName: name, baseUrl, config: sample.config(baseUrl), ...callbacks },
    ];
  });
  return Object.fromEntries(accounts);
}

export interface ServicePlace {
  readonly port: number;
  readonly configFile: string;
  readonly dataDir: string;
}

/** The environment of a service that works against a sandbox. */
export function sandboxEnvironment(
  sandbox: Sandbox,
  place: ServicePlace,
  { plugIns }: PluggedIn = NOTHING,
): Readonly<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: String(place.port),
    IMS_BASE_URL: sandbox.imsBaseUrl,
    IMS_AUTH_URL: sandbox.authUrl,
    IMS_CLIENT_ID: 'full',
    CONFIG_FILE: place.configFile,
    DATA_DIR: place.dataDir,
    ...sandboxSecrets,
    ...secretsOf(plugIns),
    ALLOW_PRIVATE_ADDRESSES: 'true',
  };
}

/** The address to which the sandbox sends its events. */
export function eventTarget(serviceUrl: string) {
  return { url: `${serviceUrl}/events`, headers: { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}` } };
}

/** The addresses and secrets for the callbacks of the simulated carriers. */
export function callbackTargets(serviceUrl: string, { plugIns }: PluggedIn = NOTHING) {
  return [...carriers, ...plugIns].flatMap(({ adapter: { id, sample } }) =>
    sample.callbackSecret === undefined
      ? []
      : [
          {
            carrier: id,
            url: `${serviceUrl}/callbacks/${sample.account}`,
            secret: sample.secrets[sample.callbackSecret] ?? '',
          },
        ],
  );
}
