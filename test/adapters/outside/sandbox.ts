import { expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { programOf } from './elsewhere.js';

const WAITS_MS = 90_000;

/**
 * The sandbox with the service beside it, as a process of its own.
 * @param line as the page has it; the ports are others
 */
export async function startSandbox(folder: string, line: string) {
  const words = [...line.replace(/^npx waybridge /, '').split(' '), '--port', '0', '--service-port', '0'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, [programOf(folder), ...words], { cwd: folder, stdio: [...stdio] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const until = async (condition: () => Promise<boolean> | boolean) => {
    for (const end = Date.now() + WAITS_MS; !(await condition());) {
      if (Date.now() > end) throw new Error(`waited too long; the program said: ${said}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  await until(() => said.includes('The first booking'));
  expect(said).toContain('"carrierName":"Fjordpost"');
  const url = /control +(http:\/\/[^/]+)/.exec(said)?.[1] ?? '';
  // What came is looked at freely: a test asserts its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const asked = async (path: string, init?: RequestInit): Promise<any> => {
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  return {
    url,
    until,
    post: (path: string, body: object) =>
      asked(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    state: () => asked('/control/state'),
    bookings: () => asked('/control/carriers/fjordpost/bookings'),
    stop: async () => {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await gone;
    },
  };
}
