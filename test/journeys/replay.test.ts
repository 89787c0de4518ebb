import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { replay } from '../../src/cli/replay.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, until } from '../support/harness.js';
import { type Life, type Lives, openLives } from '../support/lives.js';

const { oneParcel } = sampleShipments;

let lives: Lives;
let life: Life;
let service: Service;

beforeAll(async () => {
  lives = await openLives();
  life = await lives.begin();
  service = life.service;
  await service.ims('POST /carriers', { carrierName: 'Pigeon' });
});

afterAll(async () => {
  await life.end();
  await lives.end();
});

const post = (body: unknown) => service.operator('/replay', { method: 'POST', body });
const shipmentOf = (documentId: number) => String(service.document(documentId).shipmentIds[0]);

describe('taking up by hand', () => {
  it('books a document at once, and knows it the second time', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    const about = { documentId: String(documentId), shipmentId: shipmentOf(documentId) };
    const wish = { area: '1', document: documentId };
    expect((await post({ ...wish, dryRun: true })).body).toEqual({
      dryRun: true,
      results: [{ ...about, outcome: 'recovered', because: null }],
      more: false,
    });
    expect(await service.consignmentOf(documentId)).toBeNull();
    expect((await post(wish)).body).toMatchObject({ dryRun: false, results: [{ ...about, outcome: 'recovered' }] });
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
    expect((await post(wish)).body.results).toMatchObject([
      { outcome: 'known', because: expect.stringContaining('closed') },
    ]);
    expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
  });

  it('asks the carrier first about what somebody has begun', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'DAO' }));
    await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
    expect((await post({ area: '1', document: documentId })).body.results).toMatchObject([{ outcome: 'in-doubt' }]);
    expect(await service.ending(documentId)).toMatchObject({ consignment: { needsOperator: true } });
    expect(service.bookings('dao', service.numberOf(documentId))).toEqual([]);
  });

  it('gives a shipment its carrier, or its booking', async () => {
    const bare = service.ship(oneParcel, { carrierName: null });
    expect((await post({ area: 1, shipment: bare })).body.results).toMatchObject([
      { documentId: null, shipmentId: String(bare), outcome: 'recovered' },
    ]);
    const isChosen = () => service.control.state().shipments.find((row) => row.id === bare)?.['carrierName'] === 'GLS';
    await until('it has a carrier', isChosen);
    const documentId = service.book(bare);
    expect((await post({ area: '1', shipment: String(bare) })).body.results).toMatchObject([
      { documentId: String(documentId), outcome: 'recovered' },
    ]);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
  });

  it('finds what was created in some time, and says what is not ours', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'GLS' }));
    const foreign = service.book(service.ship(oneParcel, { carrierName: 'Pigeon' }));
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const before = await post({ area: '1', since: '2026-01-01', until: '2026-01-02T00:00:00Z' });
    expect(before.body.results).toEqual([]);
    const { body } = await post({ area: '1', since: hourAgo, dryRun: true });
    expect(body.results).toContainEqual(
      expect.objectContaining({ documentId: String(documentId), outcome: 'recovered' }),
    );
    expect(body.results).toContainEqual({
      documentId: String(foreign),
      shipmentId: shipmentOf(foreign),
      outcome: 'not-ours',
      because: 'its carrier is Pigeon, which is none of our accounts',
    });
    await post({ area: '1', since: hourAgo });
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
    expect(await service.consignmentOf(foreign)).toBeNull();
  });

  it('hands over what a consignment note names, found by the note, a shipment of it, or its time', async () => {
    const booked = await Promise.all(
      ['GLS', 'GLS', 'Pretend'].map(async (carrierName) => {
        const documentId = service.book(service.ship(oneParcel, { carrierName }));
        await post({ area: '1', document: documentId });
        await service.ending(documentId);
        const shipmentId = Number(shipmentOf(documentId));
        await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
        const note = String(service.control.handOver(1, [shipmentId]).id);
        return { documentId, shipmentId, note };
      }),
    );
    const [first, second, third] = booked;
    if (!first || !second || !third) throw new Error('three are booked');
    const taken = (note: string) => expect.objectContaining({ documentId: note, outcome: 'recovered' });
    const byNote = { area: '1', document: first.note };
    expect((await post({ ...byNote, dryRun: true })).body.results).toEqual([taken(first.note)]);
    expect((await service.operator(`/handovers/${first.note}`)).status).toBe(404);
    expect((await post(byNote)).body.results).toEqual([taken(first.note)]);
    expect((await post({ area: '1', shipment: second.shipmentId })).body.results).toContainEqual(taken(second.note));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { body } = await post({ area: '1', since });
    expect(body.results).toContainEqual(taken(third.note));
    expect(body.results).toContainEqual(expect.objectContaining({ documentId: first.note, outcome: 'known' }));
    for (const { documentId, note } of booked) {
      await until('it is listed', async () => (await service.operator(`/handovers/${note}`)).status === 200);
      expect(await service.consignmentOf(documentId)).toMatchObject({ handedOverBy: note });
    }
  });

  it('leaves a consignment note alone that took nothing of ours along', async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'Pigeon' });
    await service.ims('POST /invocations/createDeliveryNote', { shipmentId });
    const note = service.control.handOver(1, [shipmentId]).id;
    expect((await post({ area: '1', document: note })).body.results).toMatchObject([
      { outcome: 'not-ours', because: 'none of its shipments has a carrier of our accounts' },
    ]);
  });

  it.each([
    ['a shipment', { area: '1', shipment: '77' }],
    ['a document', { area: '1', document: 77 }],
    ['an id that is none', { area: '1', document: '..' }],
  ])('says that the IMS does not have it: %s', async (_what, wish) => {
    expect((await post(wish)).body.results).toMatchObject([{ outcome: 'not-found' }]);
  });

  it('does not take another kind of document for a booking', async () => {
    const { body } = await service.ims('POST /invocations/createDeliveryNote', { shipmentId: service.ship(oneParcel) });
    expect((await post({ area: '1', document: body.id })).body.results).toMatchObject([
      { outcome: 'not-ours', because: expect.stringContaining('DELIVERY_NOTE') },
    ]);
  });

  it.each([
    ['no area', { document: '1' }, 400],
    ['an area that is none of ours', { area: '7', document: '1' }, 404],
    ['nothing to look for', { area: '1' }, 400],
    ['two things', { area: '1', document: '1', shipment: '2' }, 400],
    ['no id', { area: '1', document: 'a b' }, 400],
    ['no time', { area: '1', since: 'yesterday' }, 400],
    ['a time without a zone', { area: '1', since: '2026-03-04T12:00:00' }, 400],
    ['an end before its beginning', { area: '1', since: '2026-03-04', until: '2026-03-03' }, 400],
    ['more than a month', { area: '1', since: '2026-01-01', until: '2026-03-03' }, 400],
    ['an end without a beginning', { area: '1', document: '1', until: '2026-03-03' }, 400],
    ['a word nobody knows', { area: '1', document: '1', force: true }, 400],
    ['a list', [], 400],
  ])('refuses a wish with %s', async (_what, wish, status) => {
    const answer = await post(wish);
    expect([answer.status, answer.type]).toEqual([status, expect.stringContaining('application/problem+json')]);
  });

  it('says when the IMS does not answer', async () => {
    service.control.addFault({ target: 'ims', path: '/documents/', kind: 'status', status: 503, times: 50 });
    const answer = await post({ area: '1', document: '1' });
    service.control.clearFaults();
    expect([answer.status, answer.body.title]).toEqual([503, 'The IMS does not answer']);
  });

  it('is for the operator only', async () => {
    expect((await service.ask('/api/v1/replay', { method: 'POST', body: {} })).status).toBe(401);
  });
});

