import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** Whether a process may look into another one, which is no child of it. */
export const mayTrace = (() => {
  const attached = 124;
  const script = 'sleep 9 & timeout 1 strace -qq -o /dev/null -p $!; code=$?; kill $!; exit $code';
  return spawnSync('sh', ['-c', script], { stdio: 'ignore' }).status === attached;
})();

/**
 * From now on these calls of the processes, and of those that they start, end with an error.
 * @returns what does it, until it or the processes are ended
 */
export function failCalls(calls: string, error: string, pids: readonly number[]): ChildProcess {
  const options = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`];
  return spawn('strace', [...options, ...pids.flatMap((pid) => ['-p', String(pid)])], { stdio: 'ignore' });
}
