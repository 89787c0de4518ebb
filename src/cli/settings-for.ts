import { dirname } from 'node:path';
import { type ListedCarrier, carriers } from '../../carriers/index.js';
import { type LoadedAdapters, loadAdapters } from '../adapters/load-adapters.js';
import { adapterEntries } from '../config/adapter-entries.js';
import { type ReadConfig, readConfigFile } from '../config/config-file.js';
import { openIdProblems } from '../config/openid.js';
import { readOperators } from '../config/operators.js';
import { exposureProblems, isOfTheExample, linksLeadNowhere } from '../config/exposure.js';
import { type Log, createLog } from '../log.js';
import { alertWarnings, quoteWarnings } from '../config/warnings.js';
import {
  type SettingProblem,
  type Settings,
  SettingsError,
  misspeltIn,
  passwordsIn,
  processEnvironment,
  readSettings,
  secretsOfEnvironment,
} from '../config/environment.js';

const SHORT_SECRET = 8;

/** Variables whose secrets are easily guessed. */
interface WeakSecrets {
  readonly short: readonly string[];
  readonly ofTheExample: readonly string[];
}

export interface Prepared {
  readonly settings: Settings;
  readonly config: ReadConfig;
  readonly log: Log;
  /** Reasons why the service would not start with settings that can be read; only with `look`. */
  readonly exposed: readonly SettingProblem[];
  /** What the service starts with all the same. */
  readonly weakSecrets: WeakSecrets;
}

/**
 * Reads environment and configuration file.
 * @param purpose `listen`: the command starts a server that other machines may reach, and logs to standard output;
 *   `look`: standard output is for its report, so it logs to standard error, and no warnings
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
  // An account of a carrier that could not be loaded is not reported as a second problem.
  const inFile = loaded.problems.length === 0 ? read.problems : read.problems.filter(({ where }) => !isCarrier(where));
  const known = readOperators(settings.OPERATORS_FILE);
  const ours = [...problems, ...openIdProblems(settings), ...known.problems];
  const others = [...loaded.problems, ...inFile];
  const isRefused = ours.length + others.length > 0 || (purpose === 'listen' && exposed.length > 0);
  const misspelt = misspeltIn(environment);
  // A required variable may be missing because its name is misspelt.
  if (isRefused || read.config === null) throw new SettingsError([...ours, ...exposed, ...others, ...misspelt]);
  const secrets = [
    ...secretsOfEnvironment(settings),
    ...read.config.secrets,
    ...passwordsIn(settings.DATABASE_URL),
    ...passwordsIn(settings.REDIS_URL),
  ];
  const to = purpose === 'listen' ? 'stdout' : 'stderr';
  const log = createLog({ level: settings.LOG_LEVEL, format: settings.LOG_FORMAT, secrets, to });
  const { operators } = known;
  const warnings = [
    ...read.config.warnings,
    ...misspelt,
    ...quoteWarnings(read.config),
    ...alertWarnings(read.config, settings),
  ];
  const config = { ...read.config, operators, warnings };
  const prepared = { settings, config, log, exposed, weakSecrets: weakSecretsIn(settings) };
  if (purpose === 'listen') warnOf(prepared);
  return prepared;
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

function weakSecretsIn(settings: Settings): WeakSecrets {
  const variables = ['EVENTS_SECRET', 'OPERATOR_TOKEN'] as const;
  return {
    short: variables.filter((variable) => settings[variable].length < SHORT_SECRET),
    ofTheExample: variables.filter((variable) => isOfTheExample(settings[variable])),
  };
}

/** What the service starts with all the same. */
function warnOf({ settings, config, log, weakSecrets }: Prepared): void {
  if (linksLeadNowhere(settings))
    log.warn('PUBLIC_URL is not set: links in messages and callbacks of carriers lead to localhost');
  for (const variable of weakSecrets.short) log.warn('short secret', { variable });
  for (const variable of weakSecrets.ofTheExample) log.warn('secret of the example', { variable });
  for (const { where, rule } of config.warnings) log.warn('setting without effect', { where, rule });
}
