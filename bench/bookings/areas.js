// Many areas at once in one process, against a bare loop that makes the same HTTP requests with the same client and keeps
// no ledger.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { drain } from './drain.js';

export const name = 'areas';
export const seconds = 90;

const AREAS = 40;
const EACH = 10;
const WARM_UP_EACH = 2;
const IMS_MS = 20;
/** Bookings under way, of both: enough that the processor, not the waiting, is what limits them. */
const AT_ONCE = 80;
const BARE_LOOP = fileURLToPath(new URL('./bare-loop.js', import.meta.url));

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS, areas: AREAS });
  const service = await frame.service(sandbox);
  const around = { frame, sandbox, client: await frame.client(), services: [service] };
  const recorded = await recordedBooking(around);
  const perSecond = async (each) =>
    drain(around, { bookings: await sandbox.control.addBookings({ areas: AREAS, count: each }), atOnce: AT_ONCE });
  await perSecond(WARM_UP_EACH);
  const ours = await perSecond(EACH);
  await service.end();
  const bare = await bareLoop({ frame, sandbox }, recorded);
  frame.measure(`${AREAS} areas at once, of a bare loop's bookings a second`, {
    ...{ value: (ours / bare) * 100, unit: '%', goal: { atLeast: 60 } },
    control: [
      { what: 'ours', value: ours, unit: 'bookings/s' },
      { what: 'bare loop', value: bare, unit: 'bookings/s' },
    ],
  });
}

/** What the service sends for one booking, as the sandbox saw it, by round trip. */
async function recordedBooking(around) {
  const { sandbox } = around;
  // What is kept for later ones is fetched by the first.
  await drain(around, { bookings: await sandbox.control.addBookings({}), atOnce: 1 });
  await sandbox.control.forgetRequests();
  const [booking] = await sandbox.control.addBookings({});
  await drain(around, { bookings: [booking], atOnce: 1 });
  const recorded = async () => (await sandbox.control.requests({})).filter(({ target }) => target !== 'token');
  const isAnswered = async () => (await recorded()).every(({ durationMs }) => durationMs !== null);
  await around.frame.until('every request is answered', isAnswered);
  return { booking, requests: await recorded() };
}

async function bareLoop({ frame, sandbox }, recorded) {
  const child = fork(BARE_LOOP, { execArgv: [], serialization: 'advanced' });
  frame.atEnd(() => child.kill('SIGKILL'));
  const headers = [];
  for (let area = 1; area <= AREAS; area += 1) headers.push(await sandbox.control.credentials(area));
  const perSecond = async (each) => {
    const bookings = await sandbox.control.addBookings({ areas: AREAS, count: each });
    const { imsBaseUrl, url } = sandbox;
    child.send({ recorded, bookings, headers, atOnce: AT_ONCE, imsBaseUrl, url });
    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (answer?.perSecond === undefined) throw new Error(`the bare loop failed: ${answer?.error ?? 'it has ended'}`);
    return answer.perSecond;
  };
  await perSecond(WARM_UP_EACH);
  return perSecond(EACH);
}
