import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../../src/access/operators.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';
import { pageFor } from '../support/page-for.js';
import { SECRET, signed } from '../tracking/callers.js';

const METTE = { authorization: 'Bearer token-of-mette' };
const ANDERS = { authorization: 'Bearer token-of-anders' };
const WRONG = { authorization: 'Bearer no-such-token' };

interface Entry {
  readonly id: string;
  readonly operator: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly result: string;
}

let folder: string;
let service: Service;
let refused: Ending;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-operators-'));
  const file = join(folder, 'operators.yaml');
  const operators = [
    { name: 'Mette Krogh', role: 'act', tokenHash: hashOf('token-of-mette') },
    { name: 'Anders', role: 'view', tokenHash: hashOf('token-of-anders') },
  ];
  await writeFile(file, JSON.stringify({ operators }));
  service = await startService({
    environment: { OPERATORS_FILE: file },
    config: (config) => {
      const pretend = { ...config.accounts['pretend'], callbacks: { secret: SECRET } };
      return { ...config, accounts: { ...config.accounts, pretend } };
    },
  });
  refused = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const target = () => `consignments/${refused.consignment.id}`;

async function audit(query = ''): Promise<readonly Entry[]> {
  const { status, body } = await service.operator(`/audit${query}`);
  expect(status).toBe(200);
  return body.entries;
}

/** The newest row, once its action has ended. */
async function lastEntry(): Promise<Entry | undefined> {
  await until('the action has ended', async () => (await audit('?limit=1'))[0]?.result !== 'begun');
  return (await audit('?limit=1'))[0];
}

/** Without its requests, which are stored some time after they were sent. */
async function stateOfTarget(): Promise<object> {
  const { body } = await service.operator(`/${target()}`);
  return { ...body, requests: null };
}

describe('an operator with a name', () => {
  it('acts with an own token, and the history says who it was', async () => {
    const { status, body } = await service.operator(`/${target()}/retry`, { method: 'POST', headers: METTE });
    expect([status, body.lastAction]).toEqual([202, expect.objectContaining({ action: 'retry', by: 'Mette Krogh' })]);
    const [entry] = body.history.filter((one: { what: string }) => one.what === 'retried by operator');
    expect(entry.fields).toMatchObject({ action: 'retry', by: 'Mette Krogh' });
  });

  it('has the action in the audit log, with its result and where it came from', async () => {
    await service.ending(refused.documentId);
    await service.operator(`/${target()}/retry`, { method: 'POST', headers: METTE });
    expect(await lastEntry()).toMatchObject({
      ...{
        operator: 'Mette Krogh',
        action: 'retry',
        target: target(),
        address: expect.stringMatching(/127\.0\.0\.1$/),
      },
      ...{ result: 'done', status: 202, detail: null },
    });
  });

  it('has an action that is not possible there as refused', async () => {
    await service.ending(refused.documentId);
    const { status } = await service.operator(`/${target()}/cancel`, { method: 'POST', headers: METTE });
    expect(status).toBe(409);
    expect(await lastEntry()).toMatchObject({ action: 'cancel', target: target(), result: 'refused', status: 409 });
  });

  it('is called "operator" with the token of OPERATOR_TOKEN', async () => {
    await service.operator('/replay', { method: 'POST', body: { area: '1', shipment: '1', dryRun: true } });
    expect(await lastEntry()).toMatchObject({ operator: 'operator', action: 'replay' });
  });
});

/** A booking with a return label in doubt, since the carrier answers with an error that names the recipient. */
async function inDoubtOf(recipient: string): Promise<string> {
  const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
  const body = { message: `Nothing is known of ${recipient}` };
  service.control.addFault({ target: 'pretend', path: '/returns$', kind: 'status', status: 502, body });
  await service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });
  return String(consignment.id);
}

