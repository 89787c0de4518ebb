import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { bring } from '../../carriers/bring/index.js';
import { carriers } from '../../carriers/index.js';
import { requestFieldsOf } from '../../src/consignment/requests/request-fields.js';
import { keepExchange, plainHeaders } from '../../src/consignment/requests/keep-exchange.js';
import type { KeptRequest, KeptTexts } from '../../src/consignment/requests/kept-request.js';
import { isHarmless, masking, maskingAll, maskSecrets } from '../../src/consignment/requests/mask-secrets.js';
import { redactRequest } from '../../src/consignment/requests/redact-request.js';
import { waterfallOf } from '../../src/dashboard/requests/waterfall.js';
import { judged } from '../../src/operator/requests/attempts.js';
import { curlOf } from '../../src/operator/requests/curl.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { propertyRuns } from '../support/property-runs.js';

const declared = requestFieldsOf(carriers.map(({ adapter }) => adapter));
const ofCarriers = fieldNames(declared);
const NOON = Date.parse('2026-03-04T12:00:00Z');

function request(atMs: number, changes: Partial<KeptRequest> = {}) {
  const known: KeptRequest = {
    ...{ at: new Date(NOON + atMs).toISOString(), tookMs: 100, step: 'book', account: 'bring', name: 'Book: booking' },
    ...{ method: 'POST', origin: 'https://api.example', path: '/booking', status: 200, requestId: null, because: null },
    ...changes,
  };
  return { ...known, id: `0.${atMs}` };
}

const drawn = (requests: readonly ReturnType<typeof request>[]) =>
  waterfallOf({
    ...{ requests: judged(requests), createdAt: new Date(NOON), account: 'bring', carrier: 'Bring', chosen: null },
  });

describe('the waterfall', () => {
  it('says who took how long, and draws the wait for the next attempt', () => {
    const waterfall = drawn([
      request(0, { step: 'prepare', account: null, tookMs: 200 }),
      request(200, { status: 503, tookMs: 800 }),
      request(2_000, { tookMs: 2_000 }),
    ]);
    expect(waterfall).toMatchObject({
      inAll: '4.0 s',
      split: 'Bring 2.8 s, waiting 1.0 s (dotted), IMS 200 ms',
      steps: [
        { name: 'Prepare', trouble: null },
        { name: 'Book', trouble: { text: '1 of 2: 503', tone: 'danger' }, isOpen: false },
      ],
    });
    expect(waterfall?.steps[1]?.rows).toMatchObject([
      { attempt: 1, fault: 'Bring', x: 5, width: 20, waitsFrom: null },
      { attempt: 2, fault: null, x: 50, width: 50, waitsFrom: 25 },
    ]);
  });

  it('cuts a wait of hours to the length of ten seconds', () => {
    const [step] = drawn([request(0, { status: 503 }), request(3_600_100)])?.steps ?? [];
    expect(step?.rows[1]).toMatchObject({ cut: '1 h 00 min', waitsFrom: 0.98, x: 99.02 });
  });

  it('draws nothing where no requests were kept', () => expect(drawn([])).toBeNull());
});

describe('the fault', () => {
  it.each([
    ['of Waybridge, when its credentials are refused', { status: 401 }, 'waybridge'],
    ['of Waybridge, when it asks too fast', { status: 429 }, 'waybridge'],
    ['of the carrier, when it does not answer', { status: null, because: 'no complete answer in time' }, 'carrier'],
    ['of the carrier, when it refuses in a good answer', { refused: true as const }, 'carrier'],
    ['of the IMS, when it refuses a change', { account: null, status: 422 }, 'ims'],
    ['of no side, when a carrier does not know a booking', { step: 'find-outcome', method: 'GET', status: 404 }, null],
  ] as const)('is %s', (_name, changes, fault) => {
    expect(judged([request(0, changes)])).toMatchObject([{ fault }]);
  });
});

