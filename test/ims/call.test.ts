import { afterEach, describe, expect, it } from '@jest/globals';
import type { HttpPort, HttpRequest } from '../../carriers/contract/index.js';
import type { ImsArea } from '../../src/ims/calls/ims-area.js';
import { ImsProblem, ImsRefused, ImsUnavailable } from '../../src/ims/errors.js';
import { silentLog } from '../../src/log.js';
import type { Script, Scripted, TestIms } from './ims-server.js';
import { jwt, startTestIms } from './ims-server.js';

let ims: TestIms;
afterEach(() => ims.close());

const document = (workStatus: string) => ({ status: 200, json: { id: 7, workStatus, cancelled: false } });
const refusal = { status: 422, json: { messageType: 'ERROR', messageCode: 'invalid_Document', messageText: 'No.' } };
const page = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<html>' };
const file = { fileName: 'SHIPPING_LABEL_7.pdf', base64EncodedContent: 'JVBERi0=' };
const fileOf = (bytes: number) => ({ ...file, base64EncodedContent: 'A'.repeat(Math.ceil(bytes / 3) * 4) });
/** Answers in this order; the last one again and again. */
const inOrder =
  (...answers: readonly Scripted[]): Script =>
  (_request, count) =>
    answers[Math.min(count, answers.length) - 1] ?? 'reset';

/** Answers everything, and notes what was said about each call. */
function listening(said: [string, HttpRequest['effect']][]): HttpPort {
  return {
    send: async ({ url, effect }) => {
      const { pathname } = new URL(url);
      if (pathname !== '/oauth2/token') said.push([pathname, effect]);
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ access_token: jwt('api/full') })) };
    },
    fetchLink: () => Promise.reject(new Error('no link is expected')),
  };
}

describe('a call that may be repeated', () => {
  it.each<[string, Scripted]>([
    ['no answer', 'reset'],
    ['status 500', { status: 500 }],
    ['status 503', { status: 503, json: { message: 'Service Unavailable' } }],
    ['status 429', { status: 429, json: { message: 'Too Many Requests' } }],
    ['a page of a proxy instead of JSON', page],
  ])('is sent again after %s', async (_case, first) => {
    ims = await startTestIms({ api: inOrder(first, document('DONE')) });
    await expect(ims.area().setWorkStatus('7', 'DONE')).resolves.toMatchObject({ id: '7', workStatus: 'DONE' });
    expect(ims.calls.map(({ body }) => body)).toEqual(['{"workStatus":"DONE"}', '{"workStatus":"DONE"}']);
  });

  it.each<[string, (area: ImsArea) => Promise<void>]>([
    ['document', (area) => area.attachToDocument('7', file)],
    ['shipment', (area) => area.attachToShipment('7', file)],
  ])('attaches a file to a %s: the same name replaces it', async (kind, attach) => {
    ims = await startTestIms({ api: inOrder('reset', { status: 200, json: { id: 1 } }) });
    await attach(ims.area());
    const sent = { method: 'POST', url: `/2/${kind}s/7/attachments`, body: JSON.stringify(file) };
    expect(ims.calls).toMatchObject([sent, sent]);
  });

  it('attaches the largest file of labels: 50 MB', async () => {
    ims = await startTestIms({ api: () => ({ status: 200, json: { id: 1 } }) });
    const largest = fileOf(50e6);
    await ims.area().attachToDocument('7', largest);
    expect(ims.calls.map(({ body }) => body.length)).toEqual([JSON.stringify(largest).length]);
  });

  it('says at once that a file is too large to be sent, and is not repeated', async () => {
    ims = await startTestIms();
    const attached = ims.area().attachToDocument('7', fileOf(53e6));
    await expect(attached).rejects.toThrow(ImsProblem);
    await expect(attached).rejects.toThrow(/attach a file to a document \(7\).*70\.7 MB.*at most 70 MB/);
    expect(ims.calls).toEqual([]);
  });

  it('has a second more for each MB of a file', async () => {
    const times: number[] = [];
    const http: HttpPort = {
      ...listening([]),
      send: (request) => (times.push(request.timeoutMs), listening([]).send(request)),
    };
    ims = await startTestIms({ tools: { http } });
    for (const megabytes of [0.1, 16]) await ims.area().attachToDocument('7', fileOf(megabytes * 1e6));
    expect(times.slice(1)).toEqual([10_133, 31_333]);
  });

  it('says so to the connection, and only then', async () => {
    const said: [string, HttpRequest['effect']][] = [];
    ims = await startTestIms({ tools: { http: listening(said) } });
    const area = ims.area();
    await area.attachToDocument('7', file);
    await area.attachToShipment('1', file);
    await area.postEventMessage('2f0c', { time: 0, source: 'Waybridge', messageType: 'INFO', messageText: 'Done.' });
    await area.patchShipment('1', { carrierName: 'GLS' });
    await area.printDocument('7');
    await area.printResource({});
    expect(said).toEqual([
      ['/2/documents/7/attachments', 'repeatable'],
      ['/2/shipments/1/attachments', 'repeatable'],
      ['/2/events/2f0c/messages', 'repeatable'],
      ['/2/shipments/1', 'repeatable'],
      ['/2/invocations/printDocument', 'change'],
      ['/2/invocations/printResource', 'change'],
    ]);
  });

  it('is given up after four attempts, with what may have happened', async () => {
    ims = await startTestIms({ api: inOrder('reset', { status: 429 }) });
    await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).rejects.toMatchObject({
      name: 'ImsUnavailable',
      effect: 'unknown',
    });
    expect(ims.calls).toHaveLength(4);
  });

  it('that only reads has no effect, however it is lost', async () => {
    ims = await startTestIms({ api: inOrder('reset') });
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({ name: 'ImsUnavailable', effect: 'none' });
  });

  it('waits as long as the IMS asks, spread by chance', async () => {
    const busy = { status: 503, headers: { 'retry-after': '2' } };
    ims = await startTestIms({ api: inOrder(busy, busy, document('DONE')), tools: { random: () => 0.5 } });
    await ims.area().setWorkStatus('7', 'DONE');
    expect(ims.waitsMs).toEqual(expect.arrayContaining([2_250, 2_500]));
  });

  it('is not repeated beyond the deadline of the whole call', async () => {
    ims = await startTestIms({ api: inOrder({ status: 503, headers: { 'retry-after': '30' } }) });
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({ retryAfterMs: 30_000 });
    expect(ims.calls).toHaveLength(1);
  });
});

