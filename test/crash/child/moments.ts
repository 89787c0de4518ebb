import { readFileSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Death, HELD_STILL } from './protocol.js';

/** Counts the moments that a process passes, and ends the process in the one that was ordered. */
export class Moments {
  private readonly passes = new Map<string, number>();

  constructor(private death: Death | null) {}

  /** Orders a death whose passes count from now on. */
  dieAt({ moment, pass, ...how }: Death): void {
    this.death = { ...how, moment, pass: pass + (this.passes.get(moment) ?? 0) };
  }

  reach(moment: string): void {
    const pass = (this.passes.get(moment) ?? 0) + 1;
    this.passes.set(moment, pass);
    if (this.death?.moment !== moment || this.death.pass !== pass) return;
    const { by = 'SIGKILL' } = this.death;
    if (by === 'SIGSTOP') writeSync(process.stdout.fd, `${HELD_STILL}\n`);
    process.kill(process.pid, by);
    if (by === 'SIGSTOP') return;
    // The signal ends the process before the call returns; should a system be slower, nothing more happens here.
    for (;;);
  }

  all(): readonly (readonly [string, number])[] {
    return [...this.passes];
  }
}

const MODULE = /^\/\/ (?:node_modules|dist)\/(\S+)\.\w+$/;

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const FILES = new Set(readdirSync(FOLDER));
type Begin = readonly [line: number, module: string];
/** Where modules begin in the files of the bundle, by file: a line before each names it. Read when first asked for. */
const begins = new Map<string, readonly Begin[]>();

function modulesOf(file: string): readonly Begin[] {
  const text = FILES.has(file) ? readFileSync(join(FOLDER, file), 'utf8') : '';
  return text.split('\n').flatMap((line, index) => {
    const [, module] = (line.startsWith('//') && MODULE.exec(line)) || [];
    return module === undefined ? [] : [[index + 1, module] as const];
  });
}

function moduleAt(file: string, line: number): string {
  const known = begins.get(file) ?? modulesOf(file);
  begins.set(file, known);
  return known.findLast(([from]) => from < line)?.[1] ?? '';
}

const FRAME = /at (?:async )?(?:(?:Object|Promise)\.)?(?:([\w$.]+) \(|\()?(?:file:\/\/)?\S*\/([\w.-]+\.js):(\d+):/;
/** Ends names that several modules have. */
const NUMBER_OF_BUNDLER = /\d+(?=\.|$)/g;
const SHOWN = 2;

/**
 * Who asks: the innermost functions of ours, found on the stack, so that what is written tomorrow has a name as well. The
 * outer ones are left out: whether a wake-up or the sweeper came first is a matter of chance.
 */
export function whoAsks(): string {
  const lines = (new Error().stack ?? '').split('\n');
  const frames = lines.flatMap((line) => ownName(line) ?? []);
  const names = frames.filter((name, index) => frames.indexOf(name) === index).slice(0, SHOWN);
  return names.reverse().join(' > ') || 'db';
}

/** By line of a stack: the same lines come with each statement. */
const ownNames = new Map<string, string | null>();

/** @returns `null`: the line of the stack is of no function of ours, or of one below all that ask */
function ownName(line: string): string | null {
  const known = ownNames.get(line);
  if (known !== undefined) return known;
  const [, name, file = '', at] = FRAME.exec(line) ?? [];
  const module = moduleAt(file, Number(at));
  const isOwn = module.startsWith('src/') && !module.startsWith('src/db/');
  const found = isOwn ? (name?.replaceAll(NUMBER_OF_BUNDLER, '') ?? module.split('/').at(-1) ?? module) : null;
  ownNames.set(line, found);
  return found;
}
