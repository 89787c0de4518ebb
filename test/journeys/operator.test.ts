import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Answer, type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;
const STACK = /\bat .*\.[tj]s|node_modules|Error:/;

let service: Service;
let closed: Ending;
let refused: Ending;
let danish: Ending;

/** What is read here must not depend on what is done elsewhere. */
function onServiceOfItsOwn(): void {
  beforeAll(async () => {
    service = await startService();
    closed = await service.run(parcels(2), { carrierName: 'DAO', shipmentNumber: 'first-1' });
    refused = await service.run(withoutPostalCode, { carrierName: 'GLS', shipmentNumber: 'second-2' });
    danish = await service.run(oneParcel, { carrierName: 'Pretend', shipmentNumber: 'third-3' }, 2);
  });

  afterAll(() => service.stop());
}

const idsOf = ({ body }: Answer) => body.consignments.map((row: { id: string }) => row.id);

function expectProblem(answer: Answer, status: number): void {
  expect([answer.status, answer.type]).toEqual([status, expect.stringContaining('application/problem+json')]);
  expect(answer.body).toMatchObject({ status, title: expect.any(String) });
  expect(answer.bytes.toString()).not.toMatch(STACK);
}

describe('what is read', () => {
  onServiceOfItsOwn();

  describe('the list of consignments', () => {
    it.each<readonly [string, () => string, () => readonly Ending[]]>([
      ['all, newest first', () => '', () => [danish, refused, closed]],
      ['by state', () => '?state=refused', () => [refused]],
      ['by area', () => '?area=2', () => [danish]],
      ['by state and area', () => '?state=closed&area=1', () => [closed]],
      ['by shipment number', () => '?q=first-1', () => [closed]],
      ['by document', () => `?q=${refused.documentId}`, () => [refused]],
      ['by tracking number', () => `?q=${String(closed.trackingNumbers[1])}`, () => [closed]],
      ["by the carrier's number", () => `?q=${String(danish.carriersShipmentNumber)}`, () => [danish]],
      ['by its own id', () => `?q=${refused.consignment.id}`, () => [refused]],
      ['by nothing that exists', () => '?q=unheard-of', () => []],
      ['by a part of a number', () => '?q=first', () => []],
      ['by several states', () => '?state=refused,closed', () => [danish, refused, closed]],
      ['by a state that is given again', () => '?state=refused&state=in-doubt', () => [refused]],
      ['by the former name of a state', () => '?state=set-aside', () => []],
      ['by account, also what was refused before anything was sent', () => '?account=gls', () => [refused]],
      ['by several accounts', () => '?account=gls&account=dao', () => [refused, closed]],
      ['by carrier', () => '?carrier=dao', () => [closed]],
      ['by what needs an operator', () => '?needsOperator=true', () => []],
      ['by what needs none', () => '?needsOperator=false&state=refused', () => [refused]],
      ['oldest first', () => '?sort=oldest', () => [closed, refused, danish]],
      ['since a time', () => `?since=${refused.consignment.createdAt}`, () => [danish, refused]],
      ['until a time', () => `?until=${refused.consignment.createdAt}`, () => [closed]],
      ['by the beginning of the name of the recipient', () => '?q=SIGNE&area=2', () => [danish]],
      ['with empty parameters', () => '?state=&area=&q=&cursor=', () => [danish, refused, closed]],
    ])('finds %s', async (_what, query, found) => {
      expect(idsOf(await service.operator(`/consignments${query()}`))).toEqual(
        found().map((ending) => ending.consignment.id),
      );
    });

    it.each<readonly [string, string, () => readonly Ending[]]>([
      ['newest first', '', () => [danish, refused, closed]],
      ['oldest first', '&sort=oldest', () => [closed, refused, danish]],
      ['of several states', '&state=closed,refused', () => [danish, refused, closed]],
    ])('is read page by page, %s, none twice and none missed', async (_what, query, all) => {
      const pages: string[][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const answer = await service.operator(`/consignments?limit=1${query}&cursor=${encodeURIComponent(cursor)}`);
        pages.push(idsOf(answer));
        cursor = answer.body.cursor;
      }
      expect(pages).toEqual(all().map((ending) => [ending.consignment.id]));
    });

    it('says why each is in its state, in the asked language, with account and carrier of the refused one', async () => {
      const rowsIn = async (language: string) =>
        (await service.operator(`/consignments?lang=${language}`)).body.consignments;
      const [, english, first] = await rowsIn('en');
      expect(english).toMatchObject({ account: 'gls', carrier: 'gls-dk', carrierName: 'GLS' });
      expect(english.reason).toContain('Could not book shipment second-2 with GLS');
      expect(first.reason).toBeNull();
      expect((await rowsIn('da'))[1].reason).toContain('Forsendelse second-2 kunne ikke bookes');
    });

    it('names the known parameters, and the nearest, when one is unknown', async () => {
      const answer = await service.operator('/consignments?stat=closed');
      expectProblem(answer, 400);
      expect(answer.body.detail).toBe(
        '"stat" is not a parameter here: do you mean "state"? Known are state, area, account, carrier, since, until, ' +
          'needsOperator, q, sort, cursor, limit, lang',
      );
    });

    it.each([
      ['a limit of 0', '?limit=0'],
      ['a limit that is no number', '?limit=many'],
      ['a limit beyond all measure', '?limit=100000'],
      ['a parameter twice', '?q=first-1&q=second-2'],
      ['an unknown parameter', '?status=closed'],
      ['an unknown state', '?state=closed,lost'],
      ['a state by a name that every object of JavaScript has', '?state=constructor'],
      ['a time without its zone', '?since=2026-03-04T12:00:00'],
      ['a time before the first year, by its zone', `?since=${encodeURIComponent('0001-01-01T00:00:00+10:00')}`],
      ['a time after the last year, by its zone', `?until=${encodeURIComponent('9999-12-31T23:59:59-10:00')}`],
      ['an unknown order', '?sort=biggest'],
      ['a yes that is none', '?needsOperator=1'],
      ['a cursor of a month that is none', `?cursor=${encodeURIComponent('2026-13-01T00:00:00.000Z_x')}`],
      ['a very long search', `?q=${'x'.repeat(500)}`],
      ['a search with a NUL character', '?q=%00'],
      ['a cursor that is none', '?cursor=nonsense'],
      ['a cursor from no calendar', `?cursor=${encodeURIComponent('-271821-04-20T00:00:00.000Z_x')}`],
    ])('refuses %s with 400', async (_what, query) => {
      expectProblem(await service.operator(`/consignments${query}`), 400);
    });
  });

  describe('the overview', () => {
    it('says what needs a person, and how everything goes', async () => {
      const { status, body } = await service.operator('/overview');
      expect(status).toBe(200);
      expect(body.needsPerson).toMatchObject({ bookings: 1, more: false, notTold: [] });
      expect(body.needsPerson.parcelsCannotLeave).toMatchObject([
        { kind: 'refused', count: 1, parcels: 1, named: [{ id: refused.consignment.id, shipment: 'second-2' }] },
      ]);
      // A new hour may have begun meanwhile.
      expect(body.bookingsPerHour.map(({ total }: { total: number }) => total).slice(0, 22)).toEqual(Array(22).fill(0));
      expect(body.timeToLabel).toMatchObject({ labels: 2, medianMs: expect.any(Number) });
      expect(body.carriers).toContainEqual(
        expect.objectContaining({ account: 'dao', circuit: 'closed', errorRate: 0 }),
      );
      expect(body.limits[0]).toMatchObject({ areas: ['1'], perSecond: { limit: 50 }, perDay: { limit: 100_000 } });
      expect(body.limits[0].perDay.used).toBeGreaterThan(0);
    });

    it('is in the language that is asked for', async () => {
      const reasonIn = async (query: string, headers = {}) => {
        const { body } = await service.operator(`/overview${query}`, { headers });
        return body.needsPerson.parcelsCannotLeave[0].reason;
      };
      const danish = await reasonIn('?lang=da');
      expect(danish).toContain('kunne ikke bookes');
      expect(await reasonIn('', { 'accept-language': 'da-DK, en;q=0.5' })).toBe(danish);
      expect(await reasonIn('', { 'accept-language': 'fi' })).toContain('Could not book');
    });

    it.each([
      ['an unknown area', '?area=9', 'area is one of 1, 2'],
      ['an unknown parameter', '?arae=1', '"arae" is not a parameter here: do you mean "area"? Known are area, lang'],
      ['a language that we do not have', '?lang=fi', 'lang is one of en, da'],
    ])('refuses %s with 400', async (_what, query, detail) => {
      const answer = await service.operator(`/overview${query}`);
      expectProblem(answer, 400);
      expect(answer.body.detail).toBe(detail);
    });
  });

  describe('one consignment', () => {
    it('shows its parts, what was written, its labels and its history', async () => {
      const { status, body } = await service.operator(`/consignments/${closed.consignment.id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ state: 'closed', carrier: 'dao', area: '1', documentId: String(closed.documentId) });
      expect(body.parts).toMatchObject([{ state: 'booked' }, { state: 'booked' }]);
      expect(body.labels).toEqual([0, 1, 2]);
      expect(new Set(body.writes.map((write: { kind: string }) => write.kind))).toEqual(
        new Set(['tracking', 'carriers-number', 'attachment', 'print', 'work-status', 'not-allowed-notice']),
      );
      const history = body.history.map((entry: { what: string }) => entry.what);
      expect(history).toEqual(expect.arrayContaining(['carrier chosen', 'carrier booked', 'closed']));
    });

    it.each([
      ['the file that was attached', 0],
      ['the first label', 1],
      ['the second label', 2],
    ])('gives %s as a PDF', async (_what, n) => {
      const answer = await service.operator(`/consignments/${closed.consignment.id}/labels/${n}`);
      expect([answer.status, answer.type]).toEqual([200, 'application/pdf']);
      expect(answer.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      expect(answer.headers.get('content-disposition')).toContain(`SHIPPING_LABEL_${closed.documentId}.pdf`);
    });

    it.each<readonly [string, string, number]>([
      ['a label it does not have', '/labels/3', 404],
      ['a label that is no number', '/labels/first', 400],
      ['a label below nothing', '/labels/-1', 400],
    ])('answers for %s what is wrong', async (_what, path, status) => {
      expectProblem(await service.operator(`/consignments/${closed.consignment.id}${path}`), status);
    });
  });

  describe('nobody gets in', () => {
    it.each<readonly [string, Record<string, string>]>([
      ['without a token', { authorization: '' }],
      ['with another token', { authorization: 'Bearer wrong-token' }],
      ['with the secret of the events', { authorization: 'Bearer sandbox-events-secret' }],
      ['with a password', { authorization: `Basic ${Buffer.from('x:sandbox-operator-token').toString('base64')}` }],
    ])('%s', async (_what, headers) => {
      for (const path of ['/consignments', `/consignments/${closed.consignment.id}`, '/consignments/x/labels/0', '/x'])
        expectProblem(await service.operator(path, { headers }), 401);
      expectProblem(
        await service.operator(`/consignments/${refused.consignment.id}/retry`, { method: 'POST', headers }),
        401,
      );
    });
  });

  describe('what does not exist', () => {
    it.each([
      ['GET', '', 404],
      ['GET', '/labels/0', 404],
      ['POST', '/retry', 404],
      ['POST', '/cancel', 404],
      ['POST', '/reprint', 404],
      ['POST', '/resolve', 404],
      ['POST', '/explode', 404],
      ['DELETE', '', 404],
    ])('%s /{id}%s is a problem %i', async (method, path, status) => {
      const body = path === '/resolve' ? { answer: 'give-up' } : undefined;
      expectProblem(await service.operator(`/consignments/${randomUUID()}${path}`, { method, body }), status);
    });

    it.each([
      ['an id with a NUL character', '/consignments/%00'],
      ['an id that cannot be decoded', '/consignments/%E0%A4%A'],
      ['a quotation mark', "/consignments/'%20or%201=1"],
    ])('%s is a problem and no error of ours', async (_what, path) => {
      const answer = await service.operator(path);
      expectProblem(answer, answer.status);
      expect([400, 404]).toContain(answer.status);
    });
  });
});

describe('what is done', () => {
  onServiceOfItsOwn();

  describe('retry', () => {
    it('takes up what was refused, reading the shipment anew', async () => {
      const [shipmentId] = service.document(refused.documentId).shipmentIds;
      await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_postalCode: '6760' });
      const answer = await service.act(refused.consignment, 'retry');
      expect(answer.status).toBe(202);
      expect(await service.ending(refused.documentId)).toMatchObject({ workStatus: 'DONE', pages: 1 });
      expect(service.bookings('gls-dk', 'second-2')).toHaveLength(1);
    });

    it('is not possible for what is closed, and what is possible is named', async () => {
      const answer = await service.act(closed.consignment, 'retry');
      expectProblem(answer, 409);
      expect(answer.body.detail).toMatch(/"reprint" prints the label again; "cancel" takes the booking back/);
      expect(service.bookings('dao', 'first-1')).toHaveLength(2);
    });

    it('names no reprint where nothing is printed, and no cancellation that the carrier does not take', async () => {
      const silent = await startService({ config: (config) => ({ ...config, printing: { mode: 'none' } }) });
      const { consignment } = await silent.run(oneParcel, { carrierName: 'GLS' });
      const { body } = await silent.act(consignment, 'retry');
      expect(body.detail).toContain(`its label is at /api/v1/consignments/${consignment.id}/labels/0`);
      expect(body.detail).not.toMatch(/reprint|cancel/);
      await silent.stop();
    });
  });

  describe('reprint', () => {
    it('prints the same label once more', async () => {
      expect((await service.act(closed.consignment, 'reprint')).status).toBe(202);
      expect((await service.look(closed.documentId)).prints).toHaveLength(2);
    });

    it('says what the IMS said when it does not print', async () => {
      const body = { messageCode: 'invalid_Resource', messageText: 'The printer has no paper.' };
      service.control.addFault({ target: 'ims', path: 'printResource', kind: 'status', status: 422, body });
      const answer = await service.act(closed.consignment, 'reprint');
      expectProblem(answer, 409);
      expect(answer.body.detail).toContain('The printer has no paper.');
    });

    it('is not possible without a label', async () => {
      const ending = await service.run(withoutPostalCode, { carrierName: 'GLS' });
      expectProblem(await service.act(ending.consignment, 'reprint'), 409);
    });
  });

  describe('cancel', () => {
    it('cancels at the carrier, tells the worker, and is not possible twice', async () => {
      const ending = await service.run(oneParcel, { carrierName: 'Pretend', shipmentNumber: 'fourth-4' });
      expect((await service.act(ending.consignment, 'cancel')).status).toBe(202);
      await until(
        'it is cancelled',
        async () => (await service.consignmentOf(ending.documentId)).state === 'cancelled',
      );
      expect(service.bookings('pretend', 'fourth-4')).toMatchObject([{ state: 'cancelled' }]);
      expect((await service.ending(ending.documentId)).messages).toMatchObject([{ type: 'INFO' }]);
      expectProblem(await service.act(ending.consignment, 'cancel'), 409);
    });
  });

  describe('resolve', () => {
    it.each<readonly [string, unknown, number]>([
      ['an answer where nothing is in doubt', { answer: 'not-booked' }, 409],
      ['no answer', {}, 400],
      ['another answer', { answer: 'perhaps' }, 400],
      ['numbers that are missing', { answer: 'booked' }, 400],
      ['numbers that are a list', { answer: 'booked', trackingNumbers: ['1'] }, 400],
      ['a number that is a number', { answer: 'booked', trackingNumbers: { 1: 42 } }, 400],
      ['a number with a line break', { answer: 'booked', carrierNumber: 'a\nb', trackingNumbers: {} }, 400],
      ['no JSON', 'answer=booked', 400],
      ['a list', '[]', 400],
      ['null', 'null', 400],
    ])('refuses %s', async (_what, body, status) => {
      const answer = await service.operator(`/consignments/${closed.consignment.id}/resolve`, { method: 'POST', body });
      expectProblem(answer, status);
    });

    it('needs the number of every container, and a good one after that is taken', async () => {
      service.control.addFault({ target: 'gls-dk', kind: 'drop-after' });
      const { consignment } = await service.run(oneParcel, { carrierName: 'GLS' });
      expectProblem(await service.act(consignment, 'resolve', { answer: 'booked', trackingNumbers: {} }), 409);
      const [container] = consignment.parts[0].containers;
      expectProblem(
        await service.act(consignment, 'resolve', { answer: 'booked', trackingNumbers: { [container]: '  ' } }),
        409,
      );
      const trackingNumbers = { [container]: '90000099901' };
      expect((await service.act(consignment, 'resolve', { answer: 'booked', trackingNumbers })).status).toBe(202);
    });
  });

  describe('the service', () => {
    it('is alive', async () => {
      expect(await service.ask('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
    });

    it('is ready when database and IMS answer', async () => {
      expect(await service.ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    });

    it('has answers for operators that no cache keeps, refusals too', async () => {
      const answers = [
        await service.operator('/consignments'),
        await service.operator('/subscribers'),
        await service.operator('/consignments/none'),
        await service.ask('/api/v1/consignments'),
      ];
      for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
    });

    it('is not ready without a token of the IMS, but alive', async () => {
      const stranger = await startService({ environment: { IMS_CLIENT_SECRET: 'another-secret' } });
      const answer = await stranger.ask('/readyz');
      expectProblem(answer, 503);
      expect(answer.body.detail).toContain('token');
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await stranger.ask('/healthz')).status).toBe(200);
      await stranger.stop();
    });

    it.each(['/nothing', '/api', '/api/v2/consignments', '/labels', '/events/x/y'])(
      'has nothing at %s, and says so without a stack trace',
      async (path) => {
        const answer = await service.ask(path, { headers: { authorization: 'Bearer sandbox-operator-token' } });
        expectProblem(answer, 404);
      },
    );
  });
});
