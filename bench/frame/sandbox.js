// A sandbox in a process of its own: it must share its processor time neither with the service nor with the load.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./sandbox-process.js', import.meta.url));

/**
 * @param options `imsMs`, `carrierMs`: how long every answer is held back; `areas`: how many there are, 1 to so many;
 *   `switches` of the sandbox
 * @returns its addresses; `control.<method>(…)`, the sandbox's control interface and what `sandbox-process.js` adds to
 *   it, each as a promise; `end`
 */
export async function startSandboxProcess(options = {}) {
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const waiting = new Map();
  let count = 0;
  const ask = (method, words) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      child.send({ n: count, method, words });
    });
  child.on('message', ({ n, value, error }) => {
    const { resolve, reject } = waiting.get(n);
    waiting.delete(n);
    if (error === undefined) resolve(value);
    else reject(new Error(`sandbox: ${error}`));
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the sandbox has ended'));
  });
  const addresses = await ask('begin', [options]);
  // Not a promise: nobody may take it for one.
  const control = new Proxy(
    {},
    {
      get:
        (_none, method) =>
        (...words) =>
          ask(String(method), words),
    },
  );
  const end = async () => {
    process.off('exit', killed);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { ...addresses, carrierUrl: (id) => `${addresses.url}/carriers/${id}`, control, end };
}
