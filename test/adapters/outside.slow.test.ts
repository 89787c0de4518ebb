import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FJORDPOST = resolve('test/adapters/fjordpost');

/** Somebody's folder, with the packed package installed in it and nothing else of Waybridge. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outside-'));
  const packed = execFileSync('npm', ['pack', '--pack-destination', folder], { encoding: 'utf8', stdio: 'pipe' });
  const own = join(folder, 'node_modules', 'waybridge');
  mkdirSync(own, { recursive: true });
  const file = packed.trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', join(folder, file), '-C', own, '--strip-components=1']);
  // As npm installs them: only what package.json names, without the tools of developers.
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  for (const name of Object.keys(lock).filter((path) => path !== '' && lock[path].dev !== true)) {
    const target = join(folder, name);
    if (!existsSync(name) || existsSync(target)) continue;
    mkdirSync(join(target, '..'), { recursive: true });
    symlinkSync(resolve(name), target);
  }
  for (const name of Object.keys(dependencies)) expect(existsSync(join(folder, 'node_modules', name))).toBe(true);
  cpSync(FJORDPOST, join(folder, 'fjordpost'), { recursive: true });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
}

async function waybridge(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = join(folder, 'node_modules', 'waybridge', 'bin', 'waybridge.js');
  const env = { ...process.env, ...environment };
  return run(process.execPath, [program, ...words], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

/** The example, with a change in one of its files. */
function changed(name: string, file: string, change: (text: string) => string): string {
  const copy = join(folder, name);
  cpSync(FJORDPOST, copy, { recursive: true });
  writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')));
  return `./${name}`;
}

describe('a carrier of somebody who has only the package', () => {
  it('passes the cases of the contract under its own test runner', async () => {
    const { stdout } = await run('npm', ['test'], { cwd: join(folder, 'fjordpost') });
    expect(stdout).toMatch(/fail 0/);
    expect(stdout).not.toMatch(/pass 0/);
  });

  it('passes check-carrier', async () => {
    const { code, out } = await waybridge(['check-carrier', './fjordpost']);
    expect(out).toMatch(/Fjordpost \(fjordpost\): (\d+) of \1 cases passed/);
    expect(code).toBe(0);
  });

  it('is told by check-carrier what it does wrong', async () => {
    const unsafe = changed('unsafe', 'booking.js', (text) =>
      text
        .replace("neededList(json, 'consignments')", "listAt(json, 'consignments')")
        .replace('kilograms,', 'kilograms, listAt,')
        .replace('listAt, listAt,', 'listAt,'),
    );
    const { code, out } = await waybridge(['check-carrier', unsafe]);
    expect(out).toContain('FAILED  search: can be asked again after an empty object with status 200');
    expect(code).toBe(1);
  });

  it('has types', () => {
    const types = join(folder, 'node_modules', 'waybridge', 'dist', 'types', 'src', 'adapters');
    expect(['adapter.d.ts', 'testing.d.ts'].filter((file) => !existsSync(join(types, file)))).toEqual([]);
  });
});

