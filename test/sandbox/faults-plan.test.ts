import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readFaultsFile } from '../../src/sandbox/faults/faults-file.js';
import { drawLatencyMs } from '../../src/sandbox/api/latency.js';
import { RandomStreams } from '../../src/sandbox/control/random.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { clientOf, closeAll, getBare, openSandbox, read, tinyCarrier } from './support.js';

afterEach(closeAll);

const PLAN = `
seed: 7
switches:
  nulls: explicit
faults:
  - { target: tiny, kind: latency, times: always, chance: 0.5, distribution: { kind: uniform, minMs: 1, maxMs: 9 } }
  - { target: tiny, kind: status, status: 429, headers: { retry-after: 1 }, times: always, chance: 0.3 }
  - { target: tiny, kind: reset, times: 2, after: 5, chance: 0.5 }
`;

async function withTiny(seed = 1): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = await openSandbox({ carriers: [tinyCarrier], seed });
  return { sandbox, url: sandbox.carrierUrl('tiny') };
}

async function post(address: string, body: string, type = 'application/json') {
  return read(await fetch(address, { method: 'POST', headers: { 'content-type': type }, body }));
}

/** What befell so many requests, one after the other. */
async function outcomes({ sandbox, url }: { sandbox: Sandbox; url: string }, count: number): Promise<string[]> {
  sandbox.control.forgetRequests();
  for (let n = 0; n < count; n += 1) await getBare(url);
  const requests = sandbox.control.requests({ target: 'tiny' });
  return requests.map(({ fault, status, latencyMs }) => `${fault} ${status} ${latencyMs}`);
}

describe('a plan of faults', () => {
  it('gives the same outcomes for the same seed, and others for another', async () => {
    const played = async (seed: number) => {
      const tiny = await withTiny();
      tiny.sandbox.control.applyFaultsFile({ ...readFaultsFile(PLAN), seed });
      return outcomes(tiny, 40);
    };
    const first = await played(7);
    expect(new Set(first.map((outcome) => outcome.split(' ')[0]))).toEqual(new Set(['null', 'status', 'reset']));
    expect(await played(7)).toEqual(first);
    expect(await played(8)).not.toEqual(first);
  });

  it('is played again from the start when its file is sent again', async () => {
    const tiny = await withTiny();
    const rounds: string[][] = [];
    for (const type of ['application/yaml', 'application/x-www-form-urlencoded']) {
      expect((await post(`${tiny.sandbox.url}/control/faults-file`, PLAN, type)).status).toBe(204);
      rounds.push(await outcomes(tiny, 20));
    }
    expect(rounds[1]).toEqual(rounds[0]);
    expect(tiny.sandbox.control.switches().nulls).toBe('explicit');
    const shown = await read(await fetch(`${tiny.sandbox.url}/control/faults`));
    expect(shown.body).toMatchObject([{ fault: { kind: 'latency', times: 'always' }, matched: 20 }, {}, {}]);
  });

  it('may be JSON', async () => {
    const { sandbox } = await withTiny();
    const plan = { faults: [{ target: 'ims', kind: 'reset' }] };
    expect((await post(`${sandbox.url}/control/faults-file`, JSON.stringify(plan))).status).toBe(204);
    expect(sandbox.control.faults()).toMatchObject([{ fault: { target: 'ims', kind: 'reset' }, happened: 0 }]);
  });

  it('is refused with every problem and its place, and changes nothing', async () => {
    const { sandbox } = await withTiny();
    const plan = `
seed: -1
switches: { coffee: true, firstRowOrigin: 2 }
weather: fine
faults:
  - { target: ims, kind: reset }
  - { target: ims, kind: status, status: 99, path: '(', chance: 2, tmes: 3 }
  - { target: ims, kind: rain, falls: hard }
  - { target: ims, kind: latency, distribution: { kind: uniform, minMs: 9, maxMs: 3 }, times: often }
  - reset
`;
    const { status, body } = await post(`${sandbox.url}/control/faults-file`, plan, 'text/yaml');
    expect(status).toBe(400);
    expect(body.error.split('\n')).toEqual([
      'faults file:',
      expect.stringMatching(/^seed: must be a number from 0 to 4294967295$/),
      expect.stringMatching(/^switches\.coffee: coffee is not known$/),
      expect.stringMatching(/^switches\.firstRowOrigin: /),
      expect.stringMatching(/^faults\[1\]\.path: must be a regular expression$/),
      expect.stringMatching(/^faults\[1\]\.chance: must be a number from 0 to 1$/),
      expect.stringMatching(/^faults\[1\]\.status: must be a number from 200 to 599$/),
      expect.stringMatching(/^faults\[1\]\.tmes: is not known$/),
      expect.stringMatching(/^faults\[2\]\.kind: must be status, .* or redirect; it is "rain"$/),
      expect.stringMatching(/^faults\[3\]\.times: must be a whole number or "always"$/),
      expect.stringMatching(/^faults\[3\]\.distribution\.maxMs: must be a number from 9 to 60000$/),
      'faults[4]: must be an object',
      'weather: is not known',
    ]);
    expect(sandbox.control.faults()).toEqual([]);
  });

  it.each([
    ['a list without an end', 'seed: 1\nfaults: [\n  { target: ims, kind: reset },\n\n', /^faults file: line 2: .*\]/],
    [
      'a text without an end',
      'seed: "1\nfaults: 1\n\n\n',
      /^faults file: line 1: the closing " of this text is missing$/,
    ],
    ['a name twice', 'seed: 1\nseed: 2\n', /^faults file: line 2: this name stands there twice$/],
    ['two documents', 'seed: 1\n---\nseed: 2\n', /^faults file: line 2: there must be one document only$/],
    ['a reference to nothing', 'seed: *one\n', /^faults file: has an alias/],
    ['nothing', '', /^faults file: is empty/],
    ['a comment only', '# later\n', /^faults file: is empty/],
    ['an empty object', '{}', /must have seed, switches or faults/],
    ['no names', '- 1', /the file: must be an object/],
    ['a name that every object has', '__proto__: { seed: 1 }\nseed: 1', /^__proto__: is not known$/m],
    [
      'a switch of such a name',
      'switches: { __proto__: { nulls: mixed } }',
      /switches\.__proto__: __proto__ is not known/,
    ],
    ['levels without end', `seed: ${'['.repeat(5000)}`, /^faults file: line 1: it is nested too deep$/],
  ])('is refused that has %s', (_case, text, words) => {
    expect(() => readFaultsFile(text)).toThrow(words);
  });
});

