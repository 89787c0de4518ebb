import { setTimeout as sleepFor } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { HttpRequest } from '../../carriers/contract/http-port.js';
import type { Log } from '../../src/log.js';
import { silentLog } from '../../src/log.js';
import { createRateLimit } from '../../src/ims/limits/rate-limit.js';
import { createSlots, wholeShare } from '../../src/ims/limits/slots.js';
import { createHttpPort } from '../../src/transport/http-port.js';
import type { TestIms } from './ims-server.js';
import { API_KEY, memoryUsage, startTestIms } from './ims-server.js';
import { busiestSecond } from './limits/instances.js';

let ims: TestIms;
afterEach(() => ims.close());

/** Real time that keeps no process alive. */
const realSleep = (ms: number) => sleepFor(ms, undefined, { ref: false });

/** Slots are never given back; waits between tries, which are short, are over at once. */
const keepSlots = (ms: number) => (ms < 1_000 ? Promise.resolve() : new Promise<void>(() => undefined));

const shipment = { status: 200, json: { id: 1, shipmentNumber: '10045' } };

describe('the rate limit of a key', () => {
  it('lets 120 calls through without ever showing the IMS more than 50 in a second', async () => {
    const clock = { now: () => new Date() };
    const port = createHttpPort({ allowPrivateAddresses: 'allowed' });
    const stamped = (request: HttpRequest) => ({
      ...request,
      headers: { ...request.headers, 'sent-at': String(performance.now()) },
    });
    const http = { ...port, send: (request: HttpRequest) => port.send(stamped(request)) };
    ims = await startTestIms({ api: () => shipment, tools: { clock, sleep: realSleep, http } });
    await ims.client.token();
    await Promise.all(Array.from({ length: 120 }, () => ims.area().loadShipment('1')));
    port.close();
    const journeys = ims.calls.map(({ headers, atMs }) => ({ sentAt: Number(headers['sent-at']), heardAt: atMs }));
    expect(journeys).toHaveLength(120);
    expect(journeys.every(({ sentAt, heardAt }) => sentAt > 0 && sentAt <= heardAt)).toBe(true);
    expect(busiestSecond(journeys)).toBeLessThanOrEqual(50);
  });

  it('sends a booking before what nobody waits for', async () => {
    const gates: (() => void)[] = [];
    const sleep = () => new Promise<void>((over) => gates.push(over));
    ims = await startTestIms({ api: () => shipment, tools: { sleep } });
    await ims.client.token();
    const filling = Array.from({ length: 50 }, () => ims.area('background').loadShipment('1'));
    await Promise.all(filling);
    const background = ims.area('background').loadShipment('background');
    const booking = ims.area().loadShipment('booking');
    const release = setInterval(() => gates.shift()?.(), 1);
    await Promise.all([background, booking]);
    clearInterval(release);
    expect(ims.calls.slice(-2).map(({ url }) => url)).toEqual(['/2/shipments/booking', '/2/shipments/background']);
    gates.splice(0).forEach((over) => over());
  });

  it('is one for everybody who uses the key, and another for another key', async () => {
    ims = await startTestIms({ api: () => shipment, tools: { sleep: keepSlots } });
    await ims.client.token();
    await Promise.all(Array.from({ length: 50 }, () => ims.area().loadShipment('1')));
    const waiting = ims.client.area('550', API_KEY).loadShipment('1');
    await expect(ims.client.area('551', 'area-551-key').loadShipment('2')).resolves.toBeDefined();
    await ims.client.close();
    await expect(waiting).rejects.toMatchObject({ name: 'ImsUnavailable', effect: 'none' });
    expect(ims.calls).toHaveLength(51);
  });

  it('rejects at once what would leave too late', async () => {
    ims = await startTestIms();
    const slots = createSlots({ keyId: 'key', share: wholeShare, pool: null, sleep: keepSlots });
    const limit = createRateLimit({ clock: ims.clock, sleep: keepSlots, slots });
    const turn = { priority: 'booking', deadlineMs: ims.clock.now().getTime() + 1_000 } as const;
    await Promise.all(Array.from({ length: 50 }, () => limit.take(turn)));
    const waiting = Array.from({ length: 50 }, () => limit.take(turn));
    const oneSecondLater = limit.take(turn);
    await expect(oneSecondLater).rejects.toMatchObject({ effect: 'none', retryAfterMs: 1_020 });
    limit.close();
    const reasons = await Promise.allSettled(waiting);
    expect(reasons.filter(({ status }) => status === 'rejected')).toHaveLength(50);
  });

  it('does not take a request for arrived because the process stood still after it left', async () => {
    ims = await startTestIms();
    const sleeping: (() => void)[] = [];
    const sleep = () => new Promise<void>((over) => sleeping.push(over));
    /** However long: every timer is due, each once. */
    const standStill = async () => {
      for (const over of sleeping.splice(0)) over();
      await new Promise((done) => setImmediate(done));
    };
    const slots = createSlots({ keyId: 'key', share: wholeShare, pool: null, sleep });
    const { permits } = await slots.take({ booking: 50, background: 0 });
    for (const permit of permits) permit.leaves();
    await standStill();
    await standStill();
    expect((await slots.take({ booking: 1, background: 0 })).permits).toHaveLength(0);
  });

  it('holds the slot of a request until it has left, however long the process stands still before that', async () => {
    ims = await startTestIms();
    const atOnce = () => Promise.resolve();
    const slots = createSlots({ keyId: 'key', share: wholeShare, pool: null, sleep: atOnce });
    const { permits } = await slots.take({ booking: 60, background: 0 });
    expect(permits).toHaveLength(50);
    await sleepFor(5);
    expect((await slots.take({ booking: 1, background: 0 })).permits).toEqual([]);
    permits[0]?.leaves();
    await sleepFor(5);
    expect((await slots.take({ booking: 2, background: 0 })).permits).toHaveLength(1);
  });

  it('pauses for all calls of the key when the IMS asks for it', async () => {
    ims = await startTestIms({
      api: (_request, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '60' } } : shipment),
    });
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({ retryAfterMs: 60_000, effect: 'none' });
    await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).rejects.toMatchObject({ retryAfterMs: 60_000 });
    expect(ims.calls).toHaveLength(1);
    ims.clock.forward(60_000);
    await expect(ims.area().loadShipment('1')).resolves.toBeDefined();
  });

  it('never believes in a pause of years', async () => {
    ims = await startTestIms({
      api: (_request, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '99999999' } } : shipment),
    });
    await expect(ims.area().loadShipment('1')).rejects.toThrow('status 429');
    ims.clock.forward(15 * 60_000);
    await expect(ims.area().loadShipment('1')).resolves.toBeDefined();
  });
});

