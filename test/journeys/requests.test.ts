import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { sandboxSecret, sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, until } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';

const { oneParcel } = sampleShipments;
let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
  seamed.service.listenAgain();
});
afterAll(async () => seamed?.close());

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly step: string | null;
  readonly account: string | null;
  readonly status: number | null;
  readonly attempt: number;
  readonly fault: string | null;
  readonly isOpen: boolean;
  readonly tookMs: number;
  readonly because: string | null;
}

/** They are stored soon after the booking has come to rest. */
async function requestsOf({ consignment }: Ending, complete: (requests: readonly Shown[]) => boolean) {
  let requests: readonly Shown[] = [];
  await until('the requests are stored', async () => {
    requests = (await seamed.service.operator(`/consignments/${consignment.id}`)).body.requests;
    return complete(requests);
  });
  return requests;
}

const one = async ({ consignment }: Ending, { id }: Shown) =>
  (await seamed.service.operator(`/consignments/${consignment.id}/requests/${id}`)).body;

const isThere = (requests: readonly Shown[]) => requests.length > 0;

/** All that is kept of a consignment, as the database has it. */
async function storedOf({ consignment }: Ending): Promise<string> {
  const rows = await seamed.database.query<{ requests: string; texts: Uint8Array }>(
    'select requests::text, texts from consignment_request where consignment_id = $1',
    [consignment.id],
  );
  return rows.map(({ requests, texts }) => requests + inflateSync(texts).toString('utf8')).join('\n');
}

describe('the requests of a booking', () => {
  it('are its own, where more bookings come at once than are prepared beside each other', async () => {
    const { control } = seamed.service;
    control.addFault({
      ...{ target: 'ims', path: 'shipments', kind: 'latency', times: 'always' },
      distribution: { kind: 'constant', ms: 1_500 },
    });
    const burst = Array.from({ length: 30 }, () =>
      seamed.service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'slow:600' }),
    );
    const endings = await Promise.all(burst).finally(control.clearFaults);
    for (const ending of endings) {
      const requests = await requestsOf(ending, isThere);
      const { documentId, consignment } = ending;
      const names = requests.map(({ name }) => name);
      expect(names.filter((name) => name === `Set document ${documentId} to DONE`)).toHaveLength(1);
      expect(names.filter((name) => / to DONE$/.test(name))).toHaveLength(1);
      expect(names.filter((name) => /^Read shipment /.test(name))).toEqual([`Read shipment ${consignment.shipmentId}`]);
    }
  });

  it('are all there, in their order, with step, receiver, status and time', async () => {
    const ending = await seamed.service.run(oneParcel, { carrierName: 'GLS' });
    const requests = await requestsOf(ending, isThere);
    const { documentId, consignment } = ending;
    expect(requests.map(({ name, account, status }) => [name, account, status])).toEqual(
      expect.arrayContaining([
        [`Set document ${documentId} to ON_GOING`, null, 200],
        [`Read shipment ${consignment.shipmentId}`, null, 200],
        [expect.stringMatching(/^Book: /), 'gls', 200],
        [`Attach label to document ${documentId}`, null, 200],
        [`Set document ${documentId} to DONE`, null, 200],
      ]),
    );
    expect(requests.map(({ attempt, fault }) => [attempt, fault])).toEqual(requests.map(() => [1, null]));
    expect(requests.every(({ tookMs }) => Number.isInteger(tookMs) && tookMs >= 0)).toBe(true);
    expect(new Set(requests.map(({ step }) => step))).toEqual(new Set(['prepare', 'book', 'write']));
  });

  it('are shown as before where a version that did not compress them has stored them', async () => {
    const ending = await seamed.service.run(oneParcel, { carrierName: 'GLS' });
    const requests = await requestsOf(ending, isThere);
    const booking = requests.find(({ step }) => step === 'book')!;
    const before = await one(ending, booking);
    const rows = await seamed.database.query<{ n: number; texts: Uint8Array }>(
      'select n, texts from consignment_request where consignment_id = $1',
      [ending.consignment.id],
    );
    for (const { n, texts } of rows)
      await seamed.database.query('update consignment_request set texts = $3 where consignment_id = $1 and n = $2', [
        ...[ending.consignment.id, n, inflateSync(texts)],
      ]);
    expect(before.sides.request.body.value).toMatchObject({ Password: '***' });
    expect(await one(ending, booking)).toEqual(before);
  });

  it('have both sides, without labels, and without personal data', async () => {
    const ending = await seamed.service.run(oneParcel, { carrierName: 'GLS' });
    const requests = await requestsOf(ending, isThere);
    const booking = await one(
      ending,
      requests.find(({ step }) => step === 'book')!,
    );
    expect(booking.sides.request.body.value).toMatchObject({ Password: '***' });
    expect(JSON.stringify(booking.sides.answer.body.value)).toMatch(/\(\d+ characters\)/);
    expect(booking.curl).toMatch(/^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/carriers\/gls-dk\//);
    expect(booking.curl).toContain('"$PASSWORD"');
    const read = await one(
      ending,
      requests.find(({ name }) => name.startsWith('Read shipment'))!,
    );
    expect(read.sides.request.headers).toMatchObject({ authorization: 'Bearer ***', 'x-api-key': '***' });
    expect(read.sides.answer.body.value).toMatchObject({ id: Number(ending.consignment.shipmentId) });
    const shown = JSON.stringify([booking, read]);
    for (const personal of ['Signe', 'Birkevej', 'signe.lund', '22334455']) expect(shown).not.toContain(personal);
    const { deliveryAddress } = read.sides.answer.body.value;
    expect(deliveryAddress).toMatchObject({ addressee: '••••••', postalCode: '5000', cityTownOrVillage: 'Odense C' });
  });

  it('show a refusal in an answer with a good status as the fault of the carrier', async () => {
    const body = { status: 'FEJL', fejlkode: '12', fejltekst: 'Adressen Birkevej 12 findes ikke' };
    seamed.service.control.addFault({ target: 'dao', kind: 'status', status: 200, body });
    const ending = await seamed.service.run(oneParcel, { carrierName: 'DAO' });
    expect(ending.consignment.state).toBe('refused');
    const [booking, ...others] = (await requestsOf(ending, isThere)).filter(({ account }) => account === 'dao');
    expect([booking, others]).toMatchObject([{ status: 200, fault: 'carrier', isOpen: true }, []]);
    const { answer } = (await one(ending, booking!)).sides;
    expect(answer.body.value).toEqual({ ...body, fejltekst: 'Adressen •••••• findes ikke' });
  });
});

