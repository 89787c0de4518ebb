import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyCharacter } from '../../carriers/testing/random-request.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { Shot } from './shots.js';

const MB = 1_000_000;
const DEEPEST = 100_000;

/** A value as it stands in JSON; some can be written, but not held by a program that reads it. */
const odd: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    ...['1e400', '-1e400', '1e-400', '123456789012345678901234567890', '-0', '0.1e1', '9007199254740993', '1.5'],
    ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"x\\udc00y"', '"\\uffff"', '"\\u202e\\u200b"', '""', '" "', '"\\n"'],
    ...[
      '"__proto__"',
      '"constructor"',
      '"toString"',
      '{"__proto__":{"admin":true}}',
      '{"constructor":{"prototype":{}}}',
    ],
    ...[
      'null',
      'true',
      'false',
      '[]',
      '{}',
      '[[]]',
      '[null]',
      '{"":{}}',
      '"0000-01-01T00:00:00Z"',
      '"-1"',
      '"%00"',
      '".."',
    ],
    ...[
      '"+275760-09-13T00:00:00Z"',
      '"9999-12-31T23:59:59.999999999Z"',
      '"\\\\"',
      '"\'; drop table event; --"',
      '"{{x}}"',
    ],
  ),
  fc.string({ unit: anyCharacter, maxLength: 300 }).map((text) => JSON.stringify(text)),
  fc.integer({ min: 1, max: 20_000 }).map((length) => JSON.stringify('x'.repeat(length))),
  fc.nat({ max: 40 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
);

const IDS = ['1', '2', '10000012', '999999999999'];
const sound: Readonly<Record<string, fc.Arbitrary<string>>> = {
  eventId: fc.uuid().map((id) => JSON.stringify(id)),
  eventType: fc.constantFrom('"documentCreated"', '"documentCancelled"', '"shipmentCreated"', '"packingCompleted"'),
  contextId: fc.constantFrom('1', '"1"', '2', '999'),
  documentType: fc.constantFrom('"TRANSPORT_BOOKING"', '"DELIVERY_NOTE"', '"CONSIGNMENT_NOTE"', '"INVOICE"'),
  documentId: fc.constantFrom(...IDS),
  shipmentId: fc.constantFrom(...IDS),
  shipmentIds: fc.constant('[1,"2"]'),
  carrierName: fc.constantFrom('"GLS"', '"Pretend"', 'null'),
  userId: fc.constantFrom('10000000', '"lager"'),
  deviceName: fc.constant('"Packing table 1"'),
};

/** Some fields as they should be, some odd, some twice, some that nobody knows. */
const fields: fc.Arbitrary<readonly (readonly [string, string])[]> = fc
  .tuple(
    ...Object.entries(sound).map(([key, value]) =>
      fc.oneof(
        { weight: 5, arbitrary: value.map((text) => [[key, text] as const]) },
        { weight: 2, arbitrary: odd.map((text) => [[key, text] as const]) },
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.tuple(value, odd).map(([a, b]) => [[key, a] as const, [key, b] as const]) },
      ),
    ),
    fc.array(fc.tuple(fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'time', 'detail', ''), odd), {
      maxLength: 2,
    }),
  )
  .map((groups) => groups.flat());

function objectOf(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

const event: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fields.map(objectOf) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fields, fc.constantFrom('"documentCreated"', '"x"', '7'), odd)
      .map(([detail, type, time]) => `{"detail-type":${type},"time":${time},"detail":${objectOf(detail)}}`),
  },
);

const nested: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '{"detail":', '[{"__proto__":'),
    fc.constantFrom(33, 500, 20_000, DEEPEST),
    fc.boolean(),
  )
  .map(([opening, depth, whole]) => {
    const closing = [...opening].filter((sign) => '[{'.includes(sign)).map((sign) => (sign === '[' ? ']' : '}'));
    return opening.repeat(depth) + (whole ? `1${closing.reverse().join('').repeat(depth)}` : '');
  });

const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: event },
  { weight: 3, arbitrary: fc.array(event, { maxLength: 12 }).map((events) => `[${events.join(',')}]`) },
  { weight: 3, arbitrary: fc.json() },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: nested },
);

interface Encoded {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function plain(body: Buffer): Encoded {
  return { body, headers: {} };
}

const ENCODINGS: readonly ((text: string) => Encoded)[] = [
  (text) => plain(Buffer.from(text, 'utf16le')),
  (text) => plain(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])),
  (text) => plain(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])),
  (text) => plain(Buffer.from(text.replaceAll('e', 'é'), 'latin1')),
  (text) => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
  (text) => ({ body: deflateSync(text), headers: { 'content-encoding': 'deflate' } }),
  (text) => ({ body: brotliCompressSync(text), headers: { 'content-encoding': 'br' } }),
  (text) => ({ body: gzipSync(text).subarray(0, -9), headers: { 'content-encoding': 'gzip' } }),
  (text) => ({ body: Buffer.from(text), headers: { 'content-encoding': 'gzip' } }),
  (text) => ({ body: Buffer.from(text), headers: { 'content-encoding': 'gzip, gzip' } }),
  (text) => ({ body: Buffer.from(text), headers: { 'content-encoding': 'rot13' } }),
  (text) => plain(Buffer.from(text).subarray(0, Math.floor(text.length / 2))),
  (text) => plain(gzipSync(text)),
];