describe('a secret in a text', () => {
  const known = masking((text) => text.replaceAll('p4ss&word', '***'), declared.secret);
  const all = maskingAll(known, ['header-value']);
  it.each([
    ['as it is', 'key p4ss&word!', 'key ***!'],
    ['percent-encoded', 'https://x.example/?a=p4ss%26word', 'https://x.example/?a=***'],
    ['percent-encoded beside a % that is none', '100% of a=p4ss%26word', '100% of a=***'],
    ['of a header', 'you sent header-value', 'you sent ***'],
    ['of HTTP', 'Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic ***'],
    [
      'in a link',
      'https://x.example/l.pdf?expires=1&signature=abc-_d',
      'https://x.example/l.pdf?expires=1&signature=***',
    ],
    [
      'in a link in XML, behind another parameter',
      '<l>https://x.example/?a=b?c&amp;sig=abc-_d</l>',
      '<l>https://x.example/?a=b?c&amp;sig=***</l>',
    ],
    [
      'in a link that is not encoded within another',
      'x?url=https://y.example/?token=abcd',
      'x?url=https://y.example/?token=***',
    ],
    ['as a token', 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln', '***'],
  ])('is masked %s', (_name, text, masked) => expect(all.mask(text)).toBe(masked));

  it('is masked by the name of its field, also as a number', () => {
    const value = { apiKey: 'a', access_token: 'b', Password: 12345678, code: 'E1', postalCode: '5000' };
    const masked = { apiKey: '***', access_token: '***', Password: '***', code: 'E1', postalCode: '5000' };
    expect(maskSecrets([value], all)).toEqual([masked]);
  });

  it('is not in a body that is kept as it came, as its parts tell', () => {
    const secret = fc.constantFrom(
      ...['p4ss&word', 'p4ss%26word', 'header-value', 'Bearer abcdefgh', 'https://x.example/?token=abcd', '?key=abcd'],
    );
    const text = fc.oneof(secret, fc.string(), fc.constantFrom('x'.repeat(1_001), '"', 'a\\b', 'basic'));
    const key = fc.oneof(fc.constantFrom('kode', 'code', 'Password', 'p4ss&word'), fc.string());
    const { tree: body } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(body, (value) => {
        if (isHarmless(JSON.stringify(value), all)) expect(maskSecrets(value, all)).toEqual(value);
      }),
      { numRuns: propertyRuns(5_000) },
    );
    const harmless = [{ id: 7, name: 'Signe', url: 'https://x.example/?parcel=1', note: 'x'.repeat(400) }];
    expect(isHarmless(JSON.stringify(harmless), all)).toBe(true);
  });

  it.each(['passphrase', 'sessionId', 'Passwd', 'access_token', 'X-Api-Key', 'kode'])(
    'is masked by the same name in a field and in a link: %s',
    (name) => {
      const value = { [name]: 'abcd', link: `https://x.example/?a=1&${name}=abcd&b=2` };
      const masked = { [name]: '***', link: `https://x.example/?a=1&${name}=***&b=2` };
      expect(maskSecrets(value, all)).toEqual(masked);
    },
  );

  it.each(['key', 'subscription-key', 'userPwd', 'accessSig'])(
    'is masked in an address by the end of a name, which says nothing of a field: %s',
    (name) => {
      const value = { [name]: 'abcd', link: `https://x.example/?${name}=abcd` };
      expect(maskSecrets(value, all)).toEqual({ [name]: 'abcd', link: `https://x.example/?${name}=***` });
      const url = `https://x.example/?${name}=abcd`;
      const request = { method: 'GET', url, timeoutMs: 1, query: { [name]: 'abcd' } } as const;
      expect(redactRequest(request, known)).toMatchObject({
        url: `https://x.example/?${name}=***`,
        query: { [name]: '***' },
      });
      const receiver = { kind: 'carrier', account: 'it' } as const;
      const exchange = { request, receiver, at: new Date(NOON), tookMs: 0, answer: null, because: null };
      expect(keepExchange(exchange, { ...known, plain: plainHeaders([]) }).query).toEqual({ [name]: '***' });
    },
  );

  it('is not seen in what carriers and the IMS call their own: neither in a field nor in a link', () => {
    const names = [
      ...declared.plain,
      'shipmentNumber',
      'postalCode',
      'productVariantId',
      'trackingNumber',
      'contextId',
    ];
    const value = Object.fromEntries(names.map((name) => [name, `https://x.example/?${name}=1`]));
    expect(maskSecrets(value, all)).toEqual(value);
  });

  it('is masked by a name that a carrier declares, also in a link; a longer name is another one', () => {
    const value = { Kode: 'abcd', stregkode: '0005700000', link: 'https://x.example/?stregkode=00057&kode=abcd' };
    const masked = { Kode: '***', stregkode: '0005700000', link: 'https://x.example/?stregkode=00057&kode=***' };
    expect(maskSecrets(value, all)).toEqual(masked);
    expect(maskSecrets({ kode: 'abcd' }, maskingAll(masking(String, []), []))).toEqual({ kode: 'abcd' });
  });
});

describe('a link to a label that is no address', () => {
  it.each(['/l/1.pdf', 'https://['])('%s is kept without its query', (url) => {
    const exchange = { receiver: { kind: 'carrier', account: 'bring' }, at: new Date(NOON), tookMs: 0 } as const;
    const kept = keepExchange(
      { ...exchange, request: { method: 'GET', url }, answer: null, because: 'no address' },
      { ...masking((text) => text, []), plain: plainHeaders([]) },
    );
    expect(kept).toMatchObject({ query: {}, answer: null });
  });
});

