import { BlockList, isIP } from 'node:net';
import type { SettingProblem, Settings } from './settings.js';

/** As they stand in .env.example, which anybody can read. */
const OF_THE_EXAMPLE = ['change-me', 'change-me-too', 'change-me-as-well'];
/** Every address of the machine, so also the one that `localhost` means. */
const ANY_ADDRESS = ['', '0.0.0.0', '::'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** What nobody else may reach: secrets that everybody knows, and links that lead nowhere. Beyond loopback only. */
export function exposureProblems(settings: Settings): readonly SettingProblem[] {
  const { HOST, PUBLIC_URL } = settings;
  if (isOnlyForThisMachine(HOST)) return [];
  const known = (['EVENTS_SECRET', 'OPERATOR_TOKEN'] as const).filter((name) =>
    OF_THE_EXAMPLE.includes(settings[name]),
  );
  const nowhere = PUBLIC_URL === undefined && !ANY_ADDRESS.includes(HOST);
  const problems = known.map((where) => ({
    where,
    rule: 'is the one of .env.example, which anybody can read; make one, e.g. by: openssl rand -hex 24',
  }));
  const rule =
    'missing; with HOST as it is, nothing answers at localhost: the address others see, e.g. https://waybridge.example';
  return nowhere ? [...problems, { where: 'PUBLIC_URL', rule }] : problems;
}

/** Whether links lead to this machine only, while others can reach the service. */
export function linksLeadNowhere({ HOST, PUBLIC_URL }: Settings): boolean {
  return PUBLIC_URL === undefined && !isOnlyForThisMachine(HOST);
}

function isOnlyForThisMachine(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
