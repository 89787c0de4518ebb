import { setTimeout as sleepFor } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRateLimit } from '../../src/ims/rate-limit.js';
import type { TestIms } from './ims-server.js';
import { API_KEY, memoryUsage, startTestIms } from './ims-server.js';

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
    ims = await startTestIms({ api: () => shipment, tools: { clock, sleep: realSleep } });
    await ims.client.token();
    await Promise.all(Array.from({ length: 120 }, () => ims.area().loadShipment('1')));
    const arrivals = ims.calls.map(({ atMs }) => atMs).sort((a, b) => a - b);
    const perWindow = arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length);
    expect(arrivals).toHaveLength(120);
    expect(Math.max(...perWindow)).toBeLessThanOrEqual(50);
    expect((arrivals[49] ?? 0) - (arrivals[0] ?? 0)).toBeLessThan(900);
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

  it('turns away at once what would leave too late', async () => {
    ims = await startTestIms();
    const limit = createRateLimit({ clock: ims.clock, sleep: keepSlots });
    const turn = { priority: 'booking', deadlineMs: ims.clock.now().getTime() + 1_000 } as const;
    await Promise.all(Array.from({ length: 50 }, () => limit.take(turn)));
    const waiting = Array.from({ length: 50 }, () => limit.take(turn));
    const oneSecondLater = limit.take(turn);
    await expect(oneSecondLater).rejects.toMatchObject({ effect: 'none', retryAfterMs: 1_020 });
    limit.close();
    const reasons = await Promise.allSettled(waiting);
    expect(reasons.filter(({ status }) => status === 'rejected')).toHaveLength(50);
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

describe('the daily limit of a key', () => {
  it('stops until the next UTC day, across restarts', async () => {
    const usage = memoryUsage();
    usage.load = async (_keyId, day) => (day === '2026-03-02' ? 99_998 : 0);
    ims = await startTestIms({ api: () => shipment, tools: { usage } });
    await ims.area().loadShipment('1');
    await ims.area().loadShipment('1');
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({
      name: 'ImsUnavailable',
      effect: 'none',
      retryAfterMs: 14 * 3_600_000,
    });
    expect(ims.calls).toHaveLength(2);
    ims.clock.forward(14 * 3_600_000);
    await expect(ims.area().loadShipment('1')).resolves.toBeDefined();
  });

  it('is saved on close under a name that is not the key', async () => {
    const usage = memoryUsage();
    ims = await startTestIms({ api: () => shipment, tools: { usage, sleep: keepSlots } });
    await Promise.all([1, 2, 3].map(() => ims.area().loadShipment('1')));
    expect(usage.saved.size).toBe(0);
    await ims.client.close();
    const [[name, calls] = ['', 0]] = usage.saved;
    expect(name).toMatch(/^[0-9a-f]{16} 2026-03-02$/);
    expect(calls).toBe(3);
  });

  it('counts on when the store cannot be reached, and saves all of it later', async () => {
    const usage = memoryUsage();
    const load = usage.load;
    usage.load = () => Promise.reject(new Error('database is down'));
    ims = await startTestIms({ api: () => shipment, tools: { usage, sleep: keepSlots } });
    await ims.area().loadShipment('1');
    usage.load = load;
    await ims.client.close();
    expect([...usage.saved.values()]).toEqual([1]);
  });
});
