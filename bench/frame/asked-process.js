// A process that does what the one that forked it asks for: each method of it is a promise there.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/**
 * For the process that is asked; it ends with its parent.
 * @param methodOf gives the function for a name; what it returns, or a promise of it, is the answer
 */
export function answerParent(methodOf) {
  process.on('message', ({ n, method, words }) => {
    Promise.resolve()
      .then(() => methodOf(method)(...words))
      .then(
        (value) => process.send({ n, value }),
        (error) => process.send({ n, error: String(error?.message ?? error) }),
      );
  });
  process.on('disconnect', () => process.exit());
}

/**
 * @param program its path
 * @param what names it in errors
 * @returns `control.<method>(…)`, each as a promise, and `end`
 */
export function forkAsked(program, what) {
  const child = fork(program, { execArgv: [], serialization: 'advanced' });
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
    else reject(new Error(`${what}: ${error}`));
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`the ${what} has ended`));
  });
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
  return { control, end };
}
