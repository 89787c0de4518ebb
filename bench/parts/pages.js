// How long the pages for operators and the lists behind them take with 100,000 consignments in the embedded database.
//
// BENCH_CONSIGNMENTS=20000 makes fewer.
/* global fetch, URLSearchParams */
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fillFolder } from '../frame/embedded-rows.js';

export const name = 'pages';
export const seconds = 120;

const MANY = Number(process.env.BENCH_CONSIGNMENTS ?? 100_000);
const TIMES = 11;
const GOAL_MS = 300;
/** Numbers as `many-consignments.sql` makes them. */
const CONSIGNMENTS = [
  ...['?q=M1000500', '?q=MT100000500', '?q=nothing', '?state=refused', '?state=incomplete&area=21', '?account=gls'],
];
const LISTS = [
  ...['/overview', '/consignments', '/consignments?state=incomplete,refused', '/consignments?needsOperator=true'],
  ...['/consignments?account=gls&sort=oldest', '/consignments?q=signe', '/handovers', '/handovers?state=failed'],
  ...['/tracking/given-up', '/tracking/failed', '/tracking/unrecognised', '/tracking/accounts', '/parcels/MT100000500'],
  ...['/audit', '/events', '/events?type=documentCreated', '/parcels', '/parcels?status=in-transit', '/dead-letters'],
];

export async function run(frame) {
  const sandbox = await frame.sandbox();
  const dataDir = await fillFolder(frame, sandbox, { count: MANY });
  const service = await frame.service(sandbox, { dataDir });
  const cookie = await signIn(service);
  const page = (path) => ask(`${service.url}${path}`, { cookie });
  const { text } = await page('/');
  const inSideBar = [...text.matchAll(/<a[^>]* href="(\/[a-z-]*)"/g)].map(([, href]) => href);
  const list = JSON.parse((await ask(`${service.url}/api/v1/consignments?limit=1`, service.operatorHeaders)).text);
  const one = `/consignments/${list.consignments[0].id}`;
  const filtered = CONSIGNMENTS.map((query) => `/consignments${query}`);
  for (const path of new Set([...inSideBar, ...filtered, one])) await measure(frame, `page ${path}`, () => page(path));
  for (const path of LISTS)
    await measure(frame, `list ${path}`, () => ask(`${service.url}/api/v1${path}`, service.operatorHeaders));
}

async function measure(frame, what, work) {
  const times = [];
  let status = 0;
  for (let n = 0; n < TIMES; n += 1) {
    const beganAt = performance.now();
    ({ status } = await work());
    times.push(performance.now() - beganAt);
  }
  // A part of the service that is not there yet.
  if (status === 404) return process.stdout.write(`  ${what}: 404\n`);
  if (status !== 200 && status !== 303) throw new Error(`${what}: ${status}`);
  frame.measure(what.replace(/[0-9a-f-]{36}/, '{id}'), {
    ...{ value: frame.percentile(times, 90), unit: 'ms', goal: { atMost: GOAL_MS } },
    control: { what: 'median', value: frame.median(times), unit: 'ms' },
  });
}

async function ask(url, headers) {
  const answer = await fetch(url, { headers, redirect: 'manual' });
  return { status: answer.status, text: await answer.text() };
}

/** @returns the cookie of a session */
async function signIn({ url, operatorHeaders }) {
  const form = await fetch(`${url}/sign-in`);
  const formToken = /name="formToken" value="([^"]+)"/.exec(await form.text())?.[1];
  const cookie = cookiesOf(form);
  const token = operatorHeaders.authorization.replace('Bearer ', '');
  const body = new URLSearchParams({ token, formToken, next: '/' });
  const answer = await fetch(`${url}/sign-in`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`signing in: ${answer.status}`);
  return cookiesOf(answer);
}

function cookiesOf(answer) {
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}