describe('a call that must not be repeated', () => {
  it.each<[string, Scripted]>([
    ['no answer', 'reset'],
    ['status 500', { status: 500 }],
    ['status 503', { status: 503 }],
    ['a page of a proxy', page],
  ])('is sent once when it meets %s: nobody knows whether it was done', async (_case, first) => {
    ims = await startTestIms({ api: inOrder(first) });
    const { printDocument, printResource } = ims.area();
    for (const print of [() => printDocument('7'), () => printResource({ fileName: 'x.pdf' })])
      await expect(print()).rejects.toMatchObject({ name: 'ImsUnavailable', effect: 'unknown' });
    expect(ims.calls).toHaveLength(2);
  });

  it.each<[string, Scripted]>([
    ['throttling', { status: 429 }],
    ['an expired token', { status: 401 }],
  ])('is sent again after %s: certainly nothing was done', async (_case, first) => {
    ims = await startTestIms({ api: inOrder(first, { status: 200, json: { id: 1 } }) });
    await expect(ims.area().printDocument('7')).resolves.toBeUndefined();
    expect(ims.calls.map(({ body }) => body)).toEqual(['{"documentId":7}', '{"documentId":7}']);
  });

  it('has no effect when nobody listens', async () => {
    const gone = await startTestIms();
    await gone.close();
    ims = await startTestIms({ settings: { baseUrl: `${gone.url}/2` } });
    await expect(ims.area().printDocument('7')).rejects.toMatchObject({ name: 'ImsUnavailable', effect: 'none' });
  });
});