describe('a fault', () => {
  it('of kind reset ends the connection with a reset, before the request is handled', async () => {
    const { sandbox } = await withTiny();
    sandbox.control.addFault({ target: 'tiny', kind: 'reset' });
    const end = await new Promise((resolve) => {
      const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('end', () => resolve('ended'));
      const body = '{"reference":"A-1"}';
      socket.write(`POST /carriers/tiny HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    expect(end).toBe('ECONNRESET');
    expect(sandbox.control.bookings('tiny')).toEqual([]);
    expect(sandbox.control.requests({ target: 'tiny' })).toMatchObject([{ status: null, fault: 'reset' }]);
  });

  it('of kind latency holds the answer back, together with the fault that befalls the request besides', async () => {
    const { sandbox, url } = await withTiny();
    const distribution = { kind: 'constant', ms: 30 };
    for (const times of ['always', 1])
      await post(
        `${sandbox.url}/control/faults`,
        JSON.stringify({ target: 'tiny', kind: 'latency', times, distribution }),
      );
    sandbox.control.addFault({ target: 'tiny', kind: 'status', status: 503 });
    sandbox.control.addFault({ target: 'tiny', kind: 'cut-body' });
    const started = Date.now();
    expect((await getBare(url)).status).toBe(503);
    expect(Date.now() - started).toBeGreaterThanOrEqual(55);
    expect(await getBare(url)).toMatchObject({ status: 200, end: 'cut' });
    expect(await getBare(url)).toMatchObject({ status: 200, end: 'complete' });
    const requests = sandbox.control.requests({ target: 'tiny' });
    expect(requests.map(({ latencyMs }) => latencyMs)).toEqual([60, 30, 30]);
  });

  it('can be limited to one area', async () => {
    const sandbox = await openSandbox();
    const ask = await clientOf(sandbox);
    sandbox.control.addFault({ target: 'ims', kind: 'status', status: 500, area: 2, times: 'always' });
    expect((await ask('GET /carriers')).status).toBe(200);
    expect((await ask('GET /carriers', { apiKey: 'area-2-key' })).status).toBe(500);
  });

  it.each([
    ['a chance above 1', { kind: 'reset', chance: 1.5 }, 'chance: must be a number from 0 to 1'],
    ['a latency without a distribution', { kind: 'latency' }, 'distribution: must be an object'],
    ['a member that is not known', { kind: 'reset', hard: true }, 'hard: is not known'],
    ['several methods in one', { kind: 'reset', method: 'PUT|DELETE|POST' }, 'method: must be one of GET, '],
    ['a method that no request has', { kind: 'reset', method: 'post' }, 'it is "post"'],
    ['a path that is no regular expression', { kind: 'reset', path: '(' }, 'path: must be a regular expression'],
  ])('cannot have %s', async (_case, fault, words) => {
    const { url } = await openSandbox();
    const answer = await post(`${url}/control/faults`, JSON.stringify({ target: 'ims', ...fault }));
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(words) } });
  });
});

describe('latencies', () => {
  it.each([
    ['constant', { kind: 'constant', ms: 40 }, [40, 40, 40]],
    ['uniform', { kind: 'uniform', minMs: 100, maxMs: 300 }, [102, 200, 298]],
    ['normal', { kind: 'normal', meanMs: 1000, deviationMs: 100 }, [767, 1000, 1233]],
    ['normal, never below 0', { kind: 'normal', meanMs: 0, deviationMs: 100 }, [0, 0, 233]],
    ['lognormal', { kind: 'lognormal', medianMs: 100, p99Ms: 1000 }, [10, 100, 1000]],
    ['exponential', { kind: 'exponential', meanMs: 100 }, [1, 69, 461]],
    ['exponential, never above a minute', { kind: 'exponential', meanMs: 60_000 }, [603, 41_589, 60_000]],
  ] as const)('are drawn %s', (_case, distribution, [low, middle, high]) => {
    const random = new RandomStreams(1);
    const drawn = Array.from({ length: 100_000 }, () => drawLatencyMs(distribution, () => random.next('here')));
    const sorted = drawn.toSorted((one, other) => one - other);
    const percentiles = [0.01, 0.5, 0.99].map((part) => sorted[Math.floor(part * sorted.length)] ?? NaN);
    for (const [index, expected] of [low, middle, high].entries()) {
      const tolerance = 8 + expected * 0.1;
      expect(Math.abs((percentiles[index] ?? NaN) - expected)).toBeLessThanOrEqual(tolerance);
    }
  });
});
