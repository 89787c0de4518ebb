import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePackage } from '../../src/cli/new-carrier/write.js';
import { BROKEN } from './outside/broken.js';
import { type Elsewhere, installElsewhere, programOf } from './outside/elsewhere.js';
import { COMMANDS, SETTINGS, caseKeys } from './outside/page.js';
import { COMBINATIONS } from './outside/combinations.js';
import { startSandbox } from './outside/sandbox.js';

/** An author's folder, as the page makes it. */
let author: Elsewhere;
let folder: string;

beforeAll(async () => {
  author = await installElsewhere();
  folder = author.folder;
});

afterAll(() => author?.remove());

const [, , TEST = '', CHECK = '', DEMO = '', SANDBOX = ''] = COMMANDS;

describe('the carrier of docs/writing-an-adapter.md, with only the package', () => {
  it('is begun by the command of the page, which lists what is to be filled in', () => {
    expect(author.made).toMatchObject({ code: 0, out: expect.stringMatching(/^Fjordpost is in fjordpost: /m) });
    expect(author.made.out).toMatch(/index\.js:\d+ {2}the base address of the API/);
  });

  it('passes the cases of the contract under its own test runner', async () => {
    const { code, out } = await author.type(TEST, 'fjordpost');
    expect(out).toMatch(/fail 0/);
    expect(out).not.toMatch(/pass 0/);
    expect(code).toBe(0);
  });

  it('passes check-carrier', async () => {
    const { code, out } = await author.type(CHECK);
    expect(out).toMatch(/Fjordpost \(fjordpost\): (\d+) of \1 cases passed/);
    expect(code).toBe(0);
  });

  it.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    [
      'that it takes what it cannot read for "none"',
      'search: can be asked again after an empty object with status 200',
      [
        ["neededList(json, 'consignments')", "listAt(json, 'consignments')"],
        ['listAt, neededAt, neededList,', 'listAt, neededAt,'],
      ],
    ],
    [
      'that it takes labels by their place in the answer',
      'labels: belong to their parcels when the answer names the parcels in another order',
      [['labels: each.map(', 'labels: booked.map(']],
    ],
  ])('is told by check-carrier %s', async (what, name, changes) => {
    const faulty = author.changed(what.replaceAll(/\W/g, '-'), 'booking.js', (text) =>
      changes.reduce((changed, [from, to]) => changed.replace(from, to), text),
    );
    const { code, out } = await author.waybridge(['check-carrier', faulty]);
    expect(out).toContain(`FAILED  ${name}`);
    expect(code).toBe(1);
  });

  it('may say under cases whatever the table of the page has', async () => {
    const told = author.changed('told', 'index.js', (text) => text.replace('contract: 1,', `contract: 1,\n${CASES}`));
    expect(caseKeys().filter((key) => !new RegExp(`\\b${key}\\b`).test(CASES))).toEqual([]);
    const { code, out } = await author.waybridge(['check-carrier', told]);
    expect(out).toMatch(/(\d+) of \1 cases passed/);
    expect(code).toBe(0);
  });

  it('is known to the service by the settings of the page, as a folder and as a package', async () => {
    const scoped = join(folder, 'node_modules', '@acme', 'waybridge-fjordpost');
    mkdirSync(join(scoped, '..'), { recursive: true });
    cpSync(join(folder, 'fjordpost'), scoped, { recursive: true });
    const secrets = { FJORDPOST_API_KEY: 'key', FJORDPOST_CALLBACK_SECRET: 'whsec_c2VjcmV0cyBvZiBmam9yZHBvc3Q=' };
    for (const entry of ["'./fjordpost'", "'@acme/waybridge-fjordpost'"]) {
      const areas = 'areas: [{ contextId: 1, apiKey: area-1-key }]\n';
      writeFileSync(join(folder, 'waybridge.yaml'), SETTINGS.replace("'./fjordpost'", entry) + areas);
      const { out } = await author.waybridge(['doctor'], { ...ENVIRONMENT, ...secrets });
      // Nothing answers as the IMS here; the settings come before it.
      expect(out).toContain('settings        fine: 1 area, 1 account');
    }
  });

  it('can be written in TypeScript: the types of the package compile, and refuse what does not fit', async () => {
    mkdirSync(join(folder, 'typed'));
    cpSync('test/adapters/outside/typed-carrier.ts.txt', join(folder, 'typed', 'index.ts'));
    const strictly = '--noEmit --strict --skipLibCheck false --module nodenext --target es2022 --types node';
    const { code, out } = await author.type(`npx tsc ${strictly} index.ts`, 'typed');
    expect(out).not.toContain('error TS');
    expect(code).toBe(0);
  });
});

/** Every key of the table, with what is true of Fjordpost. */
const CASES = `
  cases: {
    config: () => ({ apiKey: 'another-key-0001' }),
    secrets: ['another-key-0001'],
    requiredKeys: ['apiKey'],
    wrongConfig: { apiKey: 'not-this-key' },
    variants: [['the sample with express', { ...fjordpost.sample.request, service: 'express' }]],
    refused: { ...fjordpost.sample.request, service: 'pigeon' },
    received: (seen) => {
      const { from, to } = JSON.parse(seen.body());
      const named = (party, { name, street, city }) =>
        Object.entries({ name, street, city }).map(([field, text]) => [\`\${party}.\${field}\`, text]);
      return Object.fromEntries([...named('sender', from), ...named('recipient', to)]);
    },
    parcelsMatchedBy: 'id',
    files: { read: () => { throw new Error('Fjordpost reads no files'); } },
    changes: ({ method }) => method !== 'GET',
    moreAnswers: [['a page of a proxy', 502, '<html>Bad Gateway</html>']],
  },`;

