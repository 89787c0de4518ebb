import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { bring } from '../../carriers/bring/index.js';
import type { CallbackOutcome, CarrierAdapter, TrackingEvent } from '../../carriers/contract/index.js';
import { dao } from '../../carriers/dao/index.js';
import { carriers } from '../../carriers/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.js';
import { accountSettings } from '../carriers/contract-suite.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { testHttpPort } from '../carriers/test-http-port.js';
import { closeAll, openSandbox, read } from './support.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** For a busy machine. */
const WITHIN_MS = 90_000;

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
  await closeAll();
});

interface Heard {
  readonly raw: Buffer;
  readonly outcome: CallbackOutcome;
}

/** Takes callbacks as the service does; `statuses` are its first answers, whatever came. */
async function openReceiver(adapter: CarrierAdapter = pretend, statuses: readonly number[] = []) {
  const heard: Heard[] = [];
  const answers = [...statuses];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const delivery = { headers, secrets: { current: SECRET }, now: new Date() };
    const outcome = adapter.parseCallback?.(raw, delivery) ?? { kind: 'ignored', because: 'no callbacks' };
    heard.push({ raw, outcome });
    response.writeHead(answers.shift() ?? (outcome.kind === 'refused' ? 401 : 200)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/callbacks`, heard };
}

function eventsIn(heard: readonly Heard[]): readonly TrackingEvent[] {
  return heard.flatMap(({ outcome }) => (outcome.kind === 'events' ? outcome.events : []));
}

function kinds(heard: readonly Heard[]): readonly string[] {
  return heard.map(({ outcome }) => outcome.kind);
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  while (!condition() && Date.now() < end) await pause(5);
  expect(condition()).toBe(true);
}

/** A carrier's account in the sandbox, and how a parcel is booked there. */
function accountAt<Settings extends object>(
  sandbox: Sandbox,
  adapter: CarrierAdapter<Settings>,
  config: Readonly<Record<string, unknown>>,
) {
  const tools = { http: testHttpPort, clock: { now: () => new Date() }, baseUrl: sandbox.carrierUrl(adapter.id) };
  const account = adapter.connect(accountSettings(adapter, config), tools);
  const book = async (reference = '10045') => {
    const request = bookingRequest({ reference, parcels: [parcel()] });
    const { booking } = await account.book(request);
    const [booked] = booking.parcels;
    if (booked?.kind !== 'booked') throw new Error('not booked');
    return { booking, trackingNumber: booked.trackingNumber };
  };
  return { account, book };
}

const PRETEND = { apiKey: 'any' };

async function open(options: Partial<SandboxOptions> = {}) {
  const sandbox = await openSandbox({ carriers, ...options });
  const receiver = await openReceiver();
  sandbox.control.setCallbackTargets([{ carrier: 'pretend', url: receiver.url, secret: SECRET }]);
  return { sandbox, ...receiver, ...accountAt(sandbox, pretend, PRETEND) };
}

describe('parcels in the sandbox', () => {
  it('stay where they are unless somebody lets them travel', async () => {
    const { sandbox, heard, account, book } = await open();
    const { trackingNumber } = await book();
    await pause(100);
    expect(await account.track?.([trackingNumber])).toEqual([]);
    expect([heard, sandbox.control.callbacks()]).toEqual([[], []]);
  });

  it('travel as was planned for their reference, and both calls and answers tell the same of it', async () => {
    const { sandbox, heard, account, book } = await open({ switches: { parcelHourMs: 2 } });
    sandbox.control.planJourney('10045', 'returned');
    const { trackingNumber } = await book();
    const other = await book('10046');
    const statuses = ['registered', 'handed-over', 'in-transit', 'out-for-delivery', 'delivery-failed', 'returned'];
    // A later callback may be heard before an earlier one.
    await until(() => eventsIn(heard).length >= statuses.length);

    const byTime = eventsIn(heard).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    expect(byTime.map(({ status }) => status)).toEqual(statuses);
    const asked = await account.track?.([trackingNumber, other.trackingNumber]);
    expect(asked?.toReversed()).toEqual(byTime);
  });

  it('have the same fate whenever the seed is the same, and some have another one', async () => {
    const fates = async (seed: number) => {
      const { book, account } = await open({ seed, switches: { parcelsTravel: true, parcelHourMs: 1 } });
      const numbers: string[] = [];
      while (numbers.length < 20) numbers.push((await book(`100${numbers.length}`)).trackingNumber);
      const begin = Date.now();
      let told: readonly TrackingEvent[] = [];
      const ends = (number: string) => told.find((event) => event.trackingNumber === number)?.status ?? '';
      const isOver = () => numbers.every((number) => /delivered|returned|lost/.test(ends(number)));
      while (!isOver() && Date.now() - begin < WITHIN_MS) told = (await account.track?.(numbers)) ?? [];
      return numbers.map((number) =>
        told.filter((event) => event.trackingNumber === number).map((event) => event.status),
      );
    };
    const first = await fates(7);
    expect(await fates(7)).toEqual(first);
    expect(new Set(first.map((fate) => fate.join())).size).toBeGreaterThan(1);
  });

  it('travel no further when they are cancelled', async () => {
    const { account, book } = await open({ switches: { parcelsTravel: true, parcelHourMs: 3_600_000 } });
    const { booking, trackingNumber } = await book();
    await account.cancel?.(booking);
    expect((await account.track?.([trackingNumber]))?.map(({ status }) => status)).toEqual(['registered']);
  });

  it('are told of by carriers that are asked and do not call', async () => {
    const { sandbox } = await open({ switches: { parcelsTravel: true, parcelHourMs: 3_600_000 } });
    const { account, book } = accountAt(sandbox, dao, { customerId: '9999', code: 'any' });
    const { trackingNumber } = await book();
    const told = await account.track?.([trackingNumber]);
    expect(told).toMatchObject([{ status: 'registered', code: '70', zone: 'assumed' }]);
    expect(sandbox.control.callbacks()).toEqual([]);
  });

  it('are told of by Bring with its header and its few words, and with all of them when it is asked', async () => {
    const { sandbox } = await open();
    const receiver = await openReceiver(bring);
    sandbox.control.setCallbackTargets([{ carrier: 'bring', url: receiver.url, secret: SECRET }]);
    const config = { apiKey: 'any', apiUid: 'a@example.com', customerNumber: '6', testIndicator: true };
    const { account, book } = accountAt(sandbox, bring, config);
    const { trackingNumber } = await book();
    const happening = { carrier: 'bring', trackingNumber, manner: 'once', delayMs: 0 } as const;
    sandbox.control.happen({ ...happening, status: 'at-pickup-point' });
    await until(() => receiver.heard.length === 1);
    expect(receiver.heard[0]?.outcome).toMatchObject({
      events: [{ trackingNumber, status: 'at-pickup-point', text: null }],
      poll: [trackingNumber],
    });
    expect(await account.track?.([trackingNumber])).toMatchObject([
      { status: 'at-pickup-point', text: 'Simulated: at-pickup-point', place: 'Control' },
    ]);
  });
});

describe('callbacks of the sandbox', () => {
  /** Has something happen over HTTP. */
  const happenAt = (sandbox: Sandbox) => async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const sent = { carrier: 'pretend', trackingNumber: 'PP0000000001', status: 'delivered', ...body };
    return read(
      await fetch(`${sandbox.url}/control/tracking`, { method: 'POST', headers, body: JSON.stringify(sent) }),
    );
  };

  it.each([
    ['once', ['events'], 'taken'],
    ['twice', ['events', 'events'], 'taken'],
    ['forged', ['refused'], 'given up'],
    ['stale', ['refused'], 'given up'],
    ['truncated', ['refused'], 'given up'],
  ])('come %s on demand', async (manner, expected, outcome) => {
    const { sandbox, heard } = await open();
    expect((await happenAt(sandbox)({ manner })).status).toBe(200);
    await until(() => sandbox.control.callbacks().every((call) => call.outcome !== 'waiting'));
    expect(kinds(heard)).toEqual(expected);
    expect(new Set(heard.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(sandbox.control.callbacks()).toMatchObject([
      { manner, outcome, attempts: 1, tries: 1, status: 'delivered' },
    ]);
  });

  it('come late and out of order on demand', async () => {
    const { sandbox, heard } = await open();
    const happen = happenAt(sandbox);
    await happen({ status: 'in-transit', at: '2026-03-04T20:03:19+01:00', delayMs: 1_000 });
    await happen({ status: 'delivered' });
    await until(() => heard.length === 2);
    expect(eventsIn(heard).map(({ status, at }) => [status, at.slice(0, 10)])).toEqual([
      ['delivered', new Date().toISOString().slice(0, 10)],
      ['in-transit', '2026-03-04'],
    ]);
  });

  it('that are forged change nothing of what the carrier answers', async () => {
    const { sandbox, account } = await open();
    await happenAt(sandbox)({ manner: 'forged' });
    expect(await account.track?.(['PP0000000001'])).toEqual([]);
  });

  it('that are not taken come again, signed anew', async () => {
    const sandbox = await openSandbox({ carriers, switches: { eventRetryFirstMs: 1 } });
    const receiver = await openReceiver(pretend, [503, 503]);
    sandbox.control.setCallbackTargets([{ carrier: 'pretend', url: receiver.url, secret: SECRET }]);
    await happenAt(sandbox)({});
    await until(() => sandbox.control.callbacks()[0]?.outcome === 'taken');
    expect([kinds(receiver.heard), sandbox.control.callbacks()[0]?.tries]).toEqual([['events', 'events', 'events'], 3]);
  });

  it('come twice, late and behind forged ones by chance, and none is missing', async () => {
    const trouble = { parcelsTravel: true, parcelHourMs: 2, callbackTrouble: 1 };
    const { sandbox, heard, book, account } = await open({ switches: trouble });
    const numbers = [(await book('1')).trackingNumber, (await book('2')).trackingNumber];
    await until(() => {
      const calls = sandbox.control.callbacks();
      const ended = calls.filter(({ status, manner }) => /delivered|returned|lost/.test(status) && manner !== 'forged');
      return (
        new Set(ended.map((call) => call.trackingNumber)).size === 2 && calls.every((c) => c.outcome !== 'waiting')
      );
    });
    const manners = new Set(sandbox.control.callbacks().map((call) => call.manner));
    expect([...manners].toSorted()).toEqual(['forged', 'once', 'twice']);
    const distinct = new Map(eventsIn(heard).map((event) => [event.id, event]));
    const asked = (await account.track?.(numbers)) ?? [];
    expect([...distinct.keys()].toSorted()).toEqual(asked.map((event) => event.id).toSorted());
  });

  it('end with the sandbox', async () => {
    const sandbox = await openSandbox({
      carriers,
      switches: { eventRetryFirstMs: 600_000, eventRetryLongestMs: 600_000 },
    });
    sandbox.control.setCallbackTargets([{ carrier: 'pretend', url: 'http://127.0.0.1:9/', secret: SECRET }]);
    await happenAt(sandbox)({});
    await until(() => sandbox.control.callbacks()[0]?.tries === 1);
    await closeAll();
    expect(sandbox.control.callbacks()).toMatchObject([{ outcome: 'given up' }]);
  });

  it.each([
    ['/tracking', { status: 'gone' }, 'status: must be one of registered'],
    ['/tracking', { carrier: 'pigeon' }, 'there is no "pigeon"'],
    ['/tracking', { manner: 'loudly' }, 'manner: must be one of once'],
    ['/tracking', { at: 'yesterday' }, 'at: must be a moment'],
    ['/tracking', { delayMs: 3_600_001 }, 'delayMs: must be a number from 0 to 3600000'],
    ['/journeys', { reference: '1', journey: 'to the moon' }, 'journey: must be one of delivered'],
    ['/callback-targets', { carrier: 'dao', url: 'http://127.0.0.1:9/', secret: SECRET }, '"dao" makes no callbacks'],
    ['/callback-targets', { carrier: 'pigeon', url: 'http://127.0.0.1:9/', secret: SECRET }, 'there is no "pigeon"'],
    ['/callback-targets', { carrier: 'pretend', url: 'http://127.0.0.1:9/', secret: 'å' }, 'cannot sign with it'],
    ['/callback-targets', { carrier: 'pretend', url: 'nowhere', secret: SECRET }, 'url: must be an address'],
  ])('are refused at %s for %j', async (path, body, complaint) => {
    const { sandbox } = await open();
    const usual =
      path === '/tracking' ? { carrier: 'pretend', trackingNumber: 'PP0000000001', status: 'delivered' } : {};
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ ...usual, ...body }) };
    const answer = await read(await fetch(`${sandbox.url}/control${path}`, sent));
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(complaint)]);
  });

  it('shows who is called without the secret, and calls nobody any more when told so', async () => {
    const { sandbox, url, heard } = await open();
    const shown = await read(await fetch(`${sandbox.url}/control/callback-targets`));
    expect(shown.body).toEqual([{ carrier: 'pretend', origin: new URL(url).origin }]);
    await fetch(`${sandbox.url}/control/callback-targets`, { method: 'DELETE' });
    await happenAt(sandbox)({});
    expect([heard, (await read(await fetch(`${sandbox.url}/control/callbacks`))).body]).toEqual([[], []]);
  });
});