describe('a secret', () => {
  it('is never kept: not from headers, queries, bodies, nor from an answer that quotes it', async () => {
    const secrets = Object.values(sandboxSecrets);
    const quoting = secrets.map((secret) => `${secret} ${encodeURIComponent(`${secret} &`)}`).join(' ');
    const basic = Buffer.from(`full:${sandboxSecrets.IMS_CLIENT_SECRET}`).toString('base64');
    const body = {
      title: `wrong: ${quoting}`,
      [sandboxSecret('GLS_PASSWORD')]: basic,
      authorization: `Basic ${basic}`,
    };
    for (const target of ['gls-dk', 'dao', 'bring'])
      seamed.service.control.addFault({ target, kind: 'status', status: 400, body, times: 1 } as never);
    for (const carrierName of ['GLS', 'DAO', 'Bring']) {
      const ending = await seamed.service.run(oneParcel, { carrierName });
      await requestsOf(ending, isThere);
      const stored = await storedOf(ending);
      expect(stored).toContain('wrong: *** ');
      for (const secret of [...secrets, `Basic ${basic}`])
        expect([carrierName, stored]).toEqual([carrierName, expect.not.stringContaining(secret)]);
    }
  });
});

describe('a request that failed', () => {
  it('at the IMS is the fault of the IMS; its repetition is the second attempt', async () => {
    const path = 'shippingContainers';
    seamed.service.control.addFault({ target: 'ims', kind: 'status', status: 503, method: 'PATCH', path });
    const ending = await seamed.service.run(oneParcel, { carrierName: 'Bring' });
    const requests = await requestsOf(ending, isThere);
    const numbers = requests.filter(({ name }) => name.startsWith('Number to container'));
    expect(numbers.map(({ status, attempt, fault, isOpen }) => [status, attempt, fault, isOpen])).toEqual([
      [503, 1, 'ims', false],
      [200, 2, null, false],
    ]);
  });

  it('at the carrier is made good by a later attempt', async () => {
    const ending = await seamed.service.run(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'down:2' });
    const requests = await requestsOf(ending, (all) => all.some(({ step }) => step === 'write'));
    const bookings = requests.filter(({ step }) => step === 'book');
    expect(bookings.map(({ attempt, fault, isOpen }) => [attempt, fault, isOpen])).toEqual([
      [1, 'carrier', false],
      [2, 'carrier', false],
      [3, null, false],
    ]);
  });

  it('without an answer says why, and stays open', async () => {
    seamed.service.control.addFault({ target: 'gls-dk', kind: 'reset-after', method: 'POST' });
    const ending = await seamed.service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending.consignment.needsOperator).toBe(true);
    const requests = await requestsOf(ending, isThere);
    expect(requests.find(({ step }) => step === 'book')).toMatchObject({
      ...{ status: null, fault: 'carrier', isOpen: true },
      because: expect.stringContaining('ECONNRESET'),
    });
  });
});
