import { existsSync, readFileSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CarrierPlugIn } from '../../carriers/contract/index.js';
import { withTimeout } from '../worker/with-timeout.js';
import { plugInProblem } from './plug-in-problem.js';

/** A plug-in that has not been loaded by then waits for something. */
const LOADED_WITHIN_MS = 10_000;
const MAX_TEXT_CHARACTERS = 300;

export interface AdapterProblem {
  /** Path in the settings, with the entry's text. */
  readonly where: string;
  readonly rule: string;
}

export interface LoadedAdapters {
  readonly plugIns: readonly CarrierPlugIn[];
  /** The program of each plug-in, in their order: absolute paths, which are entries too. */
  readonly files: readonly string[];
  readonly problems: readonly AdapterProblem[];
}

/**
 * Loads carriers from outside. They run with the rights of this process.
 * @param entries package names, or paths that begin with `.` or `/`
 * @param beside the folder that paths are relative to, and from which packages are looked up
 * @param taken ids of carriers that are there already
 * @returns those that can be used; one problem for each of the others
 */
export async function loadAdapters(
  entries: readonly string[],
  beside: string,
  taken: readonly string[],
): Promise<LoadedAdapters> {
  if (entries.length === 0) return { plugIns: [], files: [], problems: [] };
  mapOwnEntries();
  const plugIns: CarrierPlugIn[] = [];
  const files: string[] = [];
  const problems: AdapterProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const ids = [...taken, ...plugIns.map(({ adapter }) => adapter.id)];
    const loaded = await loadOne(entry, beside, ids);
    if (typeof loaded === 'string') {
      problems.push({ where: `adapters[${index}]`, rule: `${entry} ${loaded}` });
      continue;
    }
    plugIns.push(loaded.plugIn);
    files.push(loaded.file);
  }
  return { plugIns, files, problems };
}

interface LoadedOne {
  readonly plugIn: CarrierPlugIn;
  readonly file: string;
}

/** @returns the problem, to be read after the entry's text */
async function loadOne(entry: string, beside: string, taken: readonly string[]): Promise<LoadedOne | string> {
  const found = fileOf(entry, beside);
  if ('problem' in found) return found.problem;
  try {
    const load = import(pathToFileURL(found.file).href) as Promise<{ readonly default?: unknown }>;
    const loaded = await withTimeout(load, LOADED_WITHIN_MS, () => {
      throw new Error(`it has not been loaded within ${LOADED_WITHIN_MS / 1000} seconds`);
    });
    const problem = plugInProblem(loaded.default, taken);
    return problem ?? { plugIn: loaded.default as CarrierPlugIn, file: found.file };
  } catch (error) {
    return `cannot be loaded: ${inWords(error)}`;
  }
}

type Found = { readonly file: string } | { readonly problem: string };

function fileOf(entry: string, beside: string): Found {
  const isPath = entry.startsWith('.') || isAbsolute(entry);
  const place = isPath ? resolve(beside, entry) : packageFolder(entry, resolve(beside));
  if (place === null) return { problem: `is not installed beside ${resolve(beside)}: run npm install ${entry} there` };
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return { problem: `is not there: ${place} does not exist` };
  if (found.isFile()) return { file: place };
  const file = join(place, mainOf(place));
  if (existsSync(file)) return { file };
  return { problem: `has no program: ${file} does not exist (package.json names it in "exports" or "main")` };
}

/** In the `node_modules` of this folder or of one above it. */
function packageFolder(name: string, folder: string): string | null {
  const candidate = join(folder, 'node_modules', name);
  if (existsSync(candidate)) return candidate;
  const above = dirname(folder);
  return above === folder ? null : packageFolder(name, above);
}

function mainOf(folder: string): string {
  try {
    const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const named = targetOf(exports?.['.'] ?? exports) ?? main;
    if (typeof named === 'string') return named;
  } catch {
    // A folder without a readable package.json has an index.js.
  }
  return 'index.js';
}

function targetOf(target: unknown): string | null {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return null;
  const { import: imported, default: other } = target as Readonly<Record<string, unknown>>;
  return targetOf(imported) ?? targetOf(other);
}

/** The first line, without the machine's paths being cut off: a loader's message names the file that it did not find. */
function inWords(error: unknown): string {
  const [line = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return line.slice(0, MAX_TEXT_CHARACTERS);
}

let mapped = false;

/**
 * Whatever a plug-in has installed, `waybridge/adapter` is this program's own: errors are told apart by their classes, and
 * there must be one class of each.
 */
function mapOwnEntries(): void {
  if (mapped) return;
  mapped = true;
  const own = {
    'waybridge/adapter': new URL('./adapter.js', import.meta.url).href,
    'waybridge/adapter/testing': new URL('./testing.js', import.meta.url).href,
  };
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { parentURL: import.meta.url, data: own });
}

/** Runs in a thread of Node's own. */
const HOOKS = `
let own = {};
export async function initialize(data) { own = data; }
export async function resolve(specifier, context, next) {
  const url = own[specifier];
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}`;
