import { carriers } from '../../../carriers/index.js';
import { loadAdapters } from '../../adapters/load-adapters.js';
import { SettingsError } from '../../config/environment.js';
import type { PluggedIn } from './sandbox-config.js';

/**
 * Loads the carriers that the command line names, relative to the folder that it runs in.
 * @throws SettingsError one of them cannot be used
 */
export async function loadPlugIns(entries: readonly string[] = []): Promise<PluggedIn> {
  const taken = carriers.map(({ adapter }) => adapter.id);
  const { problems, ...loaded } = await loadAdapters(entries, process.cwd(), taken);
  if (problems.length > 0) throw new SettingsError(problems.map(({ rule }) => ({ where: '--adapter', rule })));
  return loaded;
}
