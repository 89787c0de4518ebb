import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxSecret } from '../../src/cli/sandbox/sandbox-config.js';
import { WORKER } from '../../src/sandbox/events/events.js';
import type { FaultRule } from '../../src/sandbox/faults/faults.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { textsOf } from '../support/endings.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel, threeParcels, toGermany } = sampleShipments;

const ORDER = '/DAODirekte/leveringsordre';
const CANCEL = '/AnnullerePakke\\.php$';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

afterEach(() => {
  service.control.clearFaults();
});

/** What DAO says when it does not want to, with status 200. */
function daoRefuses(fejltekst: string) {
  return { target: 'dao', kind: 'status', status: 200, body: { status: 'FEJL', fejlkode: '42', fejltekst } } as const;
}

describe('odd characters', () => {
  const json = 'application/json';

  it.each([
    ['NUL in its text', { contentType: json, body: JSON.stringify({ Message: 'bad\u0000zip' }) }, 'bad'],
    ['half a character in its text', { contentType: json, body: '{"Message":"bad zip \\ud83d"}' }, 'bad zip'],
    ['an emoji at the cut', { contentType: json, body: `{"Message":"${'x'.repeat(498)}😀😀😀"}` }, 'x😀'],
    ['a page cut at an emoji', { contentType: 'text/html', body: `${'x'.repeat(299)}${'😀'.repeat(400)}` }, 'x😀'],
    ['a page of emoji', { contentType: 'text/html', body: `<p>${'😀'.repeat(4_000)}` }, '<p>😀'],
  ])('in a refusal are told, and leave no doubt: %s', async (_what, answer, words) => {
    service.control.addFault({ target: 'gls-dk', kind: 'status', status: 400, ...answer });
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending).toMatchObject({
      workStatus: 'FAILED',
      pages: null,
      messages: [{ type: 'ERROR', ...WORKER }],
      consignment: { state: 'refused', needsOperator: false },
    });
    expect(textsOf(ending)).toContain('Could not book shipment');
    expect(textsOf(ending)).toContain(words);
    expect([textsOf(ending).includes('\0'), textsOf(ending).isWellFormed()]).toEqual([false, true]);
  });

  it.each([
    ['GLS', 'gls-dk'],
    ['Bring', 'bring'],
    ['DAO', 'dao'],
    ['Pretend', 'pretend'],
  ])('in the notes of a shipment do not keep it from being booked: %s', async (carrierName, id) => {
    const sample = carrierName === 'DAO' ? oneParcel : toGermany;
    const ending = await service.run(sample, { carrierName, notesOnDelivery: 'garage \u0000 or \ud83d door' });
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, consignment: { state: 'closed' } });
    // DAO has no place for notes, and the worker is told so.
    expect(ending.messages.map(({ type }) => type)).toEqual(carrierName === 'DAO' ? ['WARNING'] : []);
    expect(textsOf(ending).isWellFormed()).toBe(true);
    expect(service.bookings(id, service.numberOf(ending.documentId))).toHaveLength(1);
  });
});

interface Answered {
  readonly status: number;
  readonly contentType?: string;
  readonly body: string | object;
}