const DAY = '2026-03-02';

/** As many were used before, by whomever. */
async function usedBefore(calls: number) {
  const usage = memoryUsage();
  const add = usage.add;
  const begun = new Set<string>();
  usage.add = async (keyId, day, more) => {
    if (day === DAY && !begun.has(keyId)) await add(keyId, day, calls);
    begun.add(keyId);
    return add(keyId, day, more);
  };
  return usage;
}

describe('the daily limit of a key', () => {
  it('stops bookings until the next UTC day, and keeps the last requests for telling workers', async () => {
    const usage = await usedBefore(99_498);
    ims = await startTestIms({ api: () => shipment, tools: { usage } });
    await ims.area().loadShipment('1');
    await ims.area().loadShipment('1');
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({
      name: 'ImsUnavailable',
      effect: 'none',
      retryAfterMs: 14 * 3_600_000,
      newDayAt: new Date('2026-03-03T00:00:00Z'),
    });
    expect(ims.area().requestsLeft()).toBe('nothing');
    await ims.area().postEventMessage('e-1', { time: 0, source: 'test', messageType: 'WARNING', messageText: 'Wait.' });
    expect(ims.calls).toHaveLength(3);
    ims.clock.forward(14 * 3_600_000);
    await expect(ims.area().loadShipment('1')).resolves.toBeDefined();
    expect(ims.area().requestsLeft()).toBe('everything');
  });

  it('leaves the last 5 % to bookings', async () => {
    ims = await startTestIms({ api: () => shipment, tools: { usage: await usedBefore(94_999) } });
    await ims.area('background').loadShipment('1');
    await expect(ims.area('background').loadShipment('1')).rejects.toMatchObject({
      message: 'The IMS allows this area 100000 requests a day. What is left is for bookings until midnight UTC.',
      newDayAt: new Date('2026-03-03T00:00:00Z'),
    });
    expect(ims.area().requestsLeft()).toBe('bookings');
    await expect(ims.area().loadShipment('1')).resolves.toBeDefined();
    expect(ims.calls).toHaveLength(2);
  });

  it.each([
    [80, 79_990, 'none yet'],
    [95, 94_990, 'only bookings run'],
    [100, 99_490, 'bookings wait too'],
  ])('says once a day that %d %% are used, with the areas and the numbers', async (percent, before, effect) => {
    const said: unknown[] = [];
    const log: Log = {
      ...silentLog,
      warn: (event, fields) => void (event === 'IMS daily budget' && said.push(fields)),
    };
    const usage = await usedBefore(before);
    ims = await startTestIms({ api: () => shipment, tools: { usage, log } });
    ims.client.area('551', API_KEY);
    for (let n = 0; n < 130; n += 1)
      await ims
        .area()
        .loadShipment('1')
        .catch(() => undefined);
    await ims.client.close();
    const ofThis = said.filter((fields) => (fields as { percent: number }).percent === percent);
    expect(ofThis).toEqual([
      expect.objectContaining({ areas: ['550', '551'], day: DAY, percent, effect, limit: 100_000 }),
    ]);
    expect(JSON.stringify(said)).not.toContain(API_KEY);
    await ims.close();
    said.length = 0;
    ims = await startTestIms({ api: () => shipment, tools: { usage, log } });
    await ims
      .area()
      .loadShipment('1')
      .catch(() => undefined);
    expect(said).toEqual([]);
  });

  it('is counted before the requests leave, so that a crash hides none of them', async () => {
    const usage = memoryUsage();
    ims = await startTestIms({ api: () => shipment, tools: { usage, sleep: keepSlots } });
    await Promise.all([1, 2, 3].map(() => ims.area().loadShipment('1')));
    expect([...usage.saved.values()]).toEqual([100]);
  });

  it('is exact after a stop, under a name that is not the key', async () => {
    const usage = memoryUsage();
    ims = await startTestIms({ api: () => shipment, tools: { usage, sleep: keepSlots } });
    await Promise.all([1, 2, 3].map(() => ims.area().loadShipment('1')));
    await ims.client.close();
    const [[name, calls] = ['', 0]] = usage.saved;
    expect(name).toMatch(/^[0-9a-f]{16} 2026-03-02$/);
    expect(calls).toBe(3);
  });

  it('is one for all instances', async () => {
    const usage = await usedBefore(94_000);
    ims = await startTestIms({ api: () => shipment, tools: { usage } });
    const other = await startTestIms({ api: () => shipment, tools: { usage } });
    const all = [ims, other].map(async (instance) => {
      for (let n = 0; n < 700; n += 1)
        await instance
          .area('background')
          .loadShipment('1')
          .catch(() => undefined);
    });
    await Promise.all(all);
    const sent = ims.calls.length + other.calls.length;
    expect(sent).toBeLessThanOrEqual(1_000);
    expect(sent).toBeGreaterThanOrEqual(800);
    await other.close();
  });

  it('counts on when the store cannot be reached, and adds all of it later', async () => {
    const usage = memoryUsage();
    const { add } = usage;
    usage.add = () => Promise.reject(new Error('database is down'));
    ims = await startTestIms({ api: () => shipment, tools: { usage, sleep: keepSlots } });
    for (let n = 0; n < 3; n += 1) await ims.area().loadShipment('1');
    usage.add = add;
    await ims.client.close();
    expect([...usage.saved.values()]).toEqual([3]);
  });
});