describe('a header of a request', () => {
  it('is kept where a carrier declares it, unless its name is that of a secret; an answer may quote it', () => {
    const { requestFields } = bring;
    const plain = plainHeaders([...(requestFields?.plainHeaders ?? []), 'x-api-key']);
    const headers = {
      'X-Bring-Client-URL': 'https://wms.example',
      'x-mybring-api-uid': 'u@wms.example',
      'X-API-Key': 'k',
    };
    const text = 'https://wms.example of u@wms.example is unknown';
    const answer = { status: 400, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(text) };
    const request = { method: 'GET', url: 'https://api.example/', headers } as const;
    const exchange = { receiver: { kind: 'carrier', account: 'bring' }, at: new Date(NOON), tookMs: 0 } as const;
    const kept = keepExchange(
      { ...exchange, request, answer, because: null },
      { ...masking((each) => each, []), plain },
    );
    expect(kept.request.headers).toEqual({
      ...{ 'x-bring-client-url': 'https://wms.example', 'x-mybring-api-uid': '***', 'x-api-key': '***' },
    });
    expect(kept.answer?.body).toEqual({ kind: 'text', text: 'https://wms.example of *** is unknown' });
  });
});

it('a request in an explanation is shown without a secret in its path', () => {
  const url = 'https://api.example/labels/token/abcd/kode=efgh?token=ijkl&day=1';
  const known = masking((text) => text, declared.secret);
  expect(redactRequest({ method: 'GET', url, timeoutMs: 1 }, known).url).toBe(
    'https://api.example/labels/token/***/kode=***?token=***&day=1',
  );
});

it('a request in an explanation is shown without the secrets that are not kept of one that was sent, and with its choices', () => {
  const login = { user: 'u', pwd: 'a', passphrase: 'b', credential: 'c', sessionId: 'd', pin: 1234, apiKey: null };
  const shown = redactRequest(
    {
      ...{ method: 'POST', url: 'https://api.example/?sig=e&pin=1234&pwd=a&day=1', timeoutMs: 1 },
      ...{ query: { Signature: 'f', kode: 'i', day: '1' }, headers: { 'x-session': 'g', accept: '*/*' } },
      ...{ form: { Passwd: 'h' }, json: [{ login, code: 'E1', requireSignature: true, note: 'Basic dXNlcjpwYXNz' }] },
    },
    masking((text) => text, declared.secret),
  );
  const masked = { user: 'u', pwd: '***', passphrase: '***', credential: '***', sessionId: '***', pin: '***' };
  expect(shown).toMatchObject({
    ...{
      url: 'https://api.example/?sig=***&pin=***&pwd=***&day=1',
      query: { Signature: '***', kode: '***', day: '1' },
    },
    ...{ headers: { 'x-session': '***', accept: '*/*' }, form: { Passwd: '***' } },
    json: [{ login: { ...masked, apiKey: null }, code: 'E1', requireSignature: true, note: 'Basic ***' }],
  });
});

describe('a field', () => {
  it.each(['postalCode', 'status', 'carrierName', 'trackingNumber', 'fejltekst', 'countryCode', 'shipment_id'])(
    '%s is shown',
    (name) => expect(ofCarriers.isPlain(name)).toBe(true),
  );
  it.each(['name', 'Name1', 'addressee', 'street', 'phoneNumber', 'emailAddress', 'navn', 'somethingNew', 'userId'])(
    '%s counts as personal',
    (name) => expect(ofCarriers.isPlain(name)).toBe(false),
  );

  it('of a carrier in its own words is judged as its adapter declares; a personal word wins', () => {
    const names = fieldNames({ plain: ['paino', 'osoite'], personal: ['osoite'] });
    expect(['paino', 'laatikko_paino', 'osoite', 'osoitePaino'].map(names.isPlain)).toEqual([true, true, false, false]);
    expect(['paino', 'osoite', 'toimitusOsoite'].map(names.isQuoted)).toEqual([false, true, true]);
    const undeclared = fieldNames({});
    expect(['paino', 'osoite'].map(undeclared.isPlain)).toEqual([false, false]);
  });
});

describe('curl', () => {
  const none = { headers: {}, body: { kind: 'none' } } as const;

  it('holds no character that a terminal acts on when it is pasted', () => {
    const body = { kind: 'form', value: { name: 'Karen\u0003\u001b[A Blixen' } } as const;
    const command = curlOf(request(0), { query: {}, request: { headers: {}, body }, answer: none });
    expect(command).toContain("--data-urlencode 'name=Karen[A Blixen'");
  });

  it('is one command for a shell, whatever the texts say; variables stand for secrets', () => {
    const hostile = `it's $(touch /nowhere) \`id\` "quoted" ; rm`;
    const texts: KeptTexts = {
      query: { kode: '***', navn: hostile },
      request: {
        headers: { authorization: 'Bearer ***', 'x-note': hostile },
        body: { kind: 'json', value: { note: hostile, login: { Password: '***' } } },
      },
      answer: none,
    };
    const command = curlOf(request(0), texts);
    const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
      env: { KODE: 'k', AUTHORIZATION: 'a', PASSWORD: 'p' },
      encoding: 'utf8',
    });
    expect(shown.trimEnd().split('\n')).toEqual([
      ...['-X', 'POST', 'https://api.example/booking', '--url-query', 'kode=k', '--url-query', `navn=${hostile}`],
      ...['-H', 'authorization: Bearer a', '-H', `x-note: ${hostile}`],
      ...['--data-raw', JSON.stringify({ note: hostile, login: { Password: 'p' } })],
    ]);
  });
});
