import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { carriers } from '../../carriers/index.js';
import { type ReadConfig, readConfig } from '../../src/config/config-file.js';
import type { SettingProblem } from '../../src/config/environment.js';

/** The environment of a service that can start. */
export const environment = {
  IMS_BASE_URL: 'https://ims.example/2',
  IMS_AUTH_URL: 'https://auth.ims.example',
  IMS_CLIENT_ID: 'waybridge',
  IMS_CLIENT_SECRET: 'client-secret-0001',
  EVENTS_SECRET: 'events-secret-0001',
  OPERATOR_TOKEN: 'operator-token-0001',
  IMS_API_KEY_550: 'area-key-0001',
  PRETEND_KEY: 'pretend-key-0001',
};

/** The smallest `waybridge.yaml` that can be used; `changes` replaces whole sections. */
export function yaml(changes: Readonly<Record<string, string>> = {}): string {
  const sections = {
    areas: '[{ contextId: 550, apiKey: "${IMS_API_KEY_550}" }]',
    accounts: '{ main: { carrier: pretend, imsCarrierName: Pretend, config: { apiKey: "${PRETEND_KEY}" } } }',
    ...changes,
  };
  return Object.entries(sections)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

interface SampleOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly allowPrivate?: 'true' | 'false';
  /** All carriers when not given. */
  readonly adapters?: readonly CarrierAdapter[];
}

export function read(
  text: string,
  around: SampleOptions = {},
): { readonly config: ReadConfig | null; readonly problems: readonly SettingProblem[] } {
  return readConfig(text, {
    environment: { ...environment, ...around.environment },
    adapters: around.adapters ?? carriers.map((carrier) => carrier.adapter),
    allowPrivate: around.allowPrivate ?? 'false',
  });
}
