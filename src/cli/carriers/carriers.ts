import { existsSync } from 'node:fs';
import { carriers } from '../../../carriers/index.js';
import { readConfig } from '../../config/config-file.js';
import { SettingsError, processEnvironment, readSettings } from '../../config/environment.js';
import { withPlaceholders } from '../../config/yaml.js';
import { adaptersOf } from '../settings-for.js';
import { readTextFile } from '../text-file.js';
import { type CarrierFacts, factsOfCarrier } from './carrier-facts.js';
import { carriersPage } from './page.js';
import { reportLines } from './report.js';

type Environment = Readonly<Record<string, string>>;

export interface CarriersCommand {
  readonly json?: true;
  /** The page `docs/carriers.md`, which shows our own carriers only. */
  readonly markdown?: true;
}

/** Prints what each carrier can do. @throws SettingsError for a configuration file whose carriers cannot be loaded */
export async function showCarriers({ json, markdown }: CarriersCommand, environment = processEnvironment()) {
  if (markdown) return void process.stdout.write(carriersPage(ownCarriers()));
  const found = [...ownCarriers(), ...(await carriersFromOutside(environment))];
  const lines = json ? [JSON.stringify(found, null, 2)] : reportLines(found);
  for (const line of lines) console.log(line);
}

/** The built-in carriers, by name. */
export function ownCarriers(): readonly CarrierFacts[] {
  const found = carriers.map(({ adapter }) => factsOfCarrier(adapter, 'built-in'));
  return found.sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

async function carriersFromOutside(environment: Environment): Promise<readonly CarrierFacts[]> {
  const { CONFIG_FILE: file } = readSettings(environment).settings;
  // The default file may be missing; a named file must exist.
  if (!environment['CONFIG_FILE'] && !existsSync(file)) return [];
  const text = readTextFile(file);
  const withoutSecrets = withPlaceholders(text, environment);
  const loaded = await adaptersOf(file, withoutSecrets);
  const read = readConfig(text, { environment: withoutSecrets, adapters: [], allowPrivate: 'true' });
  const problems = [...loaded.problems, ...read.problems.filter(({ where }) => isAboutCarriers(where))];
  if (problems.length > 0) throw new SettingsError(problems);
  return loaded.plugIns.map(({ adapter }) => factsOfCarrier(adapter, 'outside'));
}

/** Whether a problem concerns the list of carriers or the whole file. */
function isAboutCarriers(where: string): boolean {
  return /^(adapters|CONFIG_FILE|line \d)/.test(where);
}
