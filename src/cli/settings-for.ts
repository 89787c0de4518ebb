import { dirname } from 'node:path';
import { type ListedCarrier, carriers } from '../../carriers/index.js';
import { type LoadedAdapters, loadAdapters } from '../adapters/load-adapters.js';
import { adapterEntries } from '../config/adapter-entries.js';
import { type ReadConfig, readConfigFile } from '../config/config-file.js';
import { openIdProblems } from '../config/openid.js';
import { readOperators } from '../config/operators.js';
import { exposureProblems, isOfTheExample, linksLeadNowhere } from '../config/exposure.js';
import { type Log, createLog } from '../log.js';
import { quoteWarnings } from '../config/warnings.js';
import {
  type SettingProblem,
  type Settings,
  SettingsError,
  misspeltIn,
  passwordsIn,
  processEnvironment,
  readSettings,
  secretsIn,
} from '../config/environment.js';

const SHORT_SECRET = 8;

export interface Prepared {
  readonly settings: Settings;
  readonly config: ReadConfig;
  readonly log: Log;
  /** Only with `look`: why the service would not start with settings that can be read. */
  readonly exposed: readonly SettingProblem[];
}

/**
 * Reads environment and configuration file.
 * @param purpose `listen`: the command starts a server that other machines may reach, and logs to standard output;
 *   `look`: standard output is for its report, so it logs to standard error
 * @throws SettingsError with the problems of both
 */
export async function settingsFor(
  environment = processEnvironment(),
  purpose: 'listen' | 'look' = 'look',
): Promise<Prepared> {
  const { settings, problems } = readSettings(environment);
  const loaded = await adaptersOf(settings.CONFIG_FILE, environment);
  const adapters = allCarriers(loaded).map((carrier) => carrier.adapter);
  const read = readConfigFile(settings.CONFIG_FILE, {
    environment,
    adapters,
    allowPrivate: settings.ALLOW_PRIVATE_ADDRESSES,
  });
  const exposed = exposureProblems(settings, read.given);
  const refused = purpose === 'listen' ? exposed : [];
  // An account of a carrier that could not be loaded is not reported as a second problem.
  const inFile = loaded.problems.length === 0 ? read.problems : read.problems.filter(({ where }) => !isCarrier(where));
  const known = readOperators(settings.OPERATORS_FILE);
  const all = [...problems, ...openIdProblems(settings), ...known.problems, ...refused, ...loaded.problems, ...inFile];
  if (all.length > 0 || read.config === null) throw new SettingsError(all);
  const secrets = [
    ...secretsIn(settings),
    ...read.config.secrets,
    ...passwordsIn(settings.DATABASE_URL),
    ...passwordsIn(settings.REDIS_URL),
  ];
  const to = purpose === 'listen' ? 'stdout' : 'stderr';
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, secrets, to });
  if (purpose === 'listen' && linksLeadNowhere(settings))
    log.warn('PUBLIC_URL is not set: links in messages and callbacks of carriers lead to localhost');
  const { operators } = known;
  const warnings = [...read.config.warnings, ...misspeltIn(environment), ...quoteWarnings(read.config)];
  const config = { ...read.config, operators, warnings };
  warnOf(log, settings, config);
  return { settings, config, log, exposed };
}

/** Loads the carriers that a configuration file names. */
export function adaptersOf(configFile: string, environment: Readonly<Record<string, string>>): Promise<LoadedAdapters> {
  return loadAdapters(adapterEntries(configFile, environment), dirname(configFile), carriers.map(idOf));
}

/** `accounts.<name>.carrier` */
function isCarrier(where: string): boolean {
  return /^accounts\..*\.carrier$/.test(where);
}

function idOf({ adapter }: ListedCarrier): string {
  return adapter.id;
}

/** Our carriers, and those from outside. */
export function allCarriers({ plugIns }: LoadedAdapters): readonly ListedCarrier[] {
  return [...carriers, ...plugIns];
}

/** What the service starts with all the same. */
function warnOf(log: Log, settings: Settings, config: ReadConfig): void {
  for (const variable of ['EVENTS_SECRET', 'OPERATOR_TOKEN'] as const) {
    if (settings[variable].length < SHORT_SECRET) log.warn('short secret', { variable });
    if (isOfTheExample(settings[variable])) log.warn('secret of the example', { variable });
  }
  for (const { where, rule } of config.warnings) log.warn('setting without effect', { where, rule });
}
