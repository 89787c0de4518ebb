// Load from this process: requests that leave when they are due, whether or not earlier ones were answered.
import { Buffer } from 'node:buffer';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A timer may be this early, and the rest is waited for actively. */
const TIMER_MS = 2;
const ANSWERED_WITHIN_MS = 60_000;
/** Below the five seconds after which a server of Node closes a connection that nobody uses. */
const IDLE_CONNECTION_MS = 2_000;

/**
 * @param plan `perSecond`, `count`; `send(n, dueAt)` begins what is due, `dueAt` in milliseconds since 1970
 * @returns for each, in order, what `send` resolved to
 */
export async function openLoop({ perSecond, count, send }) {
  const beganAt = Date.now() + TIMER_MS;
  const sent = [];
  for (let n = 0; n < count; n += 1) {
    const dueAt = beganAt + (n * 1_000) / perSecond;
    const left = dueAt - Date.now();
    if (left > 0) await pause(left);
    const one = send(n, dueAt);
    // `Promise.all` below reports the error. Without this handler Node would end the bench before that.
    one.catch(() => undefined);
    sent.push(one);
  }
  return Promise.all(sent);
}

/** @returns a client that keeps up to so many connections open; `end` closes them */
export function createClient({ connections = 256 } = {}) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_CONNECTION_MS });
  const send = (method, url, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
      const options = { method, agent, headers: { ...headers, ...length }, timeout: ANSWERED_WITHIN_MS };
      const request = http.request(url, options, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.once('end', () =>
          resolve({ status: answer.statusCode, text: chunks.map((chunk) => chunk.toString('utf8')).join('') }),
        );
        answer.once('error', reject);
      });
      request.once('timeout', () => request.destroy(new Error(`${method} ${url}: no answer in time`)));
      request.once('error', reject);
      request.end(text);
    });
  return { send, end: () => agent.destroy() };
}