describe('a carrier that quotes our password', () => {
  const password = sandboxSecret('GLS_PASSWORD');
  const complaint = `Password '${password}' is not valid`;

  it.each([
    ['in its message', { status: 400, body: { Message: complaint } }, "Password '***' is not valid"],
    [
      'about its field',
      { status: 400, body: { Message: 'no', ModelState: { 'shipment.Password': [complaint] } } },
      "Password '***' is not valid",
    ],
    [
      'on a page',
      { status: 400, contentType: 'text/html', body: `<p>${complaint}</p>` },
      "Password '***' is not valid",
    ],
  ])('does not make us tell it to anybody: %s', (_where, answer, told) => isNotTold(service, answer, told));

  it('does not make us tell it to anybody: in a failure of its own', async () => {
    // A carrier that failed is probed, and what is planned for the next booking of another test would meet the probe.
    const own = await startService();
    await isNotTold(own, { status: 500, body: { Message: complaint } }, 'It may be booked or not');
    await own.stop();
  });

  async function isNotTold(service: Service, answer: Answered, told: string): Promise<void> {
    service.control.addFault({ target: 'gls-dk', kind: 'status', ...answer } as FaultRule);
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending.workStatus).toBe('FAILED');
    expect(textsOf(ending)).toContain(told);
    const list = await service.operator(`/consignments?q=${ending.documentId}`);
    for (const shown of [ending, list.body, service.lines]) expect(inTotal(shown)).not.toContain(password);
  }

  it('still hears it from us', async () => {
    const ending = await service.run(oneParcel, { carrierName: 'GLS' });
    expect(ending.workStatus).toBe('DONE');
  });

  function inTotal(value: unknown): string {
    return inspect(value, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });
  }
});

describe('a search that takes longer than a booking needs to show', () => {
  it('is no proof that nothing is booked: it is asked again, and nothing is booked twice', async () => {
    service.control.addFault({ target: 'pretend', method: 'POST', path: '^/bookings$', kind: 'drop-after' });
    service.control.addFault({ target: 'pretend', method: 'GET', path: '^/bookings$', kind: 'delay', ms: 1_500 });
    const ending = await service.run(oneParcel, { carrierName: 'Pretend' });
    expect(ending).toMatchObject({ workStatus: 'DONE', messages: [], consignment: { state: 'closed' } });
    expect(service.bookings('pretend', service.numberOf(ending.documentId))).toHaveLength(1);
  });
});

describe('a cancellation whose answer is lost', () => {
  it('is probably done when the carrier refuses the second one, and the worker is told so', async () => {
    const { documentId } = await service.run(oneParcel, { carrierName: 'DAO' });
    service.control.addFault({ target: 'dao', path: CANCEL, kind: 'drop-after' });
    const mark = service.mark();
    service.control.cancelDocument(documentId);
    await until('it is cancelled', async () => (await service.consignmentOf(documentId)).state === 'cancelled');
    expect(cancellationsSince(mark)).toHaveLength(2);
    expect(service.messages(String(service.document(documentId)['documentCancelledEventId']))).toEqual([
      { type: 'ERROR', text: expect.stringContaining('probably cancelled'), ...WORKER },
    ]);
    expect(service.bookings('dao', service.numberOf(documentId))).toMatchObject([{ state: 'cancelled' }]);
  });

  it('of a parcel that shall not be left alone leaves nothing of that parcel behind', async () => {
    service.control.addFault({ ...daoRefuses('Pakken er for stor'), path: ORDER, after: 1 });
    service.control.addFault({ target: 'dao', path: CANCEL, kind: 'drop-after' });
    const mark = service.mark();
    const ending = await service.run(parcels(2), { carrierName: 'DAO' });
    expect(cancellationsSince(mark)).toHaveLength(2);
    expect(ending).toMatchObject({
      workStatus: 'FAILED',
      carriersShipmentNumber: undefined,
      trackingNumbers: [undefined, undefined],
      pages: null,
      timesAttached: 0,
      prints: [],
      consignment: { state: 'refused', parcels: [{ state: 'cancelled' }] },
    });
    expect(textsOf(ending)).toContain('Pakken er for stor');
    expect(textsOf(ending)).toContain('probably cancelled');
    expect(service.bookings('dao', service.numberOf(ending.documentId))).toMatchObject([{ state: 'cancelled' }]);
  });

  function cancellationsSince(mark: number) {
    return service.requestsSince(mark, 'dao').filter(({ path }) => new RegExp(CANCEL).test(path));
  }
});

