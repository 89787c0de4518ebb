import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doctor } from '../../src/cli/doctor/doctor.js';
import { sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

/** What a client of the sandbox gets, as the operator, the worker and the terminal read it. */
interface Gets {
  readonly client: string;
  readonly state: string;
  readonly workStatus: string;
  readonly numbers: 'written' | 'not-written';
  readonly printed: string;
  readonly notDone: readonly string[];
  /** To the worker of each booking, and once to the first. */
  readonly told: readonly string[];
  readonly toldOnce: readonly string[];
  /** Of a shipment and a span that nobody knows of. */
  readonly replay: readonly string[];
  /** Lines of `doctor` that say NO. */
  readonly doctor: readonly string[];
  readonly exitCode: number | undefined;
}

const NOTHING_LISTED = ['not-allowed', 'not-allowed'];

const TABLE: readonly Gets[] = [
  {
    client: 'full',
    ...{ state: 'closed', workStatus: 'DONE', numbers: 'written', printed: 'yes', notDone: [], told: [], toldOnce: [] },
    ...{ replay: [], doctor: [], exitCode: undefined },
  },
  {
    client: 'consignment',
    ...{ state: 'closed', workStatus: 'PENDING', numbers: 'written', printed: 'no' },
    notDone: ['carriers-number', 'attachment', 'print', 'work-status'],
    ...{ told: ['INFO'], toldOnce: ['WARNING'], replay: ['not-allowed'] },
    doctor: [
      "carrier and carrier's number on shipments",
      'ON_GOING, DONE and FAILED on documents',
      'labels attached to documents',
      'labels attached to shipments',
      'labels printed (printResource)',
      'sellers as senders',
      'read documents',
      'find documents of missed events',
      "carriers' settings in the IMS",
      "sellers' settings in the IMS",
      'dangerous goods in what is packed',
    ],
    exitCode: undefined,
  },
  {
    client: 'sales',
    ...{ state: 'closed', workStatus: 'DONE', numbers: 'not-written', printed: 'no' },
    notDone: ['tracking', 'attachment', 'print'],
    ...{ told: ['INFO'], toldOnce: ['WARNING'], replay: [] },
    doctor: [
      'tracking numbers on containers',
      'labels attached to documents',
      'labels attached to shipments',
      'labels printed (printResource)',
      "carriers' settings in the IMS",
    ],
    exitCode: undefined,
  },
  {
    client: 'purchasing',
    ...{ state: 'refused', workStatus: 'PENDING', numbers: 'not-written', printed: 'no', notDone: ['work-status'] },
    ...{ told: ['ERROR'], toldOnce: [], replay: [], exitCode: 1 },
    doctor: ['read shipments and book them', 'tracking numbers on containers'],
  },
  {
    client: 'forecasting',
    ...{ state: 'refused', workStatus: 'PENDING', numbers: 'not-written', printed: 'no' },
    ...{ notDone: ['message', 'work-status'], told: [], toldOnce: [], replay: NOTHING_LISTED, exitCode: 1 },
    doctor: ['read shipments and book them', 'messages to workers'],
  },
  {
    client: 'accounting',
    ...{ state: 'refused', workStatus: 'PENDING', numbers: 'not-written', printed: 'no' },
    ...{ notDone: ['message', 'work-status'], told: [], toldOnce: [], replay: NOTHING_LISTED, exitCode: 1 },
    doctor: ['read shipments and book them', 'messages to workers'],
  },
];

/** What only a developer reads. */
const NO_WORDS_OF_A_PACKER = /\b(GET|POST|PATCH)\b|\/\{id\}|api\/|invocations|undefined|\[object/;
const LONG_AGO = { since: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' };

describe.each(TABLE)('the client "$client"', (gets) => {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-clients-'));
  let service: Service;
  let endings: readonly Ending[];
  let early: number;

  beforeAll(async () => {
    service = await startService({ client: gets.client });
    const { shipment } = sampleShipments.oneParcel;
    const created = service.control.createShipment({
      ...{ area: 1, shipment: { ...shipment, carrierName: null }, event: 'send' },
    } as Parameters<typeof service.control.createShipment>[0]);
    early = created.id;
    // Together, as on a busy morning: what is told once is told once all the same.
    const documents = ['GLS', 'DAO', 'Pretend'].map((carrierName) =>
      service.book(service.ship(parcels(2), { carrierName })),
    );
    endings = await Promise.all(documents.map((id) => service.ending(id)));
  });

  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const messages = () => endings.flatMap((ending) => ending.messages);

  it('ends its bookings as it can, and the operator reads what is not done', () => {
    for (const { consignment, workStatus, prints } of endings) {
      expect([consignment.state, workStatus]).toEqual([gets.state, gets.workStatus]);
      expect([consignment.printed, prints.length]).toEqual([gets.printed, gets.printed === 'yes' ? 1 : 0]);
      const kinds = consignment.notDone.map(({ what }: { what: string }) => what);
      expect([...new Set(kinds)]).toEqual(gets.notDone);
    }
    for (const { text } of endings.flatMap(({ consignment }) => consignment.notDone))
      expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('says of a document that stays PENDING that it does', () => {
    const said = endings.map(({ consignment }) => JSON.stringify(consignment.notDone).includes('stays PENDING'));
    expect(new Set(said)).toEqual(new Set([gets.workStatus === 'PENDING']));
  });

  it('writes the tracking numbers where it may', () => {
    const written = endings.flatMap(({ trackingNumbers }) => trackingNumbers.map((number) => Boolean(number)));
    expect(new Set(written)).toEqual(new Set([gets.numbers === 'written']));
  });

  it('tells each worker what there is to do, and what is missing once for all of them, in their words', () => {
    const types = messages().map(({ type }) => String(type));
    const expected = [...endings.flatMap(() => gets.told), ...gets.toldOnce];
    expect([...types].sort()).toEqual([...expected].sort());
    for (const { text } of messages()) expect(text.replace(/http\S+/g, '')).not.toMatch(NO_WORDS_OF_A_PACKER);
  });

  it('warns in the log at most once for each booking, and names what our access lacks once', () => {
    for (const { consignment } of endings) {
      const about = service.lines.filter(({ fields }) => fields?.['consignment'] === consignment.id);
      // Beside the warning that it ended without a booking.
      const warned = about.filter(({ level, event }) => level === 'warn' && event !== gets.state);
      expect(warned.length).toBeLessThanOrEqual(1);
    }
    const lacks = service.lines.filter(({ event }) => event === 'not allowed');
    expect(lacks).toHaveLength(gets.client === 'full' ? 0 : 1);
  });

  it('answers replay with words', async () => {
    const lost = service.bookQuietly(service.ship(parcels(1), { carrierName: 'GLS' }));
    const asked = [{ document: String(lost.documentId), dryRun: true }, LONG_AGO, { shipment: String(early) }];
    for (const wish of asked) {
      const { status, body } = await service.operator('/replay', { method: 'POST', body: { area: '1', ...wish } });
      expect(status).toBe(200);
      for (const { outcome, because } of body.results)
        if (outcome === 'not-allowed') expect(because).toContain('The IMS does not let this client');
    }
    const span = await service.operator('/replay', { method: 'POST', body: { area: '1', ...LONG_AGO } });
    expect(span.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(gets.replay);
  });

  it('does not say of a carrier that the IMS refused that we have set it', async () => {
    await until('the carrier is chosen', () =>
      service.lines.some(
        ({ event, fields }) => /^task (done|failed)$/.test(event) && fields?.['kind'] === 'choose-carrier',
      ),
    );
    const { status, body } = await service.operator(`/shipments/${early}/explain?area=1`);
    if (gets.state === 'refused')
      return expect([status, body.title]).toEqual([409, expect.stringContaining('does not let')]);
    const isSet = gets.workStatus === 'DONE';
    expect([body.carrier.name, body.carrier.refused]).toEqual(
      isSet
        ? ['GLS', null]
        : [
            null,
            { carrierName: 'GLS', because: expect.stringContaining('does not let this client change a shipment') },
          ],
    );
  });

  it('is shown by doctor with what it gets and what it does not', async () => {
    const configFile = join(folder, 'waybridge.yaml');
    writeFileSync(configFile, sandboxConfig(service.sandbox));
    const lines: string[] = [];
    const spy = jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    const before = process.exitCode;
    process.exitCode = undefined;
    try {
      await doctor({
        ...sandboxEnvironment(service.sandbox, { port: 0, configFile, dataDir: folder }),
        ...{ IMS_CLIENT_ID: gets.client, IMS_CLIENT_SECRET: `${gets.client}-secret` },
      });
      expect(process.exitCode).toBe(gets.exitCode);
    } finally {
      process.exitCode = before;
      spy.mockRestore();
    }
    const rows = lines.join('\n').split('\n');
    const refused = rows.filter((row) => / NO: /.test(row)).map((row) => row.trim().split(/ {2,}/)[0]);
    if (gets.exitCode === undefined) expect([...new Set(refused)]).toEqual(gets.doctor);
    else expect(refused).toEqual(expect.arrayContaining([...gets.doctor]));
    expect(rows.some((row) => row.includes('give the client api/full'))).toBe(gets.doctor.length > 0);
  });
});