const GZIP_BOMB = gzipSync(Buffer.alloc(100 * MB, '['));
const LARGE = Buffer.alloc(10 * MB, '[1,');
const JUST_FITS = Buffer.from(`[${'17,'.repeat(999)}${' '.repeat(900_000)}17]`);

const encoded: fc.Arbitrary<Encoded> = fc.oneof(
  { weight: 600, arbitrary: json.map((text) => plain(Buffer.from(text))) },
  { weight: 200, arbitrary: fc.tuple(fc.constantFrom(...ENCODINGS), json).map(([encode, text]) => encode(text)) },
  { weight: 100, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => plain(Buffer.from(bytes))) },
  { weight: 2, arbitrary: fc.constantFrom(LARGE, JUST_FITS).map(plain) },
  { weight: 3, arbitrary: fc.constant({ body: GZIP_BOMB, headers: { 'content-encoding': 'gzip' } }) },
);

const contentType = fc.constantFrom(
  ...['application/json', 'application/json; charset=utf-16', 'text/plain;charset=nonsense', 'text/html', ''],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', '*/*', ';;;', 'x'.repeat(3_000)],
);

const extras: fc.Arbitrary<Readonly<Record<string, string>>> = fc.constantFrom<Readonly<Record<string, string>>>(
  ...[{}, {}, {}, {}, { 'x-forwarded-for': '::1, not an address' }, { cookie: 'a=b; '.repeat(1_000) }],
  ...[
    { 'accept-encoding': 'gzip;q=nonsense' },
    { accept: 'text/nothing' },
    { 'if-none-match': '*' },
    { range: 'bytes=9-1' },
  ],
  ...[
    { 'x-http-method-override': 'DELETE' },
    { host: 'elsewhere.example' },
    { 'content-language': '\u00e6' },
    { te: 'trailers' },
  ],
);

const secret = sandboxSecrets.EVENTS_SECRET;
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

const door: fc.Arbitrary<{ readonly path: string; readonly headers: Readonly<Record<string, string>> }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ path: '/events', headers: { authorization: `Bearer ${secret}` } }) },
  { weight: 4, arbitrary: fc.constant({ path: `/events/${secret}`, headers: {} }) },
  { weight: 1, arbitrary: fc.constant({ path: '/events', headers: { authorization: basic(`x:${secret}`) } }) },
  { weight: 1, arbitrary: fc.constant({ path: '/events?a[b]=1&a=2', headers: { 'x-api-key': secret } }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[{}, { authorization: 'Bearer' }, { authorization: 'Basic !!!' }, { authorization: basic('no colon') }].map(
        (headers) => ({ path: '/events', headers: { ...headers } }),
      ),
      ...[
        '/events/wrong',
        '/events/%00',
        '/events/%ff%fe',
        '/events/%',
        `/events/${'x'.repeat(5_000)}`,
        '/events//',
      ].map((path) => ({ path, headers: {} })),
    ),
  },
);

/** What a sender of events could send, and what nobody should. */
export const eventShots: fc.Arbitrary<Shot> = fc
  .tuple(door, encoded, contentType, extras)
  .map(([{ path, headers }, what, type, more]) => ({
    ...{ method: 'POST', path, body: what.body },
    headers: { 'content-type': type, ...more, ...what.headers, ...headers },
  }));

/** What nobody listens to yet. */
export const callbackShots: fc.Arbitrary<Shot> = fc
  .tuple(fc.constantFrom('x', 'gls-dk/1', '%00', '..%2fevents', '%ff', '__proto__', ''), encoded, contentType, extras)
  .map(([name, what, type, more]) => ({
    ...{ method: 'POST', path: `/callbacks/${name}`, body: what.body },
    headers: { 'content-type': type, ...more, ...what.headers },
  }));

const segment = fc.oneof(
  fc.constantFrom(
    ...['%00', '%ff', '%', '..', '.', '__proto__', 'constructor', '0', '-1', '1e9', 'x'.repeat(8_000), '%2f', "'"],
  ),
  fc.uuid(),
  fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const TIMES = ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-02-31T25:61:61Z'];
const parameter = fc.oneof(
  segment,
  fc.constantFrom(
    ...['1', '200', '201', '0', '1e2', '0x10', '+5', '%20', '1.5', 'NaN', '9'.repeat(400), 'closed', 'in-doubt'],
  ),
  fc.tuple(fc.constantFrom(...TIMES), segment).map(([time, id]) => `${time}_${id}`),
);

const query = fc
  .array(
    fc.tuple(fc.constantFrom('state', 'area', 'q', 'cursor', 'limit', 'limit[]', 'q[a]', '__proto__', ''), parameter),
    {
      maxLength: 4,
    },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const wish: fc.Arbitrary<string> = fc.oneof(
  json,
  fc
    .tuple(
      fc.constantFrom('"booked"', '"not-booked"', '"give-up"', '"x"'),
      odd,
      fc.oneof(
        odd,
        fc
          .array(fc.tuple(fc.constantFrom('10000014', '__proto__', 'constructor', ''), odd), { maxLength: 3 })
          .map(objectOf),
      ),
    )
    .map(([answer, number, numbers]) => `{"answer":${answer},"carrierNumber":${number},"trackingNumbers":${numbers}}`),
  fc
    .tuple(
      fc.constantFrom('1', '"1"', '"999"', '"__proto__"'),
      fc.constantFrom('shipment', 'document', 'since'),
      fc.oneof(
        odd,
        fc.constantFrom(...TIMES, '1999-12-31', '2026-01-01').map((time) => JSON.stringify(time)),
      ),
      fc.option(
        fc.constantFrom('"0000-01-02T00:00:00Z"', '"9999-12-31T23:59:59Z"', '"2026-01-02T00:00:00+14:00"', '7'),
      ),
      fc.constantFrom('true', 'false', '"true"', '1'),
    )
    .map(([area, kind, value, until, dryRun]) => {
      const end = until === null ? '' : `,"until":${until}`;
      return `{"area":${area},"${kind}":${value}${end},"dryRun":${dryRun}}`;
    }),
);

const ACTIONS = [
  ...(['retry', 'cancel', 'reprint', 'resolve', 'explode'] as const),
  ...(['return-label', 'return-label/resolve', 'return-label?parcel=1'] as const),
];

/** A search for pick-up points, with some of its parameters missing, odd or there twice. */
const pickupPointQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom('account', 'countryCode', 'postalCode', 'street', 'id', 'limit'),
      fc.oneof(segment, fc.constantFrom('pretend', 'gls', 'DK', '2600', '0', '51', '')),
    ),
    { maxLength: 7 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

/** What an operator could ask, of a consignment that is there and of any other. @param known its id */
export function operatorShots(known: string): fc.Arbitrary<Shot> {
  const authorization = `Bearer ${sandboxSecrets.OPERATOR_TOKEN}`;
  const id = fc.oneof({ weight: 2, arbitrary: fc.constant(known) }, { weight: 1, arbitrary: segment });
  const read = fc
    .oneof(
      query.map((asked) => `/consignments?${asked}`),
      fc.tuple(id, fc.option(segment)).map(([one, n]) => `/consignments/${one}${n === null ? '' : `/labels/${n}`}`),
      segment.map((room) => `/${room}`),
      pickupPointQuery.map((asked) => `/pickup-points?${asked}`),
      fc
        .tuple(id, fc.constantFrom('', '/pdf', '?parcel=1'))
        .map(([one, rest]) => `/consignments/${one}/return-label${rest}`),
    )
    .map((path) => ({ method: 'GET', path, body: null, headers: {} }));
  const change = fc
    .tuple(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.tuple(id, fc.constantFrom(...ACTIONS)).map(([one, what]) => `/consignments/${one}/${what}`),
        },
        { weight: 2, arbitrary: fc.constant('/replay') },
      ),
      fc.oneof(
        { weight: 4, arbitrary: wish.map((text) => plain(Buffer.from(text))) },
        { weight: 1, arbitrary: encoded },
      ),
      contentType,
    )
    .map(([path, what, type]) => ({
      ...{ method: 'POST', path, body: what.body },
      headers: { 'content-type': type, ...what.headers },
    }));
  return fc.tuple(fc.oneof(read, change), extras).map(([shot, more]) => ({
    ...shot,
    path: `/api/v1${shot.path}`,
    headers: { ...more, ...shot.headers, authorization },
  }));
}

const requestLine = fc.constantFrom(
  ...['GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 'POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n[1]'],
  ...[
    'POST /events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffffffffff\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ],
  ...['GET /healthz HTTP/9.9\r\n\r\n', 'GET\r\n\r\n', '\r\n\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ...['GET /healthz HTTP/1.1\r\n\r\n', 'POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
  ...['POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ...[
    'GET /readyz HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n',
  ],
  ...[`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(3_000)}\r\n`],
  ...[
    'GET // HTTP/1.1\r\nhost: x\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
    'HEAD /events HTTP/1.1\r\nhost: x\r\n\r\n',
  ],
  ...[
    'POST /events HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
  ],
);

/** Several requests on one connection, some of them garbage. */
export const rawShots: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: requestLine.map((text) => Buffer.from(text)) },
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => Buffer.concat(parts));
