import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventTarget } from '../../src/sandbox/events/event-target.js';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.js';
import type { Listener } from './support.js';
import { closeAll, openListener, openSandbox, read } from './support.js';

const tokenServers: (() => void)[] = [];

afterEach(async () => {
  await closeAll();
  for (const close of tokenServers.splice(0)) close();
});

const QUICK = { eventRetryFirstMs: 1, eventRetryLongestMs: 4 };

interface ListenOptions extends Partial<SandboxOptions> {
  readonly statuses?: readonly number[];
  readonly target?: Partial<EventTarget>;
}

async function listening({ statuses = [], target = {}, switches = {}, ...options }: ListenOptions = {}) {
  const listener = await openListener(statuses);
  const sandbox = await openSandbox({ ...options, switches: { ...QUICK, ...switches } });
  sandbox.control.setEventTargets([{ url: listener.url, ...target }]);
  return { sandbox, listener };
}

/** Emits events with the numbers from 1 on, in each of the areas. */
function emit(sandbox: Sandbox, count: number, areas: readonly number[] = [1]): void {
  for (let n = 1; n <= count; n += 1)
    for (const contextId of areas) sandbox.control.emitEvent({ contextId, type: 'counted', detail: { n } });
}

function numbersOf({ heard }: Listener, area = 1): readonly number[] {
  return heard.filter(({ detail }) => detail.contextId === String(area)).map(({ detail }) => detail.n);
}

async function setTargets(sandbox: Sandbox, targets: unknown) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(targets);
  return read(await fetch(`${sandbox.url}/control/targets`, { method: 'POST', headers, body }));
}

describe('a subscriber', () => {
  it('hears only what it asked for, in the form it asked for', async () => {
    const [bookings, stock] = [await openListener(), await openListener()];
    const sandbox = await openSandbox();
    const { control } = sandbox;
    const pattern = { documentType: ['TRANSPORT_BOOKING'], carrierName: ['GLS', null] };
    await setTargets(sandbox, [
      { url: bookings.url, eventTypes: ['documentCreated'], pattern },
      { url: stock.url, areas: [2], fields: ['eventId', 'delta'] },
    ]);
    const created = { contextId: 1, type: 'documentCreated' };
    control.emitEvent({ ...created, detail: { documentType: 'TRANSPORT_BOOKING', carrierName: 'GLS', n: 1 } });
    control.emitEvent({ ...created, detail: { documentType: 'TRANSPORT_BOOKING', carrierName: 'DAO', n: 2 } });
    control.emitEvent({ ...created, detail: { documentType: 'TRANSPORT_BOOKING', n: 3 } });
    control.emitEvent({ ...created, detail: { documentType: 'DELIVERY_NOTE', carrierName: 'GLS', n: 4 } });
    const eventId = control.emitEvent({ contextId: 2, type: 'availableStockChanged', detail: { delta: -2, x: 'y' } });
    await control.eventsDelivered();
    expect(numbersOf(bookings)).toEqual([1, 3]);
    expect(stock.heard).toEqual([{ eventId, delta: -2 }]);
    expect(control.state().events.map((event) => event.deliveries.length)).toEqual([1, 0, 1, 0, 1]);
  });

  it.each([
    ['everything', {}, true],
    ['one of the values', { n: [1, 2] }, true],
    ['none of the values', { n: ['1', 2] }, false],
    ['a value that is not there', { gone: [1] }, false],
    ['null for what is not there', { gone: [null] }, true],
    ['a member of an object', { address: { country: ['DK'] } }, true],
    ['another value of a member', { address: { country: ['SE'] } }, false],
    ['all members of an object', { address: { country: ['DK'], city: [null] } }, true],
    ['an object that is not there', { gone: { country: ['DK'] } }, false],
    ['null for a member of what is not there', { gone: { country: ['DK', null] } }, true],
  ])('with a pattern of %s', async (_case, pattern, hears) => {
    const { sandbox, listener } = await listening({ target: { pattern } });
    const detail = { n: 1, address: { country: 'DK' } };
    sandbox.control.emitEvent({ contextId: 1, type: 'counted', detail });
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toHaveLength(hears ? 1 : 0);
  });

  it.each([
    ['a single value in a pattern', { pattern: { address: { country: 'DK' } } }, 'pattern: address.country must be'],
    ['what is no address', { url: 'here' }, 'url: must be an address'],
    ['an unknown member', { patern: {} }, 'patern: is not known'],
    ['an unknown way to show who it is', { auth: { kind: 'smile' } }, 'auth.kind: must be bearer, key or oauth2'],
    ['areas that are no numbers', { areas: ['1'] }, 'areas: must be a list of whole numbers'],
  ])('cannot have %s', async (_case, wrong, words) => {
    const answer = await setTargets(await openSandbox(), { url: 'http://127.0.0.1:9/', ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } });
  });

  it('is refused in the process too when its pattern has a single value', async () => {
    const { control } = await openSandbox();
    const target = { url: 'http://127.0.0.1:9/', pattern: { n: 1 } };
    expect(() => control.setEventTargets([target])).toThrow('pattern.n: must be a list of values or an object');
  });

  it('can count other statuses as taken', async () => {
    const { sandbox, listener } = await listening({ statuses: [409], target: { ignoreStatusCodes: [409] } });
    emit(sandbox, 1);
    await sandbox.control.eventsDelivered();
    expect(listener.heard).toHaveLength(1);
    expect(sandbox.control.state().events[0]?.deliveries).toMatchObject([{ status: 409, outcome: 'delivered' }]);
  });
});