describe('a refusal', () => {
  it('carries the code and the words of the IMS', async () => {
    const json = { messageType: 'ERROR', messageCode: 'unknown_Shipment', messageText: 'There is no shipment 1.' };
    ims = await startTestIms({ api: inOrder({ status: 422, json }) });
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({
      name: 'ImsRefused',
      messageCode: 'unknown_Shipment',
      messageText: 'There is no shipment 1.',
      refused: 'first-try',
    });
    expect(ims.calls).toHaveLength(1);
  });

  it.each<[string, Scripted]>([
    ['an HTML page', { status: 422, text: '<html>' }],
    ['an object of a gateway', { status: 422, json: { message: 'Unprocessable' } }],
    ['nothing', { status: 422 }],
  ])('with %s is none of the application', async (_case, scripted) => {
    ims = await startTestIms({ api: inOrder(scripted) });
    await expect(ims.area().setWorkStatus('7', 'ON_GOING')).rejects.toThrow(ImsProblem);
  });

  it('of a work status is believed when the first try was answered', async () => {
    ims = await startTestIms({ api: inOrder(refusal) });
    await expect(ims.area().setWorkStatus('7', 'ON_GOING')).rejects.toThrow(ImsRefused);
  });

  it('of a work status is looked into when the answer to an earlier try was lost', async () => {
    ims = await startTestIms({ api: inOrder('reset', refusal, document('ON_GOING')) });
    await expect(ims.area().setWorkStatus('7', 'ON_GOING')).resolves.toMatchObject({ workStatus: 'ON_GOING' });
    expect(ims.calls.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'GET']);
  });

  it('of a work status stays one when the document says otherwise', async () => {
    ims = await startTestIms({ api: inOrder('reset', refusal, document('DONE')) });
    await expect(ims.area().setWorkStatus('7', 'ON_GOING')).rejects.toMatchObject({ refused: 'after-lost-try' });
  });
});