describe('a new carrier', () => {
  const made: readonly (readonly string[])[] = [
    ['--yes'],
    ['--yes', '--auth', 'basic', '--parcels', 'one', '--labels', 'asked', '--search', 'no'],
    ['--yes', '--auth', 'oauth', '--labels', 'asked'],
    ['--yes', '--auth', 'query', '--search', 'no'],
  ];

  it.each(made.map((options, index) => [options.join(' '), options, `nord-post-${index}`] as const))(
    'with %s passes its tests the minute it is made, and lists what is to be filled in',
    async (_what, options, id) => {
      const { code, out } = await waybridge(['new-carrier', id, ...options]);
      expect(out).toMatch(/index\.js:\d+ {2}the base address of the API/);
      expect(code).toBe(0);
      const { stdout } = await run('npm', ['test'], { cwd: join(folder, id) });
      expect(stdout).toMatch(/fail 0/);
      expect(stdout).not.toMatch(/pass 0/);
    },
  );

  it('books in the demo', async () => {
    await waybridge(['new-carrier', 'south-post', '--name', 'South Post', '--yes']);
    const { out } = await waybridge(['demo', '--adapter', './south-post', '--output', join(folder, 'demo2')]);
    expect(out).toMatch(/✓ \d+ +one parcel with South Post/);
  });

  it('is not written over what is there, nor under a name that cannot be used', async () => {
    const again = await waybridge(['new-carrier', 'fjordpost', '--yes']);
    expect(again.out).toContain('is not empty: nothing was written');
    expect(again.code).toBe(1);
    expect((await waybridge(['new-carrier', 'Fjord Post', '--yes'])).out).toContain(
      'small letters, digits and hyphens',
    );
    expect((await waybridge(['new-carrier', 'east', '--yes', '--auth', 'magic'])).out).toContain(
      'auth is one of header',
    );
    expect(existsSync(join(folder, 'east'))).toBe(false);
  });
});

describe('the service with it among its adapters', () => {
  it('books with it in the demo, beside the carriers that come with Waybridge', async () => {
    const { code, out } = await waybridge(['demo', '--adapter', './fjordpost', '--output', join(folder, 'demo')]);
    expect(out).toMatch(/✓ \d+ +one parcel with Fjordpost/);
    expect(code).toBe(0);
  });

  it('finds a lost answer, cancels, and prints', async () => {
    const sandbox = await startSandbox();
    try {
      const { post, state, bookings, until } = sandbox;
      const lost = { target: 'fjordpost', method: 'POST', path: '/consignments$', kind: 'drop-after' };
      await post('/control/faults', lost);
      const shipment = await post('/control/shipments', SHIPMENT);
      const document = await post('/control/bookings', { shipmentId: shipment.id });
      const statusOf = async () =>
        (await state()).documents.find((row: { id: number }) => row.id === document.id)?.workStatus;
      await until(async () => (await statusOf()) === 'DONE');
      expect(await bookings()).toMatchObject([{ reference: String(shipment.shipmentNumber), state: 'booked' }]);
      await until(async () => (await state()).prints.length === 1);
      await post('/control/cancellations', { documentId: document.id });
      await until(async () => (await bookings())[0].state === 'cancelled');
      expect(await bookings()).toHaveLength(1);
    } finally {
      await sandbox.stop();
    }
  });
});

