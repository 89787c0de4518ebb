import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';
import { type Call, FOREIGN_SECRET, PREVIOUS_SECRET, SECRET, signed } from './callers.js';

const { oneParcel } = sampleShipments;
const MINUTE_MS = 60_000;
/** Of one shipment: each test has one of them. */
const PARCELS = 26;
const OTHERS_DOCUMENT = '{"Shop":{"orderId":12345678901234567890.10},"Waybridge":{"note":"ours too"}}';

let service: Service;
let booked: Ending;
/** Its status is kept ten seconds after the call: that is waited for beside all other tests. */
let kept: Ending;
let numbers: readonly string[];
let number: string;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      areas: config.areas.map((area) => ({
        ...area,
        tracking: { tellDelivered: area['contextId'] === 1, keepStatus: area['contextId'] === 1 },
      })),
      accounts: {
        ...config.accounts,
        pretend: { ...config.accounts['pretend'], callbacks: { secret: SECRET, previousSecret: PREVIOUS_SECRET } },
        gls: { ...config.accounts['gls'], callbacks: { secret: SECRET, form: 'generic' } },
      },
    }),
  });
  const named = () => ({ carrierName: 'Pretend', shipmentNumber: `t-${randomUUID().slice(0, 8)}` });
  [booked, kept] = await Promise.all([service.run(parcels(PARCELS), named()), service.run(oneParcel, named())]);
  numbers = booked.trackingNumbers.map(String);
  await service.ims(`PATCH /shipments/${kept.consignment.shipmentId}`, { dataDocument: OTHERS_DOCUMENT });
  number = String(kept.trackingNumbers[0]);
  await post(signed(says('customs', 2)));
  await post(signed(says('in-transit', 1)));
});

afterAll(() => service.stop());

beforeEach(() => {
  const [next, ...others] = numbers;
  if (next === undefined) throw new Error(`there are more than ${PARCELS} tests`);
  number = next;
  numbers = others;
});

const post = (call: Call, account = 'pretend') =>
  service.ask(`/callbacks/${account}`, { method: 'POST', body: call.body, headers: call.headers });

const parcel = async (trackingNumber = number) => (await service.operator(`/parcels/${trackingNumber}`)).body;

async function untilStatus(status: string, trackingNumber = number): Promise<void> {
  await until(`parcel is ${status}`, async () => (await parcel(trackingNumber)).parcels?.[0]?.status === status);
}

const messages = () => service.messages(service.eventOf(booked.documentId)).filter(({ text }) => text.includes(number));

const at = (minute: number) => `2026-03-04T12:${String(minute).padStart(2, '0')}:00+01:00`;
const says = (status: string, minute = 0, more: object = {}) => ({
  events: [{ trackingNumber: number, status, at: at(minute), ...more }],
});

describe('a callback that is authentic', () => {
  it('moves the parcel, and the operator sees its status and its events', async () => {
    const answer = await post(
      signed(says('in-transit', 1, { text: 'Left the terminal', place: 'Taulov', code: 'T1' })),
    );
    expect([answer.status, answer.body]).toEqual([200, { outcome: 'stored' }]);
    await untilStatus('in-transit');
    expect(await parcel()).toMatchObject({
      trackingNumber: number,
      parcels: [{ account: 'pretend', area: '1', status: 'in-transit', place: 'Taulov', endedAt: null }],
      events: [{ status: 'in-transit', code: 'T1', text: 'Left the terminal', at: at(1), zone: 'stated' }],
    });
  });

  it('is taken under the previous secret too', async () => {
    const answer = await post(signed(says('out-for-delivery'), { secret: PREVIOUS_SECRET }));
    expect(answer.status).toBe(200);
    await untilStatus('out-for-delivery');
  });

  it('comes in the generic form for a carrier that has no form of its own', async () => {
    const gls = await service.run(oneParcel, { carrierName: 'GLS', shipmentNumber: `g-${randomUUID().slice(0, 8)}` });
    const glsNumber = String(gls.trackingNumbers[0]);
    const answer = await post(signed({ trackingNumber: glsNumber, status: 'handed-over', at: at(0) }), 'gls');
    expect(answer.status).toBe(200);
    await untilStatus('handed-over', glsNumber);
  });

  it('tells the worker of trouble, once for each status, and of delivery where the area wants it', async () => {
    await post(signed(says('delivery-failed', 1, { text: 'Nobody at home', place: 'Vejle' })));
    await post(signed(says('delivery-failed', 9, { text: 'Nobody at home' })));
    await post(signed(says('delivered', 20)));
    await until('two messages', () => messages().length >= 2);
    await untilStatus('delivered');
    await post(signed(says('delivery-failed', 30)));
    await until('all events are in', async () => (await parcel()).events.length === 4);
    await until('no message is left to tell', async () =>
      (await parcel()).parcels[0].told.every(
        ({ kind, state }: { kind: string; state: string }) => kind !== 'message' || state === 'done',
      ),
    );
    const { userId, deviceName } = booked.consignment.event;
    expect(messages().map(({ type }) => type)).toEqual(['WARNING', 'INFO']);
    expect(messages()[0]).toMatchObject({ userId, deviceName, text: expect.stringContaining('Nobody at home') });
  });

  it('waits for its parcel when it comes before the booking has ended', async () => {
    const early = signed({ trackingNumber: 'not-yet-1', status: 'in-transit', at: at(0) });
    expect((await post(early)).body).toEqual({ outcome: 'stored' });
    await until('the event is kept', async () => (await parcel('not-yet-1')).events?.length === 1);
    expect((await parcel('not-yet-1')).parcels).toEqual([]);
  });

  it('counts codes that nobody knows, and changes no status for them', async () => {
    await post(signed(says('in-transit', 1)));
    await post(signed(says('teleported', 5)));
    await until('both are kept', async () => (await parcel()).events?.length === 2);
    await untilStatus('in-transit');
    const { body } = await service.operator('/tracking/unrecognised');
    expect(body.codes).toContainEqual(expect.objectContaining({ account: 'pretend', code: 'teleported', count: 1 }));
  });

  it('has more events than anybody would send, and is taken whole', async () => {
    const many = Array.from({ length: 1_200 }, () => says('in-transit', 1).events[0]);
    const last = says('delivered', 2).events;
    expect((await post(signed({ events: [...many, ...last] }))).body).toEqual({ outcome: 'stored' });
    await untilStatus('delivered');
  });

  it('has events that cannot be read: the others are taken, and the log says how many are lost', async () => {
    const [fine] = says('in-transit', 1).events;
    const [timeless] = says('delivered').events.map((event) => ({ ...event, at: '2026-03-04 12:00' }));
    expect((await post(signed({ events: [fine, timeless] }))).body).toEqual({ outcome: 'stored' });
    await untilStatus('in-transit');
    const lost = service.lines.filter(({ event }) => event === 'callback events not readable');
    expect(lost.map(({ fields }) => fields)).toMatchObject([{ account: 'pretend', events: 1 }]);
  });

  it('is kept and ignored when there is nothing in it for us', async () => {
    expect((await post(signed({ hello: 'world' }))).body).toEqual({ outcome: 'ignored' });
    expect((await post(signed('not json'))).body).toEqual({ outcome: 'ignored' });
  });
});