describe('an answer nobody foresees', () => {
  it.each<[string, Scripted]>([
    ['status 404', { status: 404, json: { message: 'Not Found' } }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['a body that is not JSON', { status: 200, text: 'OK' }],
    ['an empty body', { status: 200 }],
    ['another resource', { status: 200, json: ['x'] }],
    ['a shipment without an id', { status: 200, json: { shipmentNumber: '10045' } }],
    ['a container without an id', { status: 200, json: { id: 1, shippingContainers: [{ weight: 1 }] } }],
  ])('to a read, like %s, is a problem that says what was tried', async (_case, scripted) => {
    ims = await startTestIms({ api: inOrder(scripted) });
    const call = ims.area().loadShipment('77');
    await expect(call).rejects.toThrow(ImsProblem);
    await expect(call).rejects.toThrow('Could not read a shipment (77) in the IMS.');
  });

  it.each([404, 400, 200])('to the question for a shipment keeps status %s', async (status) => {
    ims = await startTestIms({ api: inOrder({ status, text: 'What?' }) });
    await expect(ims.area().loadShipment('1')).rejects.toMatchObject({ name: 'ImsProblem', status });
  });

  const worded: readonly [string, Scripted][] = [
    ['no content', { status: 204 }],
    ['an empty object', { status: 200, json: {} }],
    ['a list', { status: 200, json: [1] }],
    ['JSON under a wrong name', { ...page, text: '{}' }],
  ];
  const wordless: readonly [string, Scripted][] = [
    ['an empty one', { status: 200 }],
    ['a word', { status: 200, text: 'OK' }],
    ['plain text', { status: 202, headers: { 'content-type': 'text/plain' }, text: 'Accepted' }],
    ['XML', { status: 200, headers: { 'content-type': 'application/xml' }, text: '<document/>' }],
    ['nothing under a wrong name', { ...page, text: '' }],
  ];

  it.each(worded)('is fine when it is %s to a change', async (_case, scripted) => {
    ims = await startTestIms({ api: inOrder(scripted) });
    await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).resolves.toBeUndefined();
    await expect(ims.area().printDocument('7')).resolves.toBeUndefined();
    expect(ims.calls).toHaveLength(2);
  });

  it.each(wordless)('is believed when it is %s to a change, and comes twice', async (_case, scripted) => {
    ims = await startTestIms({ api: inOrder(scripted) });
    await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).resolves.toBeUndefined();
    expect(ims.calls.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it.each(wordless)(
    'is believed at once when it is %s to a change that must not be repeated',
    async (_case, scripted) => {
      ims = await startTestIms({ api: inOrder(scripted) });
      await expect(ims.area().printDocument('7')).resolves.toBeUndefined();
      expect(ims.calls).toHaveLength(1);
    },
  );

  it('on a connection that was kept and is closed is sent again at once, within the limits', async () => {
    const warned: string[] = [];
    const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
    const shipment = { status: 200, json: { id: 1 } };
    ims = await startTestIms({ api: inOrder(shipment, 'reset', shipment), tools: { log } });
    await ims.area().loadShipment('1');
    await expect(ims.area().loadShipment('1')).resolves.toMatchObject({ id: '1' });
    expect(ims.calls).toHaveLength(3);
    expect(warned).toEqual([]);
  });

  it('that passes is forgotten: a redirect or a body that is not JSON is asked for again', async () => {
    const moved = { status: 302, headers: { location: '/elsewhere' } };
    const first = (scripted: Scripted): Script => inOrder(scripted, { status: 200, json: { id: 1 } });
    for (const scripted of [moved, { status: 200, text: 'OK' }]) {
      ims = await startTestIms({ api: first(scripted) });
      await expect(ims.area().loadDocument('1')).resolves.toMatchObject({ id: '1' });
      await expect(ims.area().patchShipment('1', { carrierName: 'GLS' })).resolves.toBeUndefined();
      expect(ims.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
        ...['GET /2/documents/1', 'GET /2/documents/1', 'PATCH /2/shipments/1'],
      ]);
      await ims.close();
    }
  });

  it.each([...worded, ...wordless, ['a status only', { status: 200, json: { workStatus: 'ON_GOING' } }] as const])(
    'means that a work status is set when it is %s',
    async (kind, scripted) => {
      ims = await startTestIms({ api: inOrder(scripted) });
      await expect(ims.area().setWorkStatus('7', 'ON_GOING')).resolves.toEqual({
        id: '7',
        documentType: null,
        documentNumber: null,
        workStatus: kind === 'a status only' ? 'ON_GOING' : null,
        cancelled: null,
        timeCreated: null,
        documentCreatedEventId: null,
      });
      expect(new Set(ims.calls.map(({ method }) => method))).toEqual(new Set(['PATCH']));
    },
  );

  it('tells of a document what it holds', async () => {
    const json = { id: null, workStatus: 'CANCELLED', cancelled: true };
    ims = await startTestIms({ api: inOrder({ status: 200, json }) });
    const answered = { id: '7', workStatus: 'CANCELLED', cancelled: true };
    await expect(ims.area().setWorkStatus('7', 'ON_GOING')).resolves.toMatchObject(answered);
  });
});

describe('the redirect of the list of shipments', () => {
  const numbers = async () => {
    const found: string[] = [];
    for await (const row of ims.area().listShipments({ carrierName: 'GLS' })) found.push(row.shipmentNumber);
    return found;
  };

  it('is followed once on the same server, with the headers', async () => {
    const rows = { status: 200, json: [{ id: 1, shipmentNumber: '10045' }] };
    ims = await startTestIms({ api: inOrder({ status: 302, headers: { location: '/2/elsewhere?page=x' } }, rows) });
    await expect(numbers()).resolves.toEqual(['10045']);
    expect(ims.calls[1]).toMatchObject({
      url: '/2/elsewhere?page=x',
      headers: { authorization: `Bearer ${jwt('api/full', '1')}`, 'x-api-key': 'area-550-key' },
    });
  });

  it.each([
    ['to another server', 'https://elsewhere.example/2/shipments'],
    ['a second time', '/2/again'],
    ['to nowhere', 'http://'],
  ])('is not followed %s', async (_case, location) => {
    ims = await startTestIms({ api: inOrder({ status: 302, headers: { location } }) });
    await expect(numbers()).rejects.toThrow(ImsProblem);
    const led = ims.calls.filter(({ url }) => url.includes('again'));
    expect(led.length).toBeLessThanOrEqual(ims.calls.length / 2);
  });
});

describe('an id', () => {
  it('is encoded in the address', async () => {
    ims = await startTestIms({ api: inOrder({ status: 200, json: { id: 1 } }) });
    await ims.area().loadShipment('a/b?c');
    expect(ims.calls[0]?.url).toBe('/2/shipments/a%2Fb%3Fc');
  });

  it.each(['', '.', '..'])('that would lead to another resource ("%s") is never sent', async (id) => {
    ims = await startTestIms();
    await expect(ims.area().loadShipment(id)).rejects.toThrow(ImsProblem);
    expect(ims.calls).toHaveLength(0);
  });
});

it('shows neither token nor key in an error', async () => {
  ims = await startTestIms({ api: inOrder({ status: 500 }) });
  const error = await ims
    .area()
    .loadShipment('1')
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImsUnavailable);
  expect(JSON.stringify(error) + String(error)).not.toMatch(/area-550-key|Bearer|eyJ/);
});
