import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { operatorNeeded } from '../support/endings.js';
import { type Service, startService } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Bookings with DAO that somebody may have sent before our records began: only a person can find out. */
async function inDoubt(count: number) {
  const documents: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { documentId } = service.bookQuietly(service.ship(oneParcel, { carrierName: 'DAO' }));
    await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
    const body = { area: '1', document: String(documentId) };
    expect((await service.operator('/replay', { method: 'POST', body })).status).toBe(200);
    documents.push(documentId);
  }
  const found = [];
  for (const documentId of documents) {
    found.push((await operatorNeeded(service, documentId)).consignment);
  }
  return found;
}

const post = (path: string, body: unknown, headers = {}) =>
  service.operator(`/consignments/${path}`, { method: 'POST', body, headers });

const idsOf = (consignments: readonly { id: string }[]) => consignments.map(({ id }) => id);

describe('many bookings in doubt', () => {
  it('are resolved with one request, each with an outcome, and what cannot be done keeps none from being done', async () => {
    const all = await inDoubt(3);
    const ids = [...idsOf(all), '00000000-0000-0000-0000-000000000000'];
    const tried = await post('resolve', { ids, answer: 'not-booked', dryRun: true });
    expect(tried.body).toMatchObject({ dryRun: true, accepted: 3, refused: 1 });
    expect((await service.look(Number(all[0].documentId))).consignment.needsOperator).toBe(true);

    const { status, body } = await post('resolve', { ids, answer: 'not-booked', perSecond: 2 });
    expect([status, body.accepted, body.refused]).toEqual([200, 3, 1]);
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['accepted', 'accepted', 'accepted', 'unknown'],
    ]);
    const times = body.results.slice(0, 3).map(({ startsAt }: { startsAt: string }) => Date.parse(startsAt));
    expect([times[1] - times[0], times[2] - times[0]]).toEqual([500, 1_000]);
    for (const { documentId } of all) {
      const ending = await service.ending(Number(documentId));
      expect(ending.consignment).toMatchObject({ state: 'closed', lastAction: { action: 'resolve', result: 'done' } });
    }
    const again = await post('resolve', { ids: idsOf(all), answer: 'not-booked' });
    expect(again.body).toMatchObject({ accepted: 0, refused: 3, results: [{ outcome: 'not-possible' }, {}, {}] });
  });

  it('are resolved by a filter only while it finds as many as were seen', async () => {
    const all = await inDoubt(2);
    const filter = { needsOperator: true, account: 'dao' };
    const wrong = await post('resolve', { filter, count: 1, answer: 'give-up' });
    expect([wrong.status, wrong.body.title]).toEqual([409, 'The list has changed']);
    expect((await post('resolve', { filter, count: 2, answer: 'give-up' })).body.accepted).toBe(2);
    for (const { documentId } of all)
      expect((await service.ending(Number(documentId))).consignment.state).toBe('refused');
  });

  it('are resolved by a table, whose wrong rows are named', async () => {
    const [first, second] = await inDoubt(2);
    const { reference, containers } = first.unconfirmed[0];
    const table = [
      'id,reference,container,answer,carrierNumber,trackingNumber',
      `${first.id},${reference},${containers[0]},booked,,00057151270000000999`,
      `${second.id},,,perhaps,,`,
    ].join('\n');
    const { status, body } = await post('resolve', table, { 'content-type': 'text/csv' });
    expect([status, body.accepted, body.problems]).toEqual([
      ...[200, 1, [{ line: 3, id: second.id, because: 'answer is one of booked, not-booked, give-up' }]],
    ]);
    const ending = await service.ending(Number(first.documentId));
    expect(ending.trackingNumbers).toEqual(['00057151270000000999']);
    expect((await service.look(Number(second.documentId))).consignment.needsOperator).toBe(true);
  });
});

describe('many refused bookings', () => {
  it('are retried with one request', async () => {
    const endings = [
      await service.run(withoutPostalCode, { carrierName: 'GLS' }),
      await service.run(withoutPostalCode, { carrierName: 'GLS' }),
    ];
    const ids = endings.map(({ consignment }) => consignment.id);
    const { body } = await post('retry', { ids });
    expect(body.accepted).toBe(2);
    for (const { documentId } of endings) {
      const { consignment } = await service.ending(documentId);
      expect(consignment).toMatchObject({
        state: 'refused',
        run: 2,
        lastAction: { action: 'retry', result: 'refused' },
      });
    }
  });

  it('tell no worker that they wait for something while they wait for their turn', async () => {
    const endings = [];
    for (let n = 0; n < 9; n += 1) endings.push(await service.run(withoutPostalCode, { carrierName: 'GLS' }));
    const ids = endings.map(({ consignment }) => consignment.id);
    const { results } = (await post('retry', { ids, perSecond: 0.1 })).body;
    expect(Date.parse(results[8].startsAt) - Date.now()).toBeGreaterThan(62_000);
    // The sweeper looks every half second; the first of them has been through it.
    await service.ending(endings[0]?.documentId ?? 0);
    await new Promise((done) => setTimeout(done, 1_500));
    const [before, after] = [endings[8], await service.look(endings[8]?.documentId ?? 0)];
    expect(after.messages).toEqual(before?.messages);
    for (const { documentId } of endings) service.control.cancelDocument(documentId);
  });
});

