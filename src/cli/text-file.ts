import { readFileSync } from 'node:fs';
import { SettingsError } from '../config/environment.js';

/** @throws SettingsError that names the file when it cannot be read */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unreadable';
    throw new SettingsError([{ where: path, rule: `cannot be read (${code})` }]);
  }
}