describe('the sender of events', () => {
  it.each([
    ['a bearer token', { kind: 'bearer', token: 'hush' }, { authorization: 'Bearer hush' }],
    ['a key', { kind: 'key', key: 'hush' }, { 'x-api-key': 'hush' }],
    ['a key in a header of its own', { kind: 'key', key: 'hush', header: 'X-Hook' }, { 'x-hook': 'hush' }],
  ])('shows %s', async (_case, auth, expected) => {
    const { sandbox, listener } = await listening();
    expect((await setTargets(sandbox, { url: listener.url, auth })).status).toBe(204);
    emit(sandbox, 1);
    await sandbox.control.eventsDelivered();
    expect(listener.headers).toEqual([expect.objectContaining(expected)]);
  });

  it('asks for a new token for every event, and tries again when it gets none', async () => {
    const asked: Record<string, string>[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      asked.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())));
      const isFirst = asked.length === 1;
      response.writeHead(isFirst ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ token_type: 'Bearer', access_token: `token-${asked.length}` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tokenServers.push(() => (server.close(), server.closeAllConnections()));
    const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
    const { sandbox, listener } = await listening();
    const auth = { kind: 'oauth2', authUrl, clientId: 'ims', clientSecret: 'hush', scope: 'events' };
    await setTargets(sandbox, { url: listener.url, auth });
    emit(sandbox, 2);
    await sandbox.control.eventsDelivered();
    const form = { grant_type: 'client_credentials', client_id: 'ims', client_secret: 'hush', scope: 'events' };
    expect(asked).toEqual([form, form, form]);
    expect(listener.headers.map(({ authorization }) => authorization)).toEqual(['Bearer token-2', 'Bearer token-3']);
    expect(sandbox.control.state().events.map(({ deliveries }) => deliveries[0]?.tries)).toEqual([2, 1]);
  });
});

describe('events', () => {
  it('keep the order of their area when some of them are refused at first', async () => {
    const { sandbox, listener } = await listening({ statuses: [503, 202, 500, 429, 503] });
    emit(sandbox, 5, [1, 2]);
    await sandbox.control.eventsDelivered();
    expect([...new Set(numbersOf(listener, 1))]).toEqual([1, 2, 3, 4, 5]);
    expect([...new Set(numbersOf(listener, 2))]).toEqual([1, 2, 3, 4, 5]);
    expect(listener.heard).toHaveLength(14);
  });

  it('of another area or for another target do not wait for one that fails', async () => {
    const { sandbox, listener } = await listening({
      switches: { eventRetryFirstMs: 60_000, eventRetryLongestMs: 60_000 },
    });
    const failing = await openListener([503]);
    sandbox.control.setEventTargets([{ url: failing.url }, { url: listener.url }]);
    emit(sandbox, 1, [1]);
    while (failing.heard.length === 0) await new Promise(setImmediate);
    emit(sandbox, 1, [1, 2]);
    while (listener.heard.length < 3 || failing.heard.length < 2) await new Promise(setImmediate);
    expect(numbersOf(failing, 1)).toHaveLength(1);
    expect(numbersOf(failing, 2)).toHaveLength(1);
  });

  it('overtake one that fails where nothing holds up the line', async () => {
    const { sandbox, listener } = await listening({
      statuses: [503],
      switches: { headOfLineBlocking: false, eventRetryFirstMs: 1_000, eventRetryLongestMs: 1_000 },
    });
    emit(sandbox, 3);
    await sandbox.control.eventsDelivered();
    expect(numbersOf(listener)).toEqual([1, 2, 3, 1]);
  });

  it('can come late', async () => {
    const { sandbox, listener } = await listening({ switches: { eventDelayMs: 60 } });
    const started = Date.now();
    emit(sandbox, 3);
    await sandbox.control.eventsDelivered();
    expect(numbersOf(listener)).toEqual([1, 2, 3]);
    expect(Date.now() - started).toBeGreaterThanOrEqual(55);
  });

  it('come twice and out of order where the switches say so, and none gets lost', async () => {
    const { sandbox, listener } = await listening({ switches: { eventOrder: 'shuffled', sendEventsTwice: true } });
    emit(sandbox, 20);
    await sandbox.control.eventsDelivered();
    const sorted = numbersOf(listener).toSorted((one, other) => one - other);
    expect(sorted).toEqual(Array.from({ length: 40 }, (_, index) => Math.floor(index / 2) + 1));
  });

  it('are shuffled by the seed alone, each overtaken by few', async () => {
    const orderOf = async (seed: number) => {
      const { sandbox, listener } = await listening({ seed, switches: { eventOrder: 'shuffled' } });
      emit(sandbox, 20);
      await sandbox.control.eventsDelivered();
      return numbersOf(listener);
    };
    const order = await orderOf(7);
    expect(await orderOf(7)).toEqual(order);
    expect(await orderOf(8)).not.toEqual(order);
    expect(order).not.toEqual(order.toSorted((one, other) => one - other));
    for (const [place, n] of order.entries())
      expect(order.slice(0, place).filter((before) => before > n).length).toBeLessThanOrEqual(3);
  });

  it('are shuffled the same way again after the seed was set', async () => {
    const { sandbox, listener } = await listening({ switches: { eventOrder: 'shuffled' } });
    const headers = { 'content-type': 'application/json' };
    for (let round = 0; round < 2; round += 1) {
      await fetch(`${sandbox.url}/control/seed`, { method: 'POST', headers, body: '{"seed":7}' });
      emit(sandbox, 12);
      await sandbox.control.eventsDelivered();
    }
    const numbers = numbersOf(listener);
    expect(numbers.slice(12)).toEqual(numbers.slice(0, 12));
  });
});
