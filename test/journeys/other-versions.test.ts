import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, until } from '../support/harness.js';
import { type Life, type Lives, openLives } from '../support/lives.js';

let lives: Lives;
let life: Life;
let refused: Ending;

const UNKNOWN =
  /^Another version of Waybridge has a message .*"carrier-on-strike" \(until: Monday, shipmentNumber: \d+\)/;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  life.service.listenAgain();
  const body = { errors: [{ code: 'strike', text: 'nobody drives today' }] };
  const no = { target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'status', status: 422, body } as const;
  lives.sandbox.control.addFault(no);
  refused = await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  expect(refused.consignment.state).toBe('refused');
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

/** Adds a message to the row of a booking, as a version with more messages has written it, that is still to be sent. */
async function addMessage(key: string, values: object): Promise<void> {
  const { eventId, userId, deviceName } = (await addressee()) as Record<string, unknown>;
  const call = { kind: 'message', to: { eventId, userId, deviceName }, message: { key, values } };
  const effect = { key: `message:1:3:9:${key}`, wave: 3, call, state: 'open', note: null };
  await life.database.query(
    'update consignment set effects = effects || $2::jsonb, due_at = now(), version = version + 1 where id = $1',
    [refused.consignment.id, JSON.stringify([effect])],
  );
}

async function addressee(): Promise<unknown> {
  const [row] = await life.database.query<{
    readonly effects: readonly { readonly call: { readonly to?: unknown } }[];
  }>('select effects from consignment where id = $1', [refused.consignment.id]);
  return row?.effects.find(({ call }) => call.to !== undefined)?.call.to;
}

async function page(path: string): Promise<Response> {
  const { url } = life.service;
  const pairIn = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const form = await fetch(`${url}/sign-in`);
  const formToken = /name="formToken" value="([^"]*)"/.exec(await form.text())?.[1] ?? '';
  const body = new URLSearchParams({ token: sandboxSecrets.OPERATOR_TOKEN, next: '/', formToken });
  const headers = { cookie: pairIn(form) };
  const signedIn = await fetch(`${url}/sign-in`, { method: 'POST', redirect: 'manual', headers, body });
  return fetch(`${url}${path}`, { headers: { cookie: pairIn(signedIn) } });
}

describe('a message in a row that this version does not know', () => {
  beforeAll(async () => {
    const shipmentNumber = life.service.numberOf(refused.documentId);
    await addMessage('carrier-on-strike', { shipmentNumber, until: 'Monday' });
  });

  it('is sent with words that say so, as a warning', async () => {
    const sent = () => life.service.messages(life.service.eventOf(refused.documentId));
    await until('it is sent', () => sent().length > 1);
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'WARNING', text: expect.stringMatching(UNKNOWN) }));
  });

  it('breaks neither the pages nor the API', async () => {
    const { id } = refused.consignment;
    expect((await life.service.operator(`/consignments/${id}`)).status).toBe(200);
    expect((await life.service.operator('/consignments')).status).toBe(200);
    for (const path of [`/consignments/${id}`, '/consignments', '/needs-a-person', '/'])
      expect([path, (await page(path)).status]).toEqual([path, 200]);
  });
});

describe('a write to the IMS that this version does not know', () => {
  const key = 'pallet-note:1:1';
  const write = async () => {
    const { body } = await life.service.operator(`/consignments/${refused.consignment.id}`);
    return body.writes.find((each: { readonly key: string }) => each.key === key);
  };

  beforeAll(async () => {
    const effect = { key, wave: 4, call: { kind: 'pallet-note', pallets: 2 }, state: 'open', note: null };
    await life.database.query(
      'update consignment set effects = effects || $2::jsonb, due_at = now(), version = version + 1 where id = $1',
      [refused.consignment.id, JSON.stringify([effect])],
    );
  });

  it('is left to the instances that know it, and not taken for done', async () => {
    await until('it was looked at', async () => (await write())?.state !== 'open' || (await write())?.note !== null);
    expect(await write()).toMatchObject({
      state: 'open',
      note: expect.stringMatching(/^another version .*pallet-note/),
    });
  });

  it('is named where it was given up', async () => {
    await life.database.query(
      `update consignment set due_at = null, version = version + 1,
              effects = replace(effects::text, '"open"', '"failed"')::jsonb where id = $1`,
      [refused.consignment.id],
    );
    const { id } = refused.consignment;
    const { body } = await life.service.operator(`/consignments/${id}`);
    expect(body.notDone).toContainEqual(
      expect.objectContaining({ what: 'pallet-note', text: expect.stringContaining('another version of Waybridge') }),
    );
    for (const path of [`/consignments/${id}`, '/consignments', '/needs-a-person'])
      expect([path, (await page(path)).status]).toEqual([path, 200]);
  });
});

describe('a booking in a state that this version does not know', () => {
  let booked: Ending;
  const row = async () => {
    const [found] = await life.database.query<{ readonly state: string; readonly isDue: boolean }>(
      'select state, due_at is not null as "isDue" from consignment where id = $1',
      [booked.consignment.id],
    );
    return found;
  };

  beforeAll(async () => {
    booked = await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    await life.database.query(
      `update consignment set state = 'on-hold', due_at = now() - interval '1 second', version = version + 1
        where id = $1`,
      [booked.consignment.id],
    );
  });

  it('is left to the instances that know it, also where an operator tries it again', async () => {
    const { status, body } = await life.service.act(booked.consignment, 'retry');
    expect([status, body.detail]).toEqual([409, expect.stringContaining('on-hold, a state of another version')]);
    expect(await row()).toEqual({ state: 'on-hold', isDue: true });
  });

  it('breaks neither the pages nor the API', async () => {
    const { id } = booked.consignment;
    const event = life.service.eventOf(booked.documentId);
    expect(await life.service.operator(`/consignments/${id}`)).toMatchObject({
      status: 200,
      body: { state: 'on-hold' },
    });
    for (const path of ['/consignments', '/overview', '/events', `/events/${event}`])
      expect([path, (await life.service.operator(path)).status]).toEqual([path, 200]);
    const pages = ['/', '/consignments', `/consignments/${id}`, '/consignments.csv', `/consignments/${id}/retry`];
    for (const path of [...pages, '/needs-a-person', '/inbox', `/inbox/${event}`, '/carriers'])
      expect([path, (await page(path)).status]).toEqual([path, 200]);
  });

  it('is waited for by a new booking of its shipment', async () => {
    const { shipmentId } = booked.consignment;
    const documentId = life.service.book(Number(shipmentId));
    const reason = async () => (await life.service.consignmentOf(documentId))?.reason ?? '';
    await until('it waits', async () => (await reason()) !== '');
    expect(await reason()).toContain('another booking of the same shipment');
  });
});

describe('a booking that waits for something that this version does not know', () => {
  it('breaks neither the pages nor the API, which say so', async () => {
    const { consignment } = await life.service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const { id } = consignment;
    await life.database.query(
      `update consignment set state = 'received', due_at = now() + interval '1 hour', version = version + 1,
              plan = plan || '{"waitingFor": "strike"}' where id = $1`,
      [id],
    );
    const { status, body } = await life.service.operator(`/consignments/${id}`);
    expect([status, body.reason]).toEqual([200, expect.stringMatching(/^Another version .*"waiting-strike"/)]);
    for (const path of ['/consignments', '/overview'])
      expect([path, (await life.service.operator(path)).status]).toEqual([path, 200]);
    for (const path of [`/consignments/${id}`, '/consignments', '/needs-a-person', '/', '/carriers'])
      expect([path, (await page(path)).status]).toEqual([path, 200]);
  });
});
