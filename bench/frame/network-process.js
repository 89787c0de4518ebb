// A network between the service and its stand-ins, in a process of its own: TLS, and a distance. What leaves either side arrives half
// a round trip later; the first bytes of a connection a whole one later than that, since TCP's own handshake comes before them.
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers';
import tls from 'node:tls';
import { once } from 'node:events';
import { generate } from 'selfsigned';
import { answerParent } from './asked-process.js';

const DAY_MS = 86_400_000;
/** A timer may be late by this. */
const TIMER_MS = 2;
/** A request that comes within this of its connection's handshake waited for the handshake. */
const WAITED_MS = 10;

let roundTripMs = 0;
const counts = { connections: 0, open: 0, waits: 0 };
let lastWaitAt = -Infinity;

const methods = {
  begin,
  setRoundTrip: (ms) => void (roundTripMs = ms),
  counts: () => ({ ...counts }),
};

answerParent((method) => methods[method]);

/**
 * @param port of the stand-ins, which speak plain HTTP
 * @returns two ports at which they are reached over TLS, one for the IMS and one for the carriers, and the certificate that has to be
 *   believed
 */
async function begin({ port }) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    ...{ keyType: 'ec', algorithm: 'sha256', notBeforeDate: new Date(Date.now() - DAY_MS) },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const options = { key, cert, minVersion: 'TLSv1.3', ALPNProtocols: ['http/1.1'] };
  const secured = tls.createServer(options, (secure) => {
    const readyAt = performance.now();
    secure.once('data', () => performance.now() - readyAt < WAITED_MS && countWait(readyAt));
    join(secure, net.connect(port, '127.0.0.1'));
  });
  const { port: securePort } = await listening(secured);
  const away = async () => (await listening(distance(securePort))).port;
  return { imsPort: await away(), carrierPort: await away(), cert };
}

/** Connections that are made beside each other are one wait. */
function countWait(at) {
  if (at - lastWaitAt > roundTripMs / 2) counts.waits += 1;
  lastWaitAt = at;
}

/** @returns a server that hands everything on to a port, and back, from a distance */
function distance(port) {
  return net.createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    counts.connections += 1;
    counts.open += 1;
    near.once('close', () => (counts.open -= 1));
    const far = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    late(near, far, roundTripMs);
    late(far, near, 0);
    either(near, far);
  });
}

function join(one, other) {
  one.pipe(other);
  other.pipe(one);
  either(one, other);
}

/** When one of two breaks, so does the other. */
function either(one, other) {
  for (const [breaks, follows] of [
    [one, other],
    [other, one],
  ]) {
    breaks.on('error', () => follows.destroy());
    breaks.once('close', () => follows.destroy());
  }
}

/** Hands on what comes, in its order, half a round trip later. @param firstMs by which the first is later still */
function late(from, to, firstMs) {
  const notBefore = performance.now() + firstMs;
  const onTheWay = [];
  const arrive = () => {
    while (onTheWay.length > 0 && onTheWay[0].at <= performance.now()) onTheWay.shift().deliver();
    if (onTheWay.length > 0) wait();
  };
  // A timer of whole milliseconds is late by one as a rule: the last one is waited for actively.
  const wait = () => {
    const leftMs = onTheWay[0].at - performance.now();
    if (leftMs > TIMER_MS) setTimeout(arrive, leftMs - TIMER_MS);
    else setImmediate(arrive);
  };
  const send = (deliver) => {
    onTheWay.push({ at: Math.max(performance.now(), notBefore) + roundTripMs / 2, deliver });
    if (onTheWay.length === 1) wait();
  };
  from.on('data', (chunk) => send(() => to.writable && to.write(chunk)));
  from.once('end', () => send(() => to.end()));
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address();
}
