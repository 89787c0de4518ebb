import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const STARTER = fileURLToPath(new URL('./child/lock-starter.js', import.meta.url));
const LOCK = new URL('../../../dist/src/db/embedded/data-dir-lock.js', import.meta.url).href;

/** A process that takes the lock of a folder. */
export interface Starter {
  readonly child: ChildProcess;
  /** The next line it writes; `gone` when it ends before. */
  line(): Promise<string>;
  /** Has it take the lock. @returns `got`, or the name and the message of the error */
  go(): Promise<string>;
  /** Lets it end by itself. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

export interface StarterOptions {
  readonly temporary: string;
  readonly place: 'here' | 'in namespaces of its own';
}

/** @returns when it stands ready to take the lock */
export async function starter(folder: string, { temporary, place }: StarterOptions): Promise<Starter> {
  const node = [process.execPath, STARTER, LOCK, folder] as const;
  const [command, ...rest] = place === 'here' ? node : (['unshare', '-n', '-p', '-m', '-f', ...node] as const);
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: temporary };
  const child = spawn(command, rest, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value ?? 'gone');
  if ((await line()) !== 'ready') throw new Error('the starter did not start');
  return {
    child,
    line,
    go: () => {
      child.stdin.write('go\n');
      return line();
    },
    end: async () => {
      child.stdin.end();
      await gone;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

export function mayHaveNamespaces(): boolean {
  return spawnSync('unshare', ['-n', '-p', '-m', '-f', 'true']).status === 0;
}
