import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../carriers/contract/json.js';
import { readNotation } from './yaml.js';

export const MAX_ADAPTERS = 50;

/**
 * The entries of `adapters` in `waybridge.yaml`, which are loaded before the rest of it can be checked.
 * @returns none where the file cannot be read or the list is wrong: `readConfigFile` says so
 */
export function adapterEntries(path: string, environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    const source = readFileSync(path, 'utf8');
    // Most files name none, and reading the notation takes longer than all other checks of them.
    if (!source.includes('adapters')) return [];
    const { value } = readNotation(source, environment);
    const entries = isJsonObject(value) ? value['adapters'] : null;
    if (!Array.isArray(entries)) return [];
    return entries.filter((entry) => typeof entry === 'string' && entry !== '').slice(0, MAX_ADAPTERS);
  } catch {
    return [];
  }
}
