// How many bookings a second services end when there is always more to do.
const LOOKS_EVERY_MS = 50;
const WITHIN_MS = 300_000;

/**
 * Posts the events of bookings, in turn to each service, so that there are always so many under way, and waits until the
 * documents are DONE. All of them at once would measure how a backlog is kept: workers are told to wait after 15 seconds.
 * @returns bookings a second, from the first event to the last answer of the IMS
 */
export async function drain({ frame, sandbox, client, services }, { bookings, atOnce }) {
  const already = await sandbox.control.done();
  const beganAt = Date.now();
  let posted = 0;
  const go = async () => {
    const done = (await sandbox.control.done()) - already;
    const next = bookings.slice(posted, done + atOnce);
    await Promise.all(next.map(({ event }, n) => post(client, services[(posted + n) % services.length], event)));
    posted += next.length;
    return done >= bookings.length;
  };
  await frame.until('the bookings are done', go, { withinMs: WITHIN_MS, everyMs: LOOKS_EVERY_MS });
  const endedAt = Math.max(...(await sandbox.control.lastAnswers(bookings.map(({ documentId }) => documentId))));
  return (bookings.length * 1_000) / (endedAt - beganAt);
}

async function post(client, service, body) {
  const { status } = await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body });
  if (status !== 202) throw new Error(`an event was answered ${status}`);
}
