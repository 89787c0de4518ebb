// Runs the sandbox and does what the process that forked it asks for.
/* global fetch, URLSearchParams */
import { Buffer } from 'node:buffer';
import { carriers } from '../../dist/carriers/index.js';
import { sampleShipments } from '../../dist/src/sandbox/control/sample-shipments.js';
import { startSandbox } from '../../dist/src/sandbox/sandbox.js';
import { answerParent } from './asked-process.js';

const { containers: ONE_CONTAINER, shipment: SHIPMENT } = sampleShipments.oneParcel;

let control = null;
let url = null;
/** Areas count for themselves; that all of them have the same number at the same moment is not what is measured. */
let numbers = 700_000;

const methods = { begin, addBookings, credentials, done, arrivals, lastAnswers };

answerParent((method) => methods[method] ?? ((...words) => control[method](...words)));

async function begin({ imsMs = 0, carrierMs = 0, areas = 2, switches = {}, limits = {} }) {
  const sandbox = await startSandbox({ port: 0, carriers, switches, limits });
  control = sandbox.control;
  for (let contextId = 3; contextId <= areas; contextId += 1)
    control.addArea({
      contextId,
      apiKey: `area-${contextId}-key`,
      carriers: carriers.map(({ adapter }) => adapter.name),
    });
  slow('ims', imsMs);
  for (const { adapter } of carriers) slow(adapter.id, carrierMs);
  url = sandbox.url;
  const { imsBaseUrl, authUrl } = sandbox;
  return { url, imsBaseUrl, authUrl, areas };
}

function slow(target, ms) {
  if (ms > 0) control.addFault({ target, kind: 'latency', distribution: { kind: 'constant', ms }, times: 'always' });
}

/**
 * Shipments that are packed, each with a transport booking.
 * @param areas in turn in each of areas 1 to so many @param count in each
 * @param carrierName GLS gives the label with its answer, so that one call to the carrier is all there is
 * @returns for each `area`, `shipmentId`, `shipmentNumber`, `containerId` (of the first), `documentId`, and `event`, as it is posted to whoever listens, oldest first
 */
function addBookings({ areas = 1, count = 1, containers = 1, carrierName = 'GLS' }) {
  const boxes = Array.from({ length: containers }, () => ONE_CONTAINER[0]);
  const made = Array.from({ length: count * areas }, (_none, n) => {
    const area = 1 + (n % areas);
    numbers += 1;
    const shipment = { ...SHIPMENT, carrierName, shipmentNumber: String(numbers) };
    const {
      id: shipmentId,
      shipmentNumber,
      shippingContainers,
    } = control.createShipment({
      ...{ area, shipment, containers: boxes },
    });
    const containerId = shippingContainers[0]?.id;
    return { area, shipmentId, shipmentNumber, containerId, documentId: control.createTransportBooking(shipmentId).id };
  });
  const details = new Map(control.state().events.map(({ detail }) => [detail.documentId, detail]));
  return made.map((each) => ({
    ...each,
    event: { 'detail-type': 'documentCreated', detail: details.get(each.documentId) },
  }));
}

/** @returns the headers of a request to the IMS as an area */
async function credentials(area) {
  const answer = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('full:full-secret').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { token_type: type, access_token: token } = await answer.json();
  return { authorization: `${type} ${token}`, 'x-api-key': `area-${area}-key` };
}

/** @returns how many documents have ended as they should */
function done() {
  return control.documentsIn('DONE');
}

/** @returns for each request to the IMS that is remembered when it arrived, in milliseconds since 1970, and its status */
function arrivals() {
  return control.requests({ target: 'ims' }).map(({ at, status, area }) => ({ at, status, area }));
}

/** @returns when the last change of each of these documents was answered, in milliseconds since 1970 */
function lastAnswers(documentIds) {
  const wanted = new Set(documentIds.map(String));
  const times = new Map();
  for (const { method, path, at, durationMs } of control.requests({ target: 'ims' })) {
    const [, id] = /^\/documents\/(\d+)$/.exec(path) ?? [];
    if (method === 'PATCH' && wanted.has(id)) times.set(id, at + (durationMs ?? 0));
  }
  return documentIds.map((id) => {
    const at = times.get(String(id));
    if (at === undefined) throw new Error(`document ${id} was never changed`);
    return at;
  });
}
