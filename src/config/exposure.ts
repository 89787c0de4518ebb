import { BlockList, isIP } from 'node:net';
import { isJsonObject } from '../../carriers/contract/json.js';
import { type SettingProblem, type Settings, SettingsError } from './environment.js';

/** Every secret of .env.example contains this text. The file is public, so such a secret protects nothing. */
const OF_THE_EXAMPLE = /change-me/i;
const NO_SECRETS = ['IMS_CLIENT_ID', 'OIDC_CLIENT_ID'];
/** Secrets that the installation makes up itself; a carrier, the IMS or the OIDC provider issues all others. */
const MADE_UP = ['EVENTS_SECRET', 'OPERATOR_TOKEN', 'METRICS_TOKEN'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The public secrets of a service that is reachable beyond loopback. */
export function exposureProblems(settings: Settings, file: unknown): readonly SettingProblem[] {
  if (isOnlyForThisMachine(settings.HOST)) return [];
  return [...knownVariables(settings), ...knownIn(isJsonObject(file) ? file : {})].map((where) => ({
    where,
    rule: MADE_UP.includes(where)
      ? 'is still the one of .env.example, which is public: make one by: openssl rand -hex 24'
      : 'is still the one of .env.example: write in the one that the IMS or the carrier gave you',
  }));
}

/** Whether a secret is one of the public examples. */
export function isOfTheExample(secret: unknown): boolean {
  return typeof secret === 'string' && OF_THE_EXAMPLE.test(secret);
}

/** Every setting that a person has to fill in, or that has a public password in its address. */
function knownVariables(settings: Settings): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    NO_SECRETS.includes(name) || !isOfTheExample(value) ? [] : [name],
  );
}

/** The paths of the secrets in `waybridge.yaml` that are still those of .env.example. Only these three sections hold secrets. */
function knownIn({ areas, accounts, alerts }: Readonly<Record<string, unknown>>): readonly string[] {
  return [...knownBelow(areas, 'areas'), ...knownBelow(accounts, 'accounts'), ...knownBelow(alerts, 'alerts')];
}

function knownBelow(section: unknown, path: string): readonly string[] {
  if (typeof section !== 'object' || section === null) return [];
  return Object.entries(section).flatMap(([key, value]: [string, unknown]) => {
    const where = Array.isArray(section) ? `${path}[${key}]` : `${path}.${key}`;
    return isOfTheExample(value) ? [where] : knownBelow(value, where);
  });
}

/** What is wrong with `HOST` or `PORT` where nothing can listen there, by the code of the error. */
const CANNOT_LISTEN: Readonly<Record<string, (settings: Settings) => SettingProblem>> = {
  EADDRNOTAVAIL: ({ HOST }) => ({
    where: 'HOST',
    rule: `"${HOST}" is no address of this machine (EADDRNOTAVAIL): write in one of its own, or 0.0.0.0 for all of them`,
  }),
  ENOTFOUND: ({ HOST }) => ({
    where: 'HOST',
    rule: `"${HOST}" leads to no address (ENOTFOUND): write in an address of this machine, or 0.0.0.0 for all of them`,
  }),
  EACCES: ({ PORT }) => ({
    where: 'PORT',
    rule: `this user may not listen on port ${PORT} (EACCES): choose one from 1024 on, or give the user the right`,
  }),
};

/** @param error of `listen` @returns it in words where the settings are wrong, else as it is */
export function listenError(error: Error & { readonly code?: unknown }, settings: Settings): Error {
  const problem = CANNOT_LISTEN[String(error.code)]?.(settings);
  return problem ? new SettingsError([problem]) : error;
}

/** Whether links and callbacks lead to the machine of the person or carrier that follows them, while others can reach the service. */
export function linksLeadNowhere({ HOST, PUBLIC_URL }: Settings): boolean {
  return PUBLIC_URL === undefined && !isOnlyForThisMachine(HOST);
}

function isOnlyForThisMachine(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
