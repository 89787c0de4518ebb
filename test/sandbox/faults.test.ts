import { afterEach, describe, expect, it } from '@jest/globals';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { askToken, clientOf, closeAll, getBare, openSandbox, read, tinyCarrier, tokenOf } from './support.js';

afterEach(closeAll);

const JSON_BODY = { method: 'POST', headers: { 'content-type': 'application/json' } };

async function withTiny(): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = await openSandbox({ carriers: [tinyCarrier] });
  return { sandbox, url: sandbox.carrierUrl('tiny') };
}

describe("a carrier's simulator", () => {
  it('sees addresses without its mount, knows its own address, and shows its bookings', async () => {
    const { sandbox, url } = await withTiny();
    const answer = await read(await fetch(`${url}/v1/book?x=1`, { ...JSON_BODY, body: '{"reference":"A-1"}' }));
    expect(answer.body).toEqual({ url: '/v1/book?x=1', link: `${url}/labels/1` });
    const bookings = await read(await fetch(`${sandbox.url}/control/carriers/tiny/bookings`));
    expect(bookings.body).toEqual([{ reference: 'A-1', carrierNumber: null, trackingNumbers: [], state: 'booked' }]);
  });
});

describe('a planned fault', () => {
  it('answers in place of the handler with status, headers and body', async () => {
    const { sandbox, url } = await withTiny();
    sandbox.control.addFault({
      target: 'tiny',
      kind: 'status',
      status: 503,
      headers: { 'retry-after': '7' },
      body: { error: 'closed' },
    });
    const answer = await read(await fetch(url, { ...JSON_BODY, body: '{"reference":"A-1"}' }));
    expect(answer).toMatchObject({ status: 503, body: { error: 'closed' } });
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(sandbox.control.bookings('tiny')).toEqual([]);
  });

  it('sends text of any content type', async () => {
    const { sandbox, url } = await withTiny();
    sandbox.control.addFault({
      target: 'tiny',
      kind: 'status',
      status: 502,
      body: '<h1>Bad</h1>',
      contentType: 'text/html',
    });
    expect(await getBare(url)).toMatchObject({ body: '<h1>Bad</h1>', headers: { 'content-type': 'text/html' } });
  });

  it('redirects', async () => {
    const { sandbox, url } = await withTiny();
    sandbox.control.addFault({ target: 'tiny', kind: 'redirect', location: 'https://carrier.example/elsewhere' });
    expect(await getBare(url)).toMatchObject({
      status: 302,
      headers: { location: 'https://carrier.example/elsewhere' },
    });
  });

  it.each([
    ['drop-before', 'without the request being handled', 0],
    ['drop-after', 'after the request was handled', 1],
    ['reset-after', 'after the request was handled, by a reset', 1],
  ] as const)('%s cuts the connection %s', async (kind, _when, handled) => {
    const { sandbox, url } = await withTiny();
    sandbox.control.addFault({ target: 'tiny', kind });
    await expect(fetch(url, { ...JSON_BODY, body: '{"reference":"A-1"}' })).rejects.toThrow();
    expect(sandbox.control.bookings('tiny')).toHaveLength(handled);
    expect(sandbox.control.requests({ target: 'tiny' })).toMatchObject([{ status: null, fault: kind }]);
  });

  it('padding makes an answer as long as is asked for, and changes nothing of it', async () => {
    const { sandbox, url } = await withTiny();
    const whole = await getBare(url);
    sandbox.control.addFault({ target: 'tiny', kind: 'padding', bytes: 1_000_000 });
    const padded = await getBare(url);
    expect([padded.status, padded.body.length, padded.body.trimEnd()]).toEqual([200, 1_000_000, whole.body]);
  });

  it('content-type changes what the answer calls itself, and nothing else', async () => {
    const { sandbox, url } = await withTiny();
    const whole = await getBare(url);
    sandbox.control.addFault({ target: 'tiny', kind: 'content-type', contentType: 'text/html' });
    const { status, body, headers } = await getBare(url);
    expect({ status, body, type: headers['content-type'] }).toEqual({
      ...{ status: 200, body: whole.body },
      type: 'text/html',
    });
  });

  it('cut-body promises the whole answer and sends half', async () => {
    const { sandbox, url } = await withTiny();
    const whole = await getBare(url);
    sandbox.control.addFault({ target: 'tiny', kind: 'cut-body' });
    const cut = await getBare(url);
    expect(cut).toMatchObject({ status: 200, end: 'cut', headers: { 'content-length': String(whole.body.length) } });
    expect(cut.body).toBe(whole.body.slice(0, Math.floor(whole.body.length / 2)));
  });

  it('trickle sends the whole answer, slowly', async () => {
    const { sandbox, url } = await withTiny();
    const whole = await getBare(url);
    sandbox.control.addFault({ target: 'tiny', kind: 'trickle', msPerByte: 1 });
    const started = Date.now();
    expect(await getBare(url)).toMatchObject({ status: 200, end: 'complete', body: whole.body });
    expect(Date.now() - started).toBeGreaterThanOrEqual(whole.body.length - 10);
  });

  it('delay holds back the answer of a request that is handled at once', async () => {
    const { sandbox, url } = await withTiny();
    sandbox.control.addFault({ target: 'tiny', kind: 'delay', ms: 60 });
    const started = Date.now();
    expect(await getBare(url)).toMatchObject({ status: 200, end: 'complete' });
    expect(Date.now() - started).toBeGreaterThanOrEqual(55);
  });

  it('befalls the token endpoint and the IMS alike', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    sandbox.control.addFault({ target: 'token', kind: 'status', status: 500 });
    sandbox.control.addFault({ target: 'ims', kind: 'cut-body' });
    expect((await askToken(sandbox)).status).toBe(500);
    await expect(ask('GET /carriers')).rejects.toThrow();
    expect((await ask('GET /carriers')).status).toBe(200);
  });

  it('happens to the method and path it names, after so many, so many times', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    const fault = {
      target: 'ims',
      method: 'GET',
      path: '^/carriers$',
      after: 1,
      times: 2,
      kind: 'status',
      status: 500,
    };
    await fetch(`${sandbox.url}/control/faults`, { ...JSON_BODY, body: JSON.stringify(fault) });
    const statuses = [];
    for (const request of ['GET /carriers', 'GET /sellers', 'GET /carriers?x=1', 'GET /carriers', 'GET /carriers'])
      statuses.push((await ask(request)).status);
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
    expect(sandbox.control.faults()).toMatchObject([{ matched: 4, happened: 2 }]);
  });

  it('is forgotten when faults are cleared', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    sandbox.control.addFault({ target: 'ims', kind: 'status', status: 500, times: 99 });
    await fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' });
    expect((await ask('GET /carriers')).status).toBe(200);
  });

  it('is refused with words when it makes no sense', async () => {
    const sandbox = await openSandbox();
    const answer = await fetch(`${sandbox.url}/control/faults`, {
      ...JSON_BODY,
      body: '{"target":"ims","kind":"rain"}',
    });
    expect(await read(answer)).toMatchObject({ status: 400, body: { error: expect.stringContaining('it is "rain"') } });
  });
});

