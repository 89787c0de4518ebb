import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { callbackShots, eventShots, operatorShots, rawShots } from './generators.js';
import { type Hit, type Shot, endShots, shoot, shootRaw } from './shots.js';
import { type Vitals, type WatchedService, startWatched } from './watched-service.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';

/** `npm run test:bad-input` sends all of them. */
const BODIES = 'longRuns' in globalThis ? 24_000 : 3_000;
const AT_ONCE = 12;
const SHARES = { events: 0.5, callbacks: 0.1, operator: 0.3, raw: 0.1 };
const MAX_RUN_MS = 20 * 60_000;

const MB = 1_000_000;
const MAX_HEAP_GROWTH_BYTES = 40 * MB;
const MAX_RSS_BYTES = 900 * MB;

let service: WatchedService;
let known = '';
let before: Vitals;
const counts = new Map<string, number>();

beforeAll(async () => {
  service = await startWatched();
  known = await booked();
  // What is loaded and compiled at the first time only is no leak.
  await Promise.all(fc.sample(eventShots, { numRuns: 200, seed: 1 }).map((shot) => shoot(service.port, shot)));
  before = await service.vitals();
});

afterAll(async () => {
  endShots();
  await service.stop();
  const list = [...counts].sort().map(([what, count]) => `${what}: ${count}`);
  process.stdout.write(`${[...list].join('\n')}\n`);
});

/** Books one shipment from beginning to end. @returns its consignment */
async function booked(): Promise<string> {
  const { control } = service.sandbox;
  const { shipment, containers } = sampleShipments.oneParcel;
  const { id } = control.createShipment({ area: 1, shipment: { ...shipment, carrierName: 'GLS' }, containers });
  const document = control.createTransportBooking(id);
  const status = () => control.state().documents.find((row) => row.id === document.id)?.workStatus;
  await until('a sound shipment is booked', () => status() === 'DONE');
  const answer = await fetch(`${service.url}/api/v1/consignments?q=${document.id}`, {
    headers: { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` },
  });
  const { consignments } = (await answer.json()) as { readonly consignments: readonly { readonly id: string }[] };
  return consignments[0]?.id ?? '';
}

function count(room: string, hit: Hit): void {
  const what = `${room} ${hit}`;
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** A refused body may cut the connection; anything else must be answered, and never by "something went wrong". */
function isClean(hit: Hit, { body }: Shot): boolean {
  if (typeof hit === 'number') return hit >= 200 && hit < 500;
  return (body?.length ?? 0) > MB && ['EPIPE', 'ECONNRESET'].includes(hit);
}

let heard = 0;

/** What the service has complained about since it was asked last. */
function newComplaints(): readonly string[] {
  const all = service.complaints();
  const fresh = all.slice(heard);
  heard = all.length;
  return fresh;
}

function volleys(shots: fc.Arbitrary<Shot>): fc.Arbitrary<readonly Shot[]> {
  return fc.array(shots, { minLength: AT_ONCE, maxLength: AT_ONCE });
}

function rounds(share: number): number {
  return Math.ceil((BODIES * share) / AT_ONCE);
}

async function fire(room: string, shots: fc.Arbitrary<Shot>, share: number): Promise<void> {
  const property = fc.asyncProperty(volleys(shots), async (volley) => {
    const hits = await Promise.all(volley.map((shot) => shoot(service.port, shot)));
    hits.forEach((hit) => count(room, hit));
    const dirty = volley.flatMap((shot, index) => {
      const hit = hits[index] ?? 'nothing';
      return isClean(hit, shot) ? [] : [`${hit} to ${shot.method} ${shot.path} ${shot.body?.subarray(0, 400)}`];
    });
    expect([dirty, service.ended(), newComplaints()]).toEqual([[], null, []]);
  });
  await fc.assert(property, { numRuns: rounds(share), endOnFailure: true });
}

describe('whatever is sent', () => {
  it('as events is taken, or refused cleanly', () => fire('events', eventShots, SHARES.events), MAX_RUN_MS);

  it('as callbacks finds nobody', () => fire('callbacks', callbackShots, SHARES.callbacks), MAX_RUN_MS);

  it(
    'to the operator is answered, or refused cleanly',
    () => fire('operator', operatorShots(known), SHARES.operator),
    MAX_RUN_MS,
  );

  it(
    'that is no HTTP, or several requests in one, ends its connection only',
    async () => {
      const property = fc.asyncProperty(
        fc.array(rawShots, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (volley) => {
          const answers = await Promise.all(volley.map((bytes) => shootRaw(service.port, bytes)));
          answers.forEach((answer) => count('raw', /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed'));
          expect(answers.filter((answer) => /^HTTP\/1\.1 5/m.test(answer))).toEqual([]);
          expect([service.ended(), newComplaints()]).toEqual([null, []]);
        },
      );
      await fc.assert(property, { numRuns: rounds(SHARES.raw), endOnFailure: true });
    },
    MAX_RUN_MS,
  );
});

describe('afterwards', () => {
  it('holds no more than before', async () => {
    const after = await service.vitals();
    const mb = (bytes: number) => Math.round(bytes / MB);
    process.stdout.write(
      `heap ${mb(before.heapUsed)} MB before, ${mb(after.heapUsed)} MB after; resident ${mb(before.rss)} MB, ${mb(after.rss)} MB; ` +
        `longest standstill ${Math.round(after.longestMs)} ms\n`,
    );
    expect(after.heapUsed - before.heapUsed).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
    expect(after.rss).toBeLessThan(MAX_RSS_BYTES);
  });

  it('books as before', async () => {
    expect(await booked()).not.toBe('');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});
