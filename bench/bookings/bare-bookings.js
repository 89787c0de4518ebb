// The requests of a booking by a bare loop: what a booking costs at least, with Node's HTTP and nothing kept.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { drain } from './drain.js';

const PROGRAM = fileURLToPath(new URL('./bare-loop.js', import.meta.url));

/** What the service sends for one booking, as the sandbox saw it, by round trip. */
export async function recordedBooking(around) {
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

/**
 * A process that makes the requests of `recorded` for other bookings, so many at once.
 * @returns its `pid`, and `book`: with so many bookings of each area, says how many a second it made
 */
export async function startBareLoop({ frame, sandbox }, { recorded, areas, atOnce }) {
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' });
  frame.atEnd(() => child.kill('SIGKILL'));
  const headers = [];
  for (let area = 1; area <= areas; area += 1) headers.push(await sandbox.control.credentials(area));
  const book = async (each) => {
    const bookings = await sandbox.control.addBookings({ areas, count: each });
    const { imsBaseUrl, url } = sandbox;
    child.send({ recorded, bookings, headers, atOnce, imsBaseUrl, url });
    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (answer?.perSecond === undefined) throw new Error(`the bare loop failed: ${answer?.error ?? 'it has ended'}`);
    return answer.perSecond;
  };
  return { pid: child.pid, book };
}