describe('the command', () => {
  const environment = { OPERATOR_TOKEN: sandboxSecrets.OPERATOR_TOKEN };
  const run = (options: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)(process.execPath, ['bin/waybridge.js', 'replay', ...options], {
      env: { ...environment, ...more },
    });

  it('has the service recover, and says what became of it', async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend' }));
    const { stdout } = await run(['--area', '1', '--document', String(documentId)], { PUBLIC_URL: service.url });
    expect(stdout).toBe(`recovered       shipment ${shipmentOf(documentId)}, document ${documentId}\n`);
    expect(await service.ending(documentId)).toMatchObject({ workStatus: 'DONE' });
    const again = await run(['--area', '1', '--document', String(documentId), '--dry-run', '--url', service.url]);
    expect(again.stdout).toMatch(/^known .*is closed\nthis was a dry run: nothing was changed\n$/);
  });

  it('ends with an error that says what the service says', async () => {
    await expect(run(['--area', '7', '--document', '1', '--url', service.url])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('404: No such area: area 7 is not configured'),
    });
  });

  it('explains itself with examples', async () => {
    const { stdout } = await run(['--help']);
    expect(stdout).toContain('waybridge replay --area 550 --document 10000021 --dry-run');
  });

  it('shows the token to nobody over an open line', async () => {
    const options = { area: '1', document: '1', url: 'http://waybridge.example' };
    await expect(replay(options, environment)).rejects.toThrow('--url must be an https address');
  });
});