describe('the request log', () => {
  it('keeps what was asked and how it ended, of one target or area', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    await ask('GET /carriers?maxNumRows=1');
    await ask('POST /carriers', { apiKey: 'area-2-key', body: { carrierName: 'DAO' } });
    const requests = await read(await fetch(`${sandbox.url}/control/requests?target=ims`));
    expect(requests.body).toMatchObject([
      { n: 2, method: 'GET', path: '/carriers', query: { maxNumRows: '1' }, area: 1, status: 200, body: null },
      { n: 3, method: 'POST', path: '/carriers', area: 2, status: 422, body: { carrierName: 'DAO' } },
    ]);
    expect(sandbox.control.requests({ area: 2 })).toHaveLength(1);
    await fetch(`${sandbox.url}/control/requests`, { method: 'DELETE' });
    expect(sandbox.control.requests()).toEqual([]);
  });

  it('keeps no secret and no file content', async () => {
    const { sandbox, url } = await withTiny();
    const ask = await clientOf(sandbox);
    const token = await tokenOf(sandbox);
    const booking = sandbox.control.createTransportBooking(
      sandbox.control.createShipment({ area: 1, shipment: {} }).id,
    );
    const content = Buffer.alloc(5000, 'label').toString('base64');
    await ask(`POST /documents/${booking.id}/attachments`, {
      token,
      body: { fileName: 'a.pdf', base64EncodedContent: content },
    });
    await fetch(`${url}/book?Stikord=hush-1`, { ...JSON_BODY, body: '{"Password":"hush-2","code":"E1"}' });
    const kept = JSON.stringify(sandbox.control.requests());
    for (const secret of [token, 'full-secret', 'hush-1', 'hush-2', content.slice(0, 40)])
      expect(kept).not.toContain(secret);
    for (const shown of [`<${content.length} characters>`, '"code":"E1"']) expect(kept).toContain(shown);
  });
});