describe('parcels that are booked one after the other', () => {
  it('keep the numbers they have when the last answer is lost, and get the last one from a person', async () => {
    // DAO is probed after that, and what another test plans would meet the probe.
    const service = await startService();
    service.control.addFault({ target: 'dao', path: ORDER, kind: 'drop-after', after: 2 });
    const doubtful = await service.run(threeParcels, { carrierName: 'DAO' });
    const numbers = service
      .bookings('dao', service.numberOf(doubtful.documentId))
      .map((booking) => booking.trackingNumbers[0]);
    expect(numbers).toHaveLength(3);
    expect(doubtful).toMatchObject({ workStatus: 'FAILED', pages: null, consignment: { needsOperator: true } });
    expect(doubtful.consignment.parts).toMatchObject([{ state: 'booked' }, { state: 'booked' }, { state: 'in-doubt' }]);
    expect(keptNumbers(doubtful)).toEqual(numbers.slice(0, 2));
    expect(textsOf(doubtful)).toContain('It may be booked or not');

    const [third] = doubtful.consignment.parts[2].containers;
    const body = { answer: 'booked', trackingNumbers: { [third]: numbers[2] } };
    expect((await service.act(doubtful.consignment, 'resolve', body)).status).toBe(202);
    const ending = await service.ending(doubtful.documentId);
    expect(ending).toMatchObject({
      workStatus: 'DONE',
      trackingNumbers: numbers,
      carriersShipmentNumber: numbers[0],
      pages: 3,
      timesAttached: 1,
      consignment: { state: 'closed', needsOperator: false },
    });
    expect(ending.prints).toHaveLength(1);
    expect(service.bookings('dao', service.numberOf(ending.documentId))).toHaveLength(3);
    await service.stop();
  });

  function keptNumbers(ending: Ending) {
    return ending.consignment.parcels.map((parcel: { trackingNumber: string }) => parcel.trackingNumber);
  }
});

describe('labels of containers that are booked at different times', () => {
  // Nothing but a reader of PDFs sees which page is whose; `.ci/run` installs one where it is missing.
  const readsPdf = spawnSync('pdftotext', ['-v']).error === undefined;
  if (!readsPdf) process.stderr.write('the order of labels: skipped, no pdftotext was found on this machine\n');
  let ending: Ending;

  beforeAll(async () => {
    const spare = service.containersOf(service.ship(oneParcel)).at(0)?.id;
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ ...daoRefuses('Pakken er for stor'), path: ORDER, after: 1 });
    service.control.addFault({ ...daoRefuses('Pakken er afsendt'), path: CANCEL });
    const first = await service.ending(service.book(shipmentId));
    expect(first).toMatchObject({ workStatus: 'FAILED', pages: 1, consignment: { state: 'incomplete' } });
    // Packed in addition, and older than the others: it comes before what is booked already.
    await service.ims(`PATCH /shippingContainers/${spare}`, { shipmentId });
    ending = await service.ending(service.book(shipmentId));
    expect(ending.trackingNumbers[1]).toBe(first.trackingNumbers[0]);
  });

  it('are all in one file, and nothing is booked twice', async () => {
    expect(ending).toMatchObject({ workStatus: 'DONE', pages: 3, messages: [], consignment: { state: 'closed' } });
    const booked = service.bookings('dao', service.numberOf(ending.documentId));
    const numbers = booked.map((booking) => booking.trackingNumbers[0]);
    expect([...numbers].sort()).toEqual([...ending.trackingNumbers].sort());
    expect(numbers).not.toEqual(ending.trackingNumbers);
  });

  (readsPdf ? it : it.skip)(
    `are in the order of the containers${readsPdf ? '' : ' (skipped: no pdftotext)'}`,
    async () => {
      const { bytes } = await service.operator(`/consignments/${ending.consignment.id}/labels/0`);
      expect(numbersIn(bytes)).toEqual(ending.trackingNumbers);
    },
  );

  /** The barcode of each page, as it stands below the bars. */
  function numbersIn(pdf: Buffer): readonly (string | undefined)[] {
    const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });
    const pages = stdout.split('\f').slice(0, -1);
    return pages.map((page) => ending.trackingNumbers.map(String).find((number) => page.includes(number)));
  }
});
