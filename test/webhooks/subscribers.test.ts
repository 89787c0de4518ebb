import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';
import { SECRET, signed } from '../tracking/callers.js';
import { type Receiver, isSignedWith, startReceiver } from './receiver.js';

const { oneParcel } = sampleShipments;

let service: Service;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      accounts: { ...config.accounts, pretend: { ...config.accounts['pretend'], callbacks: { secret: SECRET } } },
    }),
  });
});

afterEach(async () => {
  for (const { id } of (await service.operator('/subscribers')).body.subscribers)
    await service.operator(`/subscribers/${id}`, { method: 'DELETE' });
  for (const receiver of receivers.splice(0)) await receiver.close();
});

afterAll(() => service.stop());

async function subscribe(more: object = {}) {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const answer = await service.operator('/subscribers', { method: 'POST', body: { url: receiver.url, ...more } });
  expect(answer.status).toBe(201);
  return { receiver, ...(answer.body as { readonly id: string; readonly secret: string }) };
}

async function bookedNumber(area = 1): Promise<string> {
  const changes = { carrierName: 'Pretend', shipmentNumber: `o-${randomUUID().slice(0, 8)}` };
  return String((await service.run(oneParcel, changes, area)).trackingNumbers[0]);
}

async function callBack(trackingNumber: string, status: string, minute = 0): Promise<void> {
  const at = `2026-03-04T12:${String(minute).padStart(2, '0')}:00+01:00`;
  const { body, headers } = signed({ trackingNumber, status, at, place: 'Taulov' });
  expect((await service.ask('/callbacks/pretend', { method: 'POST', body, headers })).status).toBe(200);
}

describe('a subscriber', () => {
  it.each(['https://shop.example/\u0000x', 'https://shop.example/\u007fx', 'https://shop.example/\ud800'])(
    'is refused with an address that holds what is no character (%j), and nothing of it is logged',
    async (url) => {
      const answer = await service.operator('/subscribers', { method: 'POST', body: { url } });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(service.lines)).not.toContain('whsec_');
    },
  );

  it('gets every event of our parcels once, in our own words and signed', async () => {
    const { receiver, secret } = await subscribe();
    const number = await bookedNumber();
    await callBack(number, 'in-transit', 1);
    await callBack(number, 'in-transit', 1);
    await callBack(number, 'delivered', 2);
    await until('both are there', () => receiver.received.length >= 2);
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['tracking.in-transit', 'tracking.delivered']);
    expect(receiver.received[1]?.json).toMatchObject({
      timestamp: '2026-03-04T11:02:00.000Z',
      data: {
        ...{ area: '1', account: 'pretend', trackingNumber: number, parcelStatus: 'delivered' },
        event: { status: 'delivered', place: 'Taulov', at: '2026-03-04T12:02:00+01:00', zone: 'stated' },
      },
    });
    for (const received of receiver.received) expect(isSignedWith(secret, received)).toBe(true);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
  });

  it('hears of a parcel that was told of before it was registered', async () => {
    const { receiver } = await subscribe();
    const next = `PP${String(Number((await bookedNumber()).slice(2)) + 1).padStart(10, '0')}`;
    await callBack(next, 'handed-over');
    expect(await bookedNumber()).toBe(next);
    await until('it is told', () => receiver.received.length === 1);
    expect(receiver.received[0]?.json.data).toMatchObject({ trackingNumber: next });
  });

  it('hears nothing of other areas than its own', async () => {
    const { receiver: first } = await subscribe({ area: '1' });
    const { receiver: second } = await subscribe({ area: '2' });
    await callBack(await bookedNumber(2), 'in-transit');
    await callBack(await bookedNumber(1), 'in-transit');
    await until('each has its own', () => first.received.length === 1 && second.received.length === 1);
    expect([first, second].map(({ received }) => received[0]?.json.data.area)).toEqual(['1', '2']);
  });

  it('is not kept waiting by one that hangs, nor by one that is down', async () => {
    const { receiver: hanging } = await subscribe();
    hanging.answer = () => null;
    const { receiver: down } = await subscribe();
    await down.close();
    const { receiver } = await subscribe();
    const number = await bookedNumber();
    for (let minute = 0; minute < 20; minute += 1) await callBack(number, 'in-transit', minute);
    await until('it has all of them', () => receiver.received.length === 20);
    // The same one again, once its time is over.
    expect(new Set(hanging.received.map(({ id }) => id)).size).toBe(1);
  });

  it('knows both secrets after they were rotated, and the new one is shown once', async () => {
    const { receiver, id, secret } = await subscribe();
    const rotated = await service.operator(`/subscribers/${id}/rotate`, { method: 'POST' });
    expect(rotated.body.secret).not.toBe(secret);
    await callBack(await bookedNumber(), 'in-transit');
    await until('it is told', () => receiver.received.length === 1);
    const [received] = receiver.received;
    for (const each of [secret, rotated.body.secret]) expect(received && isSignedWith(each, received)).toBe(true);
    const list = await service.operator('/subscribers');
    expect(list.body.subscribers).toMatchObject([{ id, deadLetters: 0, waiting: expect.any(Number) }]);
    expect(list.bytes.toString()).not.toContain('whsec_');
  });

  it('hears nothing any more once it is removed', async () => {
    const { receiver, id } = await subscribe();
    const { receiver: other } = await subscribe();
    expect((await service.operator(`/subscribers/${id}`, { method: 'DELETE' })).status).toBe(204);
    await callBack(await bookedNumber(), 'in-transit');
    await until('the other one is told', () => other.received.length === 1);
    expect(receiver.received).toEqual([]);
    expect((await service.operator(`/subscribers/${id}/rotate`, { method: 'POST' })).status).toBe(404);
  });

  it.each([
    ['no address', { url: 'somewhere' }],
    ['another protocol', { url: 'ftp://shop.example/hook' }],
    ['a password in it', { url: 'https://user:word@shop.example/hook' }],
    ['an area that there is none of', { url: 'https://shop.example/hook', area: '77' }],
    ['something else', { url: 'https://shop.example/hook', secret: 'mine' }],
  ])('is refused with %s', async (_case, body) => {
    expect((await service.operator('/subscribers', { method: 'POST', body })).status).toBe(400);
  });

  it('is added by nobody without the token', async () => {
    const headers = { authorization: 'Bearer stranger' };
    expect((await service.operator('/subscribers', { headers })).status).toBe(401);
  });
});
