// How many single shipments the sandbox answers with in a second. It runs in a process of its own with its limits off; the
// requests come from this one, so both share the machine.
import autocannon from 'autocannon';

export const name = 'sandbox-reads';
export const seconds = 15;

const GOAL_PER_SECOND = 2_000;
const LOAD = { connections: 50, pipelining: 1, duration: 10 };
const WARM_UP_SECONDS = 2;

export async function run(frame) {
  const sandbox = await frame.sandbox({ limits: { requestsPerSecond: null, requestsPerDay: null } });
  const headers = { ...(await sandbox.control.credentials(1)), 'content-type': 'application/json' };
  const [{ shipmentId }] = await sandbox.control.addBookings({ containers: 2 });
  const url = `${sandbox.imsBaseUrl}/shipments/${shipmentId}`;
  await autocannon({ ...LOAD, url, headers, duration: WARM_UP_SECONDS });
  const { requests, latency, errors, non2xx } = await autocannon({ ...LOAD, url, headers });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors, ${non2xx} answers other than 2xx`);
  frame.measure('shipments read', {
    ...{ value: requests.average, unit: 'a second', goal: { atLeast: GOAL_PER_SECOND } },
    control: { what: 'p99', value: latency.p99, unit: 'ms' },
  });
}