describe('a request for many', () => {
  it.each([
    ['without ids and filter', 'retry', {}, 'ids is missing, or a filter with the count that it finds'],
    ['with a filter without a count', 'retry', { filter: {} }, 'count is how many the filter finds, 1 to 500'],
    ['with both', 'retry', { ids: ['x'], filter: {} }, 'ids stands without filter and count'],
    [
      'with an unknown filter',
      'retry',
      { filter: { stat: 'x' }, count: 1 },
      '"stat" is not a parameter here: do you mean "state"?',
    ],
    ['that is too fast', 'retry', { ids: ['x'], perSecond: 1_000 }, 'perSecond is a number from 0.1 to 25'],
    ['that says booked for all', 'resolve', { ids: ['x'], answer: 'booked' }, '"booked" needs the numbers of each'],
    ['with something else', 'retry', { ids: ['x'], force: true }, '"force" is none of ids'],
    ['with too many', 'retry', { ids: Array(501).fill('x') }, 'ids is a list of 1 to 500'],
  ])('%s is refused', async (...[, path, body, detail]) => {
    const answer = await post(path, body);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(detail)]);
  });
});

describe('the command line', () => {
  const run = (...command: readonly string[]) =>
    promisify(execFile)(process.execPath, ['bin/waybridge.js', ...command], {
      env: { OPERATOR_TOKEN: sandboxSecrets.OPERATOR_TOKEN, WAYBRIDGE_URL: service.url },
    });

  it('lists consignments as a table, and as JSON', async () => {
    const ending = await service.run(withoutPostalCode, { carrierName: 'GLS', shipmentNumber: 'cli-1' });
    const [heading, line, ...more] = (await run('consignments', 'cli-1')).stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^came \(UTC\) +area +state +shipment +account +tracking numbers +reason +id$/);
    expect(line).toMatch(/ 1 +refused +cli-1 +gls +- +Could not book shipment cli-1 with GLS/);
    expect(more).toEqual([]);
    const json = JSON.parse((await run('consignments', '--state', 'refused', '--json', '--limit', '1')).stdout);
    expect(json).toMatchObject([{ id: ending.consignment.id, state: 'refused' }]);
  });

  it('gives out the table of what is in doubt, and takes the answers back', async () => {
    const [consignment] = await inDoubt(1);
    const { stdout } = await run('consignments', consignment.id, '--csv');
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-answers-'));
    const file = join(folder, 'answers.csv');
    await writeFile(file, stdout.replace(',,,', ',booked,,00057151270000000888'));
    const tried = await run('resolve', '--csv', file, '--dry-run');
    expect(tried.stdout).toBe(
      `accepted              ${consignment.id}\n1 would be taken; this was a dry run: nothing was changed\n`,
    );
    // It waits until it is known what became of it: DAO has no label for a number that is made up.
    await expect(run('resolve', '--csv', file, '--wait')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`^accepted .*\n1 taken; .*\npartly +${consignment.id}: .*there is no label`),
      ),
      stderr: '',
    });
    const ending = await service.ending(Number(consignment.documentId));
    expect(ending.trackingNumbers).toEqual(['00057151270000000888']);
    await expect(run('resolve', '--csv', file)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`not-possible          ${consignment.id}: it is not in doubt`),
    });
    await rm(folder, { recursive: true });
  });

  it.each([
    [
      'a filter that the service does not know',
      ['consignments', '--state', 'lost'],
      { code: 1, stderr: '400: The request cannot be read: state is one of' },
    ],
    [
      'a file that is not there',
      ['resolve', '--csv', '/nowhere.csv'],
      { code: 78, stderr: '/nowhere.csv  cannot be read (ENOENT)' },
    ],
  ])('says what is wrong with %s', async (_what, command, { code, stderr }) => {
    await expect(run(...command)).rejects.toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(stderr),
    });
  });

  it.each([
    ['consignments', 'waybridge consignments --needs-operator --csv > answers.csv'],
    ['resolve', 'waybridge resolve --csv answers.csv --dry-run'],
  ])('explains %s with examples', async (command, example) => {
    expect((await run(command, '--help')).stdout).toContain(example);
  });
});
