// How many requests to the IMS a booking takes, and how many times it waits for the IMS: from the sandbox's log.
export const name = 'requests';
export const seconds = 20;

const CONTAINERS = [1, 2, 5, 20];
/** Time of each answer. Requests of one wave must all leave within it, also on a machine that is busy with other work. */
const IMS_MS = 1_000;
/** Read by the search for missed events, which begins a minute after the start; no booking reads a list. */
const LISTS = ['/documents', '/shipments'];

export async function run(frame) {
  const sandbox = await frame.sandbox({ imsMs: IMS_MS });
  const service = await frame.service(sandbox);
  const client = await frame.client();
  const book = (containers) => booking({ frame, sandbox, service, client }, containers);
  // The first booking also fetches the context and the token, which are kept.
  await book(1);
  for (const containers of CONTAINERS) {
    const requests = await book(containers);
    const prints = requests.filter(({ path }) => path.endsWith('/printResource'));
    const least = containers + 5 + 1;
    frame.measure(`requests for ${containers} containers`, {
      ...{ value: requests.length, unit: 'requests', goal: { atMost: least } },
      control: { what: 'prints among them', value: prints.length, unit: '' },
      note: requests.length > least ? requests.map(({ method, path }) => `${method} ${path}`).join(', ') : null,
    });
    frame.measure(`round trips for ${containers} containers`, {
      value: trips(requests),
      unit: '',
      goal: { atMost: 3 },
    });
  }
}

/** @returns the requests to the IMS for one booking */
async function booking({ frame, sandbox, service, client }, containers) {
  const [{ event }] = await sandbox.control.addBookings({ containers });
  const done = (await sandbox.control.done()) + 1;
  await sandbox.control.forgetRequests();
  await client.send('POST', `${service.url}/events`, { headers: service.eventHeaders, body: event });
  await frame.until('the booking is done', async () => (await sandbox.control.done()) === done);
  await frame.until('every request is answered', async () => {
    const requests = await sandbox.control.requests({ target: 'ims' });
    return requests.every(({ durationMs }) => durationMs !== null);
  });
  const requests = await sandbox.control.requests({ target: 'ims' });
  return requests.filter(({ method, path }) => method !== 'GET' || !LISTS.includes(path));
}

/** Counts round trips: a request that leaves before the first request of a trip is answered belongs to that trip. */
function trips(requests) {
  let count = 0;
  let endsAt = -Infinity;
  for (const { at, durationMs } of requests.toSorted((a, b) => a.at - b.at)) {
    if (at < endsAt) endsAt = Math.min(endsAt, at + durationMs);
    else {
      count += 1;
      endsAt = at + durationMs;
    }
  }
  return count;
}