describe('an operator who may only look', () => {
  it('reads', async () => {
    expect((await service.operator(`/${target()}`, { headers: ANDERS })).status).toBe(200);
  });

  it('reads no names: not in a shipment that is explained, not in what a carrier answered, and no label', async () => {
    const text = 'Adressen Birkevej 12 findes ikke for Signe Lund';
    const body = { status: 'FEJL', fejlkode: '12', fejltekst: text };
    service.control.addFault({ target: 'dao', kind: 'status', status: 200, body });
    const quoted = await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' });
    const { id, shipmentId, shipmentNumber } = quoted.consignment;
    const paths = [
      ...[`/consignments/${id}`, `/consignments?q=${shipmentNumber}`, '/overview'],
      `/shipments/${shipmentId}/explain?area=1`,
    ];
    for (const path of paths) {
      const shown = async (headers: object) =>
        (await service.operator(path, { headers: { ...headers } })).bytes.toString();
      expect([path, await shown(METTE)]).toEqual([path, expect.stringMatching(/Birkevej|Signe/)]);
      const hidden = await shown(ANDERS);
      expect([path, hidden]).toEqual([path, expect.not.stringMatching(/Birkevej|Signe Lund|signe\.lund/)]);
      expect([path, hidden]).toEqual([path, expect.stringContaining('••••••')]);
    }
    const returned = `/consignments/${await inDoubtOf('Signe Lund')}/return-label`;
    const shownOf = async (headers: object) =>
      (await service.operator(returned, { headers: { ...headers } })).body.whatToDo;
    expect(await shownOf(METTE)).toContain('Nothing is known of Signe Lund');
    expect(await shownOf(ANDERS)).toContain('Nothing is known of ••••••');
    const booked = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
    const label = `/consignments/${booked.consignment.id}/labels/0`;
    expect((await service.operator(label, { headers: METTE })).status).toBe(200);
    const refusal = await service.operator(label, { headers: ANDERS });
    expect([refusal.status, refusal.body.detail]).toEqual([403, expect.stringContaining('only the role "act"')]);
  });

  it('reads no names in what a carrier says of a parcel', async () => {
    const { trackingNumbers } = await service.run(sampleShipments.oneParcel, { carrierName: 'Pretend' });
    const trackingNumber = String(trackingNumbers[0]);
    const text = 'Taken by Signe Lund, Birkevej';
    const event = { trackingNumber, status: 'delivered', at: '2026-03-04T12:00:00+01:00', text };
    const { body, headers } = signed({ events: [event] });
    expect((await service.ask('/callbacks/pretend', { method: 'POST', body, headers })).status).toBe(200);
    const path = `/parcels/${trackingNumber}`;
    const shownTo = async (headers: object) => (await service.operator(path, { headers: { ...headers } })).body;
    await until('the parcel has its event', async () => (await shownTo(METTE)).parcels?.[0]?.status === 'delivered');
    expect((await shownTo(METTE)).events).toMatchObject([{ text }]);
    expect((await shownTo(ANDERS)).events).toMatchObject([{ text: 'Taken by ••••••, Birkevej' }]);
    expect(await pageFor(service, 'token-of-mette', path)).toContain(text);
    expect(await pageFor(service, 'token-of-anders', path)).toMatch(/Taken by ••••••/);
  });

  it.each([
    ['retry a booking', 'POST', () => `/${target()}/retry`, 'retry'],
    ['add a subscriber', 'POST', () => '/subscribers', 'add subscriber'],
    ['remove a subscriber', 'DELETE', () => '/subscribers/some-id', 'remove subscriber'],
    ['ask for a return label', 'POST', () => `/${target()}/return-label`, 'make return label'],
    ['change what does not exist', 'PUT', () => '/nothing', 'PUT'],
  ])('may not %s, is told why, and is in the audit log', async (_what, method, ...[path, action]) => {
    const before = await stateOfTarget();
    const { status, type, body } = await service.operator(path(), { method, headers: ANDERS });
    expect([status, type]).toEqual([403, expect.stringContaining('application/problem+json')]);
    expect(body.detail).toMatch(/role is "view".*Ask for a token with the role "act"/);
    expect(await lastEntry()).toMatchObject({ operator: 'Anders', action, result: 'refused', status: 403 });
    expect(await stateOfTarget()).toEqual(before);
  });
});

describe('the audit log', () => {
  it.each([
    ['a wrong token', WRONG, 'wrong token'],
    ['no token', { authorization: '' }, 'no token'],
  ])('has each request with %s, without the token', async (_what, headers, detail) => {
    expect((await service.operator(`/${target()}`, { headers })).status).toBe(401);
    const entry = await lastEntry();
    expect(entry).toMatchObject({
      operator: null,
      action: 'GET',
      target: target(),
      result: 'refused',
      status: 401,
      detail,
    });
    expect(JSON.stringify(entry)).not.toContain('no-such-token');
  });

  it('is read page by page, none twice and none missed', async () => {
    const all = await audit('?limit=200');
    const pages: Entry[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { entries: Entry[]; cursor: string | null } } = await service.operator(
        `/audit?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      pages.push(...body.entries);
      cursor = body.cursor;
    } while (cursor !== null);
    expect(pages.slice(-all.length)).toEqual(all);
  });

  it('is filtered by operator and time', async () => {
    expect(new Set((await audit('?operator=Anders')).map(({ operator }) => operator))).toEqual(new Set(['Anders']));
    expect(await audit(`?since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await audit('?until=2020-01-01')).toEqual([]);
  });

  it.each([
    ['an unknown parameter', '?who=Mette', /"who" is not a parameter here. Known are operator, since/],
    ['a time that is none', '?since=yesterday', /2026-03-04T12:00:00Z/],
    ['a cursor that is none', '?cursor=x', /cursor/],
  ])('refuses %s, and says what it takes', async (_what, query, words) => {
    const { status, body } = await service.operator(`/audit${query}`);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(words)]);
  });

  it('is exported as CSV, and no text in it is a formula', async () => {
    await service.operator('/=SUM(A1),x', { headers: WRONG });
    await lastEntry();
    const { type, bytes, headers } = await service.operator('/audit.csv');
    expect([type, headers.get('content-disposition')]).toEqual([
      expect.stringContaining('text/csv'),
      'attachment; filename="audit.csv"',
    ]);
    const [heading, ...rows] = bytes.toString().trimEnd().split('\r\n');
    expect(heading).toBe('id,at,operator,action,target,address,result,status,detail');
    expect(rows).toHaveLength((await audit('?limit=200')).length);
    expect(rows[0]).toMatch(/,"'=SUM\(A1\),x",/);
  });
});
