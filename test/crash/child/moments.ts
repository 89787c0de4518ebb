import { writeSync } from 'node:fs';
import { type Death, HELD_STILL } from './protocol.js';

/** Counts the moments that a process passes, and ends the process in the one that was ordered. */
export class Moments {
  private readonly passes = new Map<string, number>();

  constructor(private readonly death: Death | null) {}

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

const OURS = /at (?:async )?(?:(?:Object|Promise)\.)?(?:([\w$.]+) \(|\()?(?:file:\/\/)?\S*\/dist\/src\/(\S+?)\.js:/;
const SHOWN = 2;

/**
 * Who asks: the innermost functions of ours, found on the stack, so that what is written tomorrow has a name as well. The
 * outer ones are left out: whether a wake-up or the sweeper came first is a matter of chance.
 */
export function whoAsks(): string {
  const lines = (new Error().stack ?? '').split('\n');
  const frames = lines.flatMap((line) => {
    const [, name, file] = OURS.exec(line) ?? [];
    return file === undefined || file.startsWith('db/') ? [] : [name ?? file.split('/').at(-1) ?? file];
  });
  const names = frames.filter((name, index) => frames.indexOf(name) === index).slice(0, SHOWN);
  return names.reverse().join(' > ') || 'db';
}
