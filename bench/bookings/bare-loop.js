// The requests of bookings and nothing else: no rules, no ledger, nothing written down. A process of its own.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { sandboxSecrets } from '../../dist/src/cli/sandbox/sandbox-config.js';
import { createHttpPort } from '../../dist/src/transport/http-port.js';

const TIMEOUT_MS = 30_000;
/** What the log of the sandbox shows in place of a file. */
const FILE = /^<(\d+) characters>$/;

const http = createHttpPort({ allowPrivateAddresses: 'allowed' });

process.on('message', (plan) => {
  bookAll(plan).then(
    (perSecond) => process.send({ perSecond }),
    (error) => process.send({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function bookAll({ bookings, atOnce, ...plan }) {
  const trips = roundTrips(plan.recorded.requests);
  const left = bookings.values();
  const beganAt = Date.now();
  const bookNext = async () => {
    for (const booking of left) await book(booking, trips, plan);
  };
  await Promise.all(Array.from({ length: atOnce }, bookNext));
  return (bookings.length * 1_000) / (Date.now() - beganAt);
}

/** What left before the first of a trip was answered belongs to the trip. */
function roundTrips(requests) {
  const trips = [];
  let endsAt = -Infinity;
  for (const request of requests.toSorted((a, b) => a.at - b.at)) {
    const end = request.at + request.durationMs;
    if (request.at < endsAt) trips.at(-1).push(request);
    else trips.push([request]);
    endsAt = request.at < endsAt ? Math.min(endsAt, end) : end;
  }
  return trips;
}

async function book(booking, trips, plan) {
  for (const trip of trips) await Promise.all(trip.map((request) => send(request, booking, plan)));
}

async function send({ target, method, path, body }, booking, { recorded, headers, imsBaseUrl, url }) {
  const names = ['documentId', 'shipmentId', 'containerId', 'shipmentNumber'];
  const ours = new Map(names.map((name) => [String(recorded.booking[name]), String(booking[name])]));
  const own = (text) => text.replaceAll(/\b\d+\b/g, (number) => ours.get(number) ?? number);
  const isIms = target === 'ims';
  const answer = await http.send({
    ...{ method, timeoutMs: TIMEOUT_MS, url: `${isIms ? imsBaseUrl : `${url}/carriers/${target}`}${own(path)}` },
    ...(isIms ? { headers: headers[booking.area - 1] } : {}),
    ...(body === null ? {} : { json: JSON.parse(own(JSON.stringify(body)), revived) }),
    // As the client of the IMS does: what may be repeated shares its connections.
    ...(isIms && !path.includes('/invocations/') ? { effect: 'repeatable' } : {}),
  });
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${Buffer.from(answer.body).toString()}`);
}

/** Puts back what the log leaves out: passwords, and a file of the same length. */
function revived(member, value) {
  if (member === 'Password') return sandboxSecrets.GLS_PASSWORD;
  const [, length] = (typeof value === 'string' && FILE.exec(value)) || [];
  return length === undefined ? value : 'A'.repeat(Number(length));
}
