import type { Sandbox } from '../../sandbox/sandbox.js';

/** Credentials for the stand-ins only; they open nothing anywhere else. */
export const sandboxSecrets = {
  IMS_CLIENT_SECRET: 'full-secret',
  EVENTS_SECRET: 'sandbox-events-secret',
  OPERATOR_TOKEN: 'sandbox-operator-token',
  IMS_API_KEY_1: 'area-1-key',
  IMS_API_KEY_2: 'area-2-key',
  BRING_API_KEY: 'sandbox-bring-key',
  GLS_PASSWORD: 'sandbox-gls-pass',
  DAO_CODE: 'sandbox-dao-code',
  PRETEND_API_KEY: 'sandbox-pretend-key',
  GLS_GROUP_SECRET: 'sandbox-gls-group-secret',
  BRING_CALLBACK_SECRET: 'sandbox-bring-callbacks',
  PRETEND_CALLBACK_SECRET: `whsec_${Buffer.from('sandbox-pretend-callbacks').toString('base64')}`,
} as const;

const RULES = `rules:
  - name: Pretend plays what termsOfDelivery says
    when: { carrierName: Pretend, termsOfDelivery: down twice }
    use: { account: pretend, service: "down:2" }
  - name: Pretend loses an answer
    when: { carrierName: Pretend, termsOfDelivery: answer lost }
    use: { account: pretend, service: "lost:1" }
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
`;

/** What the service needs to know to work against a sandbox, as `waybridge.yaml` says it. */
export function sandboxConfig(sandbox: Sandbox): string {
  return `areas:
  - { contextId: 1, apiKey: "\${IMS_API_KEY_1}", language: en }
  - { contextId: 2, apiKey: "\${IMS_API_KEY_2}", language: da }
accounts:
  bring:
    carrier: bring
    imsCarrierName: Bring
    baseUrl: ${sandbox.carrierUrl('bring')}
    config: { apiKey: "\${BRING_API_KEY}", apiUid: lager@mail.example, customerNumber: "6", testIndicator: true }
    callbacks: { secret: "\${BRING_CALLBACK_SECRET}" }
  gls:
    carrier: gls-dk
    imsCarrierName: GLS
    baseUrl: ${sandbox.carrierUrl('gls-dk')}
    config:
      userName: "9990000001"
      password: "\${GLS_PASSWORD}"
      customerId: "9990000001"
      contactId: 208x999Test
      tracking: { baseUrl: "${sandbox.carrierUrl('gls-dk')}", clientId: sandbox, clientSecret: "\${GLS_GROUP_SECRET}" }
  dao:
    carrier: dao
    imsCarrierName: DAO
    baseUrl: ${sandbox.carrierUrl('dao')}
    config: { customerId: "9999", code: "\${DAO_CODE}" }
  pretend:
    carrier: pretend
    imsCarrierName: Pretend
    baseUrl: ${sandbox.carrierUrl('pretend')}
    config: { apiKey: "\${PRETEND_API_KEY}" }
    callbacks: { secret: "\${PRETEND_CALLBACK_SECRET}" }
${RULES}printing: { mode: resource }
`;
}

export interface ServicePlace {
  readonly port: number;
  readonly configFile: string;
  readonly dataDir: string;
}

/** The environment of a service that works against a sandbox. */
export function sandboxEnvironment(sandbox: Sandbox, place: ServicePlace): Readonly<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: String(place.port),
    IMS_BASE_URL: sandbox.imsBaseUrl,
    IMS_AUTH_URL: sandbox.authUrl,
    IMS_CLIENT_ID: 'full',
    CONFIG_FILE: place.configFile,
    DATA_DIR: place.dataDir,
    ...sandboxSecrets,
    ALLOW_PRIVATE_ADDRESSES: 'true',
  };
}

/** Where the sandbox sends its events. */
export function eventTarget(serviceUrl: string) {
  return { url: `${serviceUrl}/events`, headers: { authorization: `Bearer ${sandboxSecrets.EVENTS_SECRET}` } };
}

/** Whom the carriers of the sandbox call, once its parcels travel. */
export function callbackTargets(serviceUrl: string) {
  return [
    { carrier: 'bring', url: `${serviceUrl}/callbacks/bring`, secret: sandboxSecrets.BRING_CALLBACK_SECRET },
    { carrier: 'pretend', url: `${serviceUrl}/callbacks/pretend`, secret: sandboxSecrets.PRETEND_CALLBACK_SECRET },
  ];
}