const SHIPMENT = {
  area: 1,
  shipment: {
    carrierName: 'Fjordpost',
    deliveryAddress: {
      addressee: 'Signe Lund',
      streetNameAndNumber: 'Birkevej 12',
      postalCode: '5000',
      cityTownOrVillage: 'Odense C',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Signe Lund', email: 'signe.lund@mail.example' },
  },
  containers: [{ grossWeight: 2.4 }, { grossWeight: 1.1 }],
};

const WAITS_MS = 90_000;

/** The sandbox with the service beside it, as a process of its own. */
async function startSandbox() {
  const program = join(folder, 'node_modules', 'waybridge', 'bin', 'waybridge.js');
  const words = ['sandbox', '--port', '0', '--service-port', '0', '--with-service', '--adapter', './fjordpost'];
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const until = async (condition: () => Promise<boolean> | boolean) => {
    for (const end = Date.now() + WAITS_MS; !(await condition());) {
      if (Date.now() > end) throw new Error(`waited too long; the program said: ${said}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  await until(() => said.includes('The first booking'));
  expect(said).toContain('"carrierName":"Fjordpost"');
  const url = /control +(http:\/\/[^/]+)/.exec(said)?.[1] ?? '';
  // What came is looked at freely: a test asserts its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const asked = async (path: string, init?: RequestInit): Promise<any> => {
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  return {
    until,
    post: (path: string, body: object) =>
      asked(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    state: () => asked('/control/state'),
    bookings: () => asked('/control/carriers/fjordpost/bookings'),
    stop: async () => {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

describe('a broken carrier', () => {
  const broken: readonly (readonly [string, string, (text: string) => string, RegExp])[] = [
    ['does not parse', 'index.js', (text) => `${text}\n)`, /cannot be loaded: SyntaxError/],
    ['imports what is not installed', 'index.js', (text) => `import 'nowhere';\n${text}`, /nowhere/],
    ['imports what the entry does not have', 'index.js', (text) => text.replace('plugIn,', 'plugin,'), /plugin/],
    ['throws while it is loaded', 'index.js', (text) => `${text}\nthrow new Error('no licence');`, /no licence/],
    [
      'exports no default',
      'index.js',
      (text) => text.replace('export default', 'export const one ='),
      /no default export/,
    ],
    [
      'is written for another contract',
      'index.js',
      (text) => text.replace('contract: 1', 'contract: 7'),
      /contract 7.*contract 1/,
    ],
    ['has the id of another', 'index.js', (text) => text.replace("id: 'fjordpost'", "id: 'bring'"), /id bring/],
    ['has no name', 'index.js', (text) => text.replace("name: 'Fjordpost'", "name: ''"), /no name/],
    ['lacks a trait', 'index.js', (text) => text.replace('maxParcels: 20', 'maxParcels: undefined'), /maxParcels/],
    ['has no simulator', 'index.js', (text) => text.replace(/simulator: async[^\n]*/, ''), /no simulator/],
    [
      'breaks when it connects',
      'api.js',
      (text) => text.replace('{ apiKey }, tools', '{ apiKeys: { one } }, tools'),
      /cannot connect/,
    ],
    [
      'does not use defineCarrier',
      'index.js',
      (text) => text.replace('defineCarrier({', '({').replace('defineCarrier, ', ''),
      /is not made by defineCarrier/,
    ],
    ['has no program', 'package.json', (text) => text.replace('./index.js', './main.js'), /main\.js does not exist/],
  ];

  it.each(broken)('that %s ends the start with one message that names it', async (what, ...[file, change, words]) => {
    const entry = changed(what.replaceAll(' ', '-'), file, change);
    const configFile = join(folder, `${entry}.yaml`);
    writeFileSync(configFile, CONFIG.replace('ENTRY', entry));
    const { code, out } = await waybridge(['serve'], { ...ENVIRONMENT, CONFIG_FILE: configFile });
    const lines = out.trim().split('\n');
    expect(lines).toEqual(['settings: 1 problem', expect.stringMatching(/^ {2}adapters\[0\] /)]);
    expect(lines[1]).toContain(entry);
    expect(lines[1]).toMatch(words);
    expect(code).toBe(78);
  });

  it('that is not installed is named with the command that installs it', async () => {
    const configFile = join(folder, 'missing.yaml');
    writeFileSync(configFile, CONFIG.replace('ENTRY', '@acme/nowhere'));
    const { code, out } = await waybridge(['serve'], { ...ENVIRONMENT, CONFIG_FILE: configFile });
    expect(out).toContain('npm install @acme/nowhere');
    expect(code).toBe(78);
  });
});

const ENVIRONMENT = {
  ...{ HOST: '127.0.0.1', PORT: '0', IMS_BASE_URL: 'http://127.0.0.1:9/2', IMS_AUTH_URL: 'http://127.0.0.1:9' },
  ...{ IMS_CLIENT_ID: 'full', IMS_CLIENT_SECRET: 'full-secret', EVENTS_SECRET: 'events-secret' },
  ...{ OPERATOR_TOKEN: 'operator-token', ALLOW_PRIVATE_ADDRESSES: 'true' },
};

const CONFIG = `adapters: ['ENTRY']
areas: [{ contextId: 1, apiKey: key }]
accounts:
  fjordpost: { carrier: fjordpost, imsCarrierName: Fjordpost, config: { apiKey: key } }
`;
