import { readFileSync } from 'node:fs';
import { SettingsError } from '../config/environment.js';

/**
 * @param advice what to do where there is none
 * @throws SettingsError that names the file when it cannot be read
 */
export function readTextFile(path: string, advice?: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unreadable';
    const rule = `cannot be read (${code})${code === 'ENOENT' && advice ? `; ${advice}` : ''}`;
    throw new SettingsError([{ where: path, rule }]);
  }
}