describe('a callback that is not to be trusted', () => {
  const refusals: readonly (readonly [string, () => Call])[] = [
    ['signed by somebody else', () => signed(says('lost-or-damaged'), { secret: FOREIGN_SECRET })],
    ['not signed', () => ({ ...signed(says('lost-or-damaged')), headers: { 'content-type': 'application/json' } })],
    ['signed too long ago', () => signed(says('lost-or-damaged'), { at: new Date(Date.now() - 6 * MINUTE_MS) })],
    ['signed for later', () => signed(says('lost-or-damaged'), { at: new Date(Date.now() + 6 * MINUTE_MS) })],
    [
      'replayed with a new time',
      () => {
        const old = signed(says('lost-or-damaged'), { at: new Date(Date.now() - 6 * MINUTE_MS) });
        return { ...old, headers: { ...old.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) } };
      },
    ],
    [
      'cut short',
      () => {
        const whole = signed(says('lost-or-damaged'));
        return { ...whole, body: whole.body.slice(0, -7) };
      },
    ],
    [
      'changed by one byte',
      () => {
        const whole = signed(says('lost-or-damaged'));
        return { ...whole, body: `${whole.body} ` };
      },
    ],
    [
      'signed under another version',
      () => {
        const whole = signed(says('lost-or-damaged'));
        const signature = String(whole.headers['webhook-signature']).replace('v1,', 'v2,');
        return { ...whole, headers: { ...whole.headers, 'webhook-signature': signature } };
      },
    ],
    ['without a body', () => ({ ...signed(says('lost-or-damaged')), body: '' })],
  ];

  it.each(refusals)('is refused when it is %s, and nothing changes', async (_case, call) => {
    expect((await post(call())).status).toBe(401);
    await until('the parcel is registered', async () => (await parcel()).parcels?.length === 1);
    expect(await parcel()).toMatchObject({ parcels: [{ status: 'registered', told: [] }], events: [] });
  });

  it('changes nothing when it is replayed in time', async () => {
    const call = signed(says('customs', 3));
    expect((await post(call)).body).toEqual({ outcome: 'stored' });
    expect((await post(call)).body).toEqual({ outcome: 'known' });
    await until('it is told', () => messages().length === 1);
    expect((await parcel()).events).toHaveLength(1);
  });

  it('finds no account that takes none', async () => {
    expect((await post(signed(says('delivered')), 'dao')).status).toBe(404);
    expect((await post(signed(says('delivered')), 'nobody')).status).toBe(404);
    expect((await post(signed(says('delivered')), '__proto__')).status).toBe(404);
  });

  it('is not read to the end when it is too large', async () => {
    expect((await post(signed('x'.repeat(1_000_001)))).status).toBe(413);
  });

  it('does not speak for an account with another secret', async () => {
    const call = signed(says('delivered'), { secret: PREVIOUS_SECRET });
    expect((await post(call, 'gls')).status).toBe(401);
    const refusals = service.lines.filter(({ fields }) => fields['account'] === 'gls' && fields['leftOut'] === 0);
    expect(refusals).toMatchObject([{ level: 'warn', event: 'callback refused', fields: { from: '127.0.0.1' } }]);
    expect(service.lines.filter(({ event }) => event === 'not authentic')).toEqual([]);
  });
});

describe("the shipment's dataDocument", () => {
  it("keeps the newest status, and others' keys as they are", async () => {
    const shipmentId = Number(kept.consignment.shipmentId);
    const [keptNumber] = kept.trackingNumbers;
    const document = () =>
      String(service.control.state().shipments.find(({ id }) => id === shipmentId)?.['dataDocument']);
    await until('the status is kept', () => document().includes('customs'));
    expect(document()).toContain('"Shop":{"orderId":12345678901234567890.10}');
    const status = { trackingNumber: keptNumber, status: 'customs', at: '2026-03-04T11:02:00.000Z' };
    expect(JSON.parse(document()).Waybridge).toEqual({
      note: 'ours too',
      parcels: [expect.objectContaining(status)],
    });
  });
});