describe('a new carrier', () => {
  it('passes its cases the minute it is made, for each pair of answers', async () => {
    const ids = COMBINATIONS.map((answers, index) => {
      const names = { id: `made-${index}`, name: `Made ${index}` };
      writePackage(join(folder, 'made', names.id), { names, answers });
      return names.id;
    });
    writeFileSync(
      join(folder, 'made', 'all.test.mjs'),
      `import test from 'node:test';
       import { contractCases } from 'waybridge/adapter/testing';
       for (const id of ${JSON.stringify(ids)}) {
         const { default: plugIn } = await import(\`./\${id}/index.js\`);
         const simulator = await plugIn.simulator();
         for (const { name, run } of contractCases(plugIn.adapter, { simulator })) test(\`\${id}: \${name}\`, run);
       }`,
    );
    const { out } = await author.type('node --test --test-reporter=dot all.test.mjs', 'made');
    expect(out.match(/X/g) ?? out).toBe(out);
    expect(out.match(/\./g)?.length).toBeGreaterThan(ids.length * 80);
  });

  it('follows the options of the command, and lists what is to be filled in', async () => {
    const options = ['--yes', '--auth', 'basic', '--parcels', 'one', '--labels', 'asked', '--search', 'no'];
    const { code, out } = await author.waybridge(['new-carrier', 'nord-post', ...options]);
    expect(out).toMatch(/index\.js:\d+ {2}the base address of the API/);
    expect(code).toBe(0);
    expectBasicAndOne('nord-post');
    const { out: tested } = await author.type('npm test', 'nord-post');
    expect(tested).toMatch(/fail 0/);
  });

  // A terminal is made by the command "script" of util-linux.
  const hasTerminal = spawnSync('script', ['--version']).status === 0;
  if (!hasTerminal) process.stderr.write('questions on a terminal: skipped, no script was found on this machine\n');
  const onTerminalHere = hasTerminal ? it : it.skip;

  onTerminalHere('asks on a terminal what no option says', async () => {
    const { status, stdout } = onTerminal('new-carrier west-post --auth basic', 'one\nasked\n\n');
    expect(stdout).not.toContain('How does the carrier let you in?');
    expect(stdout).toContain('How many parcels does one booking take? (several, one) [several]');
    expect(stdout).toContain('Do labels come with the answer');
    expect(status).toBe(0);
    expectBasicAndOne('west-post');
    expect(readFileSync(join(folder, 'west-post', 'index.js'), 'utf8')).toContain('findByReference');
  });

  onTerminalHere('writes nothing when the terminal ends before its questions are answered', () => {
    const { status, stdout } = onTerminal('new-carrier lost-post', 'basic\n\x04');
    expect(stdout).toContain('the questions were not answered: nothing was written');
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'lost-post'))).toBe(false);
  });

  /** What is typed may be typed before its question is there. */
  function onTerminal(words: string, input: string) {
    const command = `${process.execPath} ${programOf(folder)} ${words}`;
    return spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      input,
      encoding: 'utf8',
      timeout: 60_000,
    });
  }

  function expectBasicAndOne(id: string): void {
    const index = readFileSync(join(folder, id, 'index.js'), 'utf8');
    expect(index).toContain('password: TextSetting');
    expect(index).toContain('maxParcels: 1,');
  }

  it('is not written over what is there, nor under a name that cannot be used', async () => {
    const again = await author.waybridge(['new-carrier', 'fjordpost', '--yes']);
    expect(again.out).toContain('is not empty: nothing was written');
    expect(again.code).toBe(1);
    expect((await author.waybridge(['new-carrier', 'Fjord Post', '--yes'])).out).toContain(
      'small letters, digits and hyphens',
    );
    expect((await author.waybridge(['new-carrier', 'east', '--yes', '--auth', 'magic'])).out).toContain(
      'auth is one of header',
    );
    expect(existsSync(join(folder, 'east'))).toBe(false);
  });
});

describe('the service with it among its adapters', () => {
  it('books with it in the demo, and with one as new-carrier makes it, beside the carriers that come with Waybridge', async () => {
    await author.waybridge(['new-carrier', 'south-post', '--name', 'South Post', '--yes']);
    const { code, out } = await author.type(`${DEMO} --adapter ./south-post`);
    expect(out).toMatch(/✓ \d+ +one parcel with Fjordpost/);
    expect(out).toMatch(/✓ \d+ +one parcel with South Post/);
    expect(code).toBe(0);
  });

  it('finds a lost answer, cancels, and prints', async () => {
    const sandbox = await startSandbox(folder, SANDBOX);
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

describe('a broken carrier', () => {
  it.each(BROKEN)('that %s ends the start with one message that names it', async (what, ...[file, change, words]) => {
    const entry = author.changed(what.replaceAll(' ', '-'), file, change);
    const configFile = join(folder, `${entry}.yaml`);
    writeFileSync(configFile, CONFIG.replace('ENTRY', entry));
    const { code, out } = await author.waybridge(['serve'], { ...ENVIRONMENT, CONFIG_FILE: configFile });
    const lines = out.trim().split('\n');
    expect(lines).toEqual(['settings: 1 problem', expect.stringMatching(/^ {2}adapters\[0\] /)]);
    expect(lines[1]).toContain(entry);
    expect(lines[1]).toMatch(words);
    expect(code).toBe(78);
  });

  it('that is not installed is named with the command that installs it', async () => {
    const configFile = join(folder, 'missing.yaml');
    writeFileSync(configFile, CONFIG.replace('ENTRY', '@acme/nowhere'));
    const { code, out } = await author.waybridge(['serve'], { ...ENVIRONMENT, CONFIG_FILE: configFile });
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
