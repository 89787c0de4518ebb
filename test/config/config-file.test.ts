import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { carriers } from '../../carriers/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { secretTexts } from '../../src/config/account-settings.js';
import { readConfigFile } from '../../src/config/config-file.js';
import { SettingsError } from '../../src/config/environment.js';
import { createHidden } from '../../src/log.js';
import { isSecretName } from '../../src/transport/secret-names.js';
import { environment, read, yaml } from './config-samples.js';

const account = (more: string) =>
  `{ main: { carrier: pretend, imsCarrierName: Pretend, config: { apiKey: key-0001 }, ${more} } }`;
const rules = (more: string) => ({ rules: `[{ name: one, when: {}, use: { account: main } }, ${more}]` });

const returning = (carrier: string, address: string) => {
  const config =
    carrier === 'postnord'
      ? "{ apiKey: k, customerNumber: '990000001', applicationId: 1 }"
      : '{ customerId: 1, code: c }';
  return `{ it: { carrier: ${carrier}, imsCarrierName: P, config: ${config}, returnAddress: ${address} } }`;
};

describe('waybridge.yaml', () => {
  it('takes an area and an account, and has defaults for the rest', () => {
    const { config, problems } = read(yaml());
    expect(problems).toEqual([]);
    expect(config?.file.areas).toMatchObject([
      {
        contextId: '550',
        apiKey: environment.IMS_API_KEY_550,
        language: 'en',
        bookOn: 'transport-booking',
        giveUpAfterMinutes: 30,
        timeZone: 'Europe/Copenhagen',
      },
    ]);
    expect(config?.accounts[0]).toMatchObject({
      name: 'main',
      imsCarrierName: 'Pretend',
      config: { apiKey: environment.PRETEND_KEY },
    });
    expect(config?.file.printing.mode).toBe('resource');
  });

  it.each(['550', '"550"'])('takes the contextId %s, number or text', (contextId) => {
    const { config } = read(yaml({ areas: `[{ contextId: ${contextId}, apiKey: key-0001 }]` }));
    expect(config?.file.areas[0]?.contextId).toBe('550');
  });

  it('knows which values must never be seen', () => {
    const { config } = read(yaml());
    expect(config?.secrets).toEqual(expect.arrayContaining([environment.IMS_API_KEY_550, environment.PRETEND_KEY]));
    expect(read(yaml({ accounts: account('') })).config?.secrets).toContain('key-0001');
  });

  it.each(carriers.map(({ adapter }) => [adapter.name, adapter] as const))(
    'hides each setting of %s that has the name of a secret, or one in its sample',
    (_name, adapter) => {
      const config = adapter.sample.config(adapter.baseUrl);
      const secret = Object.entries(config).flatMap(([name, value]) =>
        typeof value === 'string' && (isSecretName(name) || /^\$\{/.test(value)) ? [value] : [],
      );
      expect(secretTexts(adapter, config)).toEqual(expect.arrayContaining(secret));
    },
  );

  it('hides a secret that only the adapter knows by name, and not the words that codes mean', () => {
    const dao = carriers.find(({ adapter }) => adapter.id === 'dao')!.adapter;
    const config = Object.assign(new dao.Config(), {
      customerId: '1',
      code: 'a-code-of-dao',
      trackingCodes: { PIN: 'delivered' },
    });
    expect(secretTexts(dao, config)).toEqual(['a-code-of-dao']);
  });

  it('hides a setting with the name of a secret that the carrier forgets to declare', () => {
    const connect = Object.assign(pretend.connect.bind(pretend), {
      [Symbol.for('waybridge.carrier')]: () => ['key-0001'],
    });
    const config = { apiKey: 'key-0001', clientSecret: 'secret-0001', sortingKey: 'north-west' };
    expect(secretTexts({ ...pretend, connect }, config)).toEqual(['key-0001', 'secret-0001']);
  });

  it('shows an address that the carrier does not declare, whatever its name: a person needs the one that does not answer', () => {
    const fragt = carriers.find(({ adapter }) => adapter.id === 'danske-fragtmaend')!.adapter;
    const tokenUrl = 'https://tokens.fragt.example';
    const config = { ...new fragt.Config(), ...fragt.sample.config(fragt.baseUrl), tokenUrl };
    expect(secretTexts(fragt, config)).not.toContain(tokenUrl);
  });

  it('hides by its name what may be a secret, where it is not known what the carrier declares', () => {
    const connect = Object.assign(pretend.connect.bind(pretend), { [Symbol.for('waybridge.carrier')]: true });
    expect(secretTexts({ ...pretend, connect }, { apiKey: 'key-0001', user: 'user-0001' })).toEqual(['key-0001']);
  });

  it('hides the address that takes alerts, which is the key of a chat, and no text that another address may have', () => {
    const secretsFor = (url: string) =>
      read(yaml({ alerts: `{ url: '${url}', secret: whsec_${'a'.repeat(32)} }` })).config?.secrets ?? [];
    const shownOf = (url: string) => createHidden(secretsFor(url)).mask(`POST ${url}: no answer`);
    expect(shownOf('https://hooks.example/services/T01/tok3n?key=k3y')).not.toMatch(/services|tok3n|k3y/);
    expect(createHidden(secretsFor('https://hooks.example/hook')).mask('/hook of a carrier')).toBe(
      '/hook of a carrier',
    );
    expect(shownOf('https://hooks.example/')).toBe('POST https://hooks.example/: no answer');
  });

  it.each<[string, Readonly<Record<string, string>>, string, RegExp]>([
    ['no area', { areas: '[]' }, 'areas', /at least one/],
    ['areas that are no list', { areas: 'all' }, 'areas', /must/],
    ['rules that are no list', { rules: 'none' }, 'rules', /^must be a list$/],
    ['adapters that are no list', { adapters: './fjordpost' }, 'adapters', /must be a list of packages and folders/],
    ['an area that has no keys', { areas: '[5]' }, 'areas[0]', /must have keys with values/],
    ['an area without a key', { areas: '[{ contextId: 1 }]' }, 'areas[0].apiKey', /must be the x-api-key/],
    ['an area without its id', { areas: '[{ apiKey: x }]' }, 'areas[0].contextId', /must be the contextId/],
    [
      'a language we have not',
      { areas: '[{ contextId: 1, apiKey: x, language: sv }]' },
      'areas[0].language',
      /en or da/,
    ],
    [
      'a way to book that we have not',
      { areas: '[{ contextId: 1, apiKey: x, bookOn: invoice }]' },
      'areas[0].bookOn',
      /delivery-note/,
    ],
    [
      'half a minute of patience',
      { areas: '[{ contextId: 1, apiKey: x, giveUpAfterMinutes: 0.5 }]' },
      'areas[0].giveUpAfterMinutes',
      /must be/,
    ],
    [
      'a key of an area that nobody knows',
      { areas: '[{ contextId: 1, apiKey: x, lang: da }]' },
      'areas[0].lang',
      /not a known key/,
    ],
    [
      'one area twice',
      { areas: '[{ contextId: 1, apiKey: x }, { contextId: "1", apiKey: y }]' },
      'areas[1].contextId',
      /another area/,
    ],
    ['a section that nobody knows', { carriers: '[]' }, 'carriers', /not a known key/],
    ['accounts that are a text', { accounts: 'gls' }, 'accounts', /must be an object/],
    ['an account that is a text', { accounts: '{ main: gls }' }, 'accounts.main', /./],
    ['an account that is empty', { accounts: '{ main: }' }, 'accounts.main.carrier', /must be the id/],
    [
      'a carrier we have not',
      { accounts: '{ main: { carrier: ups, imsCarrierName: U, config: {} } }' },
      'accounts.main.carrier',
      /there are: .*pretend/,
    ],
    [
      'an account without settings',
      { accounts: '{ main: { carrier: pretend, imsCarrierName: P } }' },
      'accounts.main.config',
      /missing/,
    ],
    [
      'a setting of a carrier that is missing',
      { accounts: '{ main: { carrier: pretend, imsCarrierName: P, config: {} } }' },
      'accounts.main.config.apiKey',
      /./,
    ],
    [
      'settings in a place that there is none',
      { accounts: '{ main: { carrier: pretend, imsCarrierName: P, config: { from: vault } } }' },
      'accounts.main.config.from',
      /must be ims/,
    ],
    [
      'a wrong setting before those in the IMS',
      { accounts: '{ main: { carrier: pretend, imsCarrierName: P, config: { from: ims, apiKey: [1] } } }' },
      'accounts.main.config.apiKey',
      /./,
    ],
    ['a key of an account that nobody knows', { accounts: account('url: x') }, 'accounts.main.url', /not a known key/],
    [
      'plain http to a carrier',
      { accounts: account('baseUrl: http://carrier.example') },
      'accounts.main.baseUrl',
      /https/,
    ],
    [
      'an address of a carrier that is none',
      { accounts: account('baseUrl: carrier') },
      'accounts.main.baseUrl',
      /https/,
    ],
    [
      'a rule for an account that is not there',
      rules('{ name: two, when: {}, use: { account: gls } }'),
      'rules[1].use.account',
      /not the name/,
    ],
    [
      'a rule for what every object has',
      rules('{ name: two, when: {}, use: { account: toString } }'),
      'rules[1].use.account',
      /not the name/,
    ],
    [
      'a rule that runs code',
      rules('{ name: two, when: { $where: "1" }, use: { account: main } }'),
      'rules[1].when.$where',
      /must not use/,
    ],
    ['a rule without a condition', rules('{ name: two, use: { account: main } }'), 'rules[1].when', /missing/],
    ['a rule that does nothing', rules('{ name: two, when: {} }'), 'rules[1].use', /missing/],
    [
      'a rule for a field that no shipment has',
      rules('{ name: two, when: {}, unless: { weight: 1 }, use: { account: main } }'),
      'rules[1].unless.weight',
      /not a field/,
    ],
    [
      'a rule that can never match',
      rules('{ name: two, when: { hour: 25 }, use: { account: main } }'),
      'rules[1].when.hour',
      /never/,
    ],
    [
      'a rule that asks for another carrier than its own',
      rules('{ name: two, when: { carrierName: GLS }, use: { account: main } }'),
      'rules[1].when.carrierName',
      /another carrier/,
    ],
    [
      'a rule whose every alternative asks for another carrier than its own',
      rules(
        '{ name: two, when: { $or: [{ carrierName: { $in: [GLS, DAO] } }, { carrierName: X }] }, use: { account: main } }',
      ),
      'rules[1].when.$or[1].carrierName',
      /another carrier/,
    ],
    [
      'two rules of one name',
      rules('{ name: one, when: {}, use: { account: main } }'),
      'rules[1].name',
      /earlier rule/,
    ],
    ['a rule that leads nowhere', rules('{ name: two, when: {}, use: {} }'), 'rules[1].use', /one of account/],
    [
      'a rule that leads two ways',
      rules('{ name: two, when: {}, use: { account: main, fastest: [main, other] } }'),
      'rules[1].use',
      /one of account/,
    ],
    [
      'quotes of an account that is not there',
      rules('{ name: two, when: {}, use: { fastest: [main, other] } }'),
      'rules[1].use.fastest[1]',
      /not the name/,
    ],
    [
      'quotes of one account',
      rules('{ name: two, when: {}, use: { cheapest: [main] } }'),
      'rules[1].use.cheapest',
      /at least two/,
    ],
    [
      'quotes of one account twice',
      rules('{ name: two, when: {}, use: { cheapest: [main, main] } }'),
      'rules[1].use.cheapest',
      /once/,
    ],
    ...['Copenhagen', '"+02:00"', '2'].map((zone): [string, Readonly<Record<string, string>>, string, RegExp] => [
      `the time zone ${zone}`,
      { areas: `[{ contextId: 1, apiKey: x, timeZone: ${zone} }]` },
      'areas[0].timeZone',
      /IANA/,
    ]),
    ['a way to print that we have not', { printing: '{ mode: paper }' }, 'printing.mode', /resource, document or none/],
    [
      'a sheet that cannot be printed',
      { printing: '{ mode: document, errorSheet: true }' },
      'printing.errorSheet',
      /mode: resource/,
    ],
    [
      'a number for customs that is none',
      { accounts: '{ pretend: { carrier: pretend, imsCarrierName: P, config: {}, customs: { eori: 12 } } }' },
      'accounts.pretend.customs.eori',
      /EORI number/,
    ],
    ...(
      [
        [
          'a return address without a street',
          '{ name: R, postalCode: 4600, city: K, countryCode: DK }',
          '.street',
          /street/,
        ],
        [
          'one in no country',
          '{ name: R, street: V 1, postalCode: 4600, city: K, countryCode: XX }',
          '.countryCode',
          /country/,
        ],
        [
          'one of another country',
          '{ name: R, street: V 1, postalCode: 46, city: K, countryCode: DK }',
          '.postalCode',
          /no postal code of DK/,
        ],
        [
          'one that does not fit',
          `{ name: ${'R'.repeat(61)}, street: V 1, postalCode: 4600, city: K, countryCode: DK }`,
          '',
          /does not fit: PostNord/,
        ],
        [
          'one with an e-mail address that is longer than the carrier takes',
          `{ name: R, street: V 1, postalCode: 4600, city: K, countryCode: DK, email: ${'r'.repeat(60)}@mail.example }`,
          '.email',
          /more than 70 characters.*PostNord/,
        ],
      ] as const
    ).map(([what, address, key, rule]): [string, Readonly<Record<string, string>>, string, RegExp] => [
      what,
      { accounts: returning('postnord', address) },
      `accounts.it.returnAddress${key}`,
      rule,
    ]),
    [
      'a return address at a carrier that has no field for it',
      { accounts: returning('dao', '{ name: R, street: V 1, postalCode: 4600, city: K, countryCode: DK }') },
      'accounts.it.returnAddress',
      /DAO has no field/,
    ],
    ['a sheet that is neither', { printing: '{ errorSheet: often }' }, 'printing.errorSheet', /true or false/],
  ])('does not take %s', (...[, changes, where, rule]) => {
    const { config, problems } = read(yaml(changes));
    expect(config).toBeNull();
    expect(problems).toEqual(expect.arrayContaining([{ where, rule: expect.stringMatching(rule) }]));
  });

  it('does not choose between two accounts of one carrier by itself', () => {
    const two =
      '{ one: { carrier: pretend, imsCarrierName: P, config: { apiKey: x } }, two: { carrier: pretend, imsCarrierName: P, config: { apiKey: x } } }';
    expect(read(yaml({ accounts: two })).problems).toEqual([
      { where: 'accounts.two.imsCarrierName', rule: expect.stringContaining('rules must choose') },
    ]);
    const rule = '[{ name: all, when: {}, use: { account: one } }]';
    expect(read(yaml({ accounts: two, rules: rule })).problems).toEqual([]);
  });

  it.each([
    ['its own carrier', '{ carrierName: Pretend }'],
    ['its own carrier in other letters', '{ carrierName: { $eq: pretend } }'],
    ['its own carrier among others', '{ carrierName: { $in: [GLS, Pretend] } }'],
    ['another carrier, or something else', '{ $or: [{ carrierName: GLS }, { isDomestic: true }] }'],
    ['no carrier, or another', '{ carrierName: { $in: [null, GLS] } }'],
    ['any carrier but one', '{ carrierName: { $ne: GLS } }'],
  ])('takes a rule that asks for %s', (_case, when) => {
    expect(read(yaml({ rules: `[{ name: one, when: ${when}, use: { account: main } }]` })).problems).toEqual([]);
  });

  it('takes rules with exceptions, and with quotes of several accounts', () => {
    const main = '{ carrier: pretend, imsCarrierName: P, config: { apiKey: x } }';
    const { config, problems } = read(
      yaml({
        accounts: `{ main: ${main}, 7: ${main} }`,
        rules:
          '[{ name: one, when: { isEu: true }, unless: { weightKg: { $gt: 20 } }, use: { cheapest: [main, 7], service: 5 } }]',
      }),
    );
    expect(problems).toEqual([]);
    expect(config?.rules).toEqual([
      {
        name: 'one',
        when: { isEu: true },
        unless: { weightKg: { $gt: 20 } },
        use: { cheapest: ['main', '7'], service: '5' },
      },
    ]);
  });

  it.each(['http://127.0.0.1:9090/carriers/pretend/', 'http://localhost:9090', 'https://carrier.example/v1/'])(
    'takes %s as the address of a carrier, with or without its last slash',
    (baseUrl) => {
      const { config } = read(yaml({ accounts: account(`baseUrl: "${baseUrl}"`) }));
      expect(config?.accounts[0]?.baseUrl).toBe(baseUrl.replace(/\/$/, ''));
    },
  );

  it('takes plain http to anywhere when private addresses are allowed', () => {
    const text = yaml({ accounts: account('baseUrl: http://10.0.0.7') });
    expect(read(text, { allowPrivate: 'true' }).problems).toEqual([]);
  });

  it('names every problem at once, with its path', () => {
    const { problems } = read(
      yaml({ areas: '[{ contextId: 1 }]', accounts: '{}', printing: '{ mode: x }', extra: '1' }),
    );
    expect(problems.map(({ where }) => where).sort()).toEqual(['areas[0].apiKey', 'extra', 'printing.mode']);
  });

  it.each(['', '# nothing yet', 'just a text', '- a\n- b', '42', 'null'])(
    'does not take %j for a configuration',
    (text) => {
      const { config, problems } = read(text);
      expect(config).toBeNull();
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  it.each(['just a text', '- a\n- b', '42'])('says of %j how a configuration begins', (text) => {
    expect(read(text).problems).toEqual([
      { where: 'CONFIG_FILE', rule: 'must begin with keys, as areas: and accounts:' },
    ]);
  });

  it('says which line is no YAML, without quoting it', () => {
    const { problems } = read('areas: []\naccounts: [geheim-0001');
    expect(problems[0]?.where).toMatch(/^line \d+$/);
    expect(JSON.stringify(problems)).not.toContain('geheim');
  });

  it('says that a file is not there, and with what to begin', () => {
    const { problems } = readConfigFile('/nowhere/waybridge.yaml', {
      environment,
      adapters: [],
      allowPrivate: 'false',
    });
    expect(problems).toEqual([
      { where: 'CONFIG_FILE', rule: expect.stringMatching(/ENOENT.*waybridge\.example\.yaml/) },
    ]);
  });
});

describe('a value from the environment', () => {
  it('can be a part of a text, and several can', () => {
    const text = yaml({ areas: '[{ contextId: 1, apiKey: "a-${ONE}-${TWO}" }]' });
    const { config } = read(text, { environment: { ONE: '1', TWO: '2' } });
    expect(config?.file.areas[0]?.apiKey).toBe('a-1-2');
  });

  it.each(['${MISSING_NAME}', 'x${MISSING_NAME}'])('is asked for by its name when %s cannot be filled in', (apiKey) => {
    const { problems } = read(yaml({ areas: `[{ contextId: 1, apiKey: "${apiKey}" }]` }));
    expect(problems).toContainEqual({ where: 'areas[0].apiKey', rule: expect.stringContaining('MISSING_NAME') });
  });

  it('cannot change the structure, whatever is in it', () => {
    const value = fc.oneof(
      fc.constantFrom(
        'x", language: da, y: "',
        '}]\nextra: 1',
        '# comment',
        '*alias',
        '&anchor',
        '!!js/function x',
        '${OTHER}',
        '- a\n- b',
        '"',
        "'",
        ': ',
        '{}',
        '\\',
      ),
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    );
    fc.assert(
      fc.property(value, (KEY) => {
        const { config, problems } = read(yaml({ areas: '[{ contextId: 1, apiKey: "${KEY}" }]' }), {
          environment: { KEY, OTHER: 'other' },
        });
        expect(problems).toEqual([]);
        expect(config?.file.areas).toEqual([expect.objectContaining({ apiKey: KEY, language: 'en' })]);
      }),
    );
  });

  it('never stands in a message, wherever it was put', () => {
    const secrets = fc.stringMatching(/^[a-z0-9]{3}[%&!?;|~^]{3}[A-Za-z0-9%&!?;|~^]{2,30}$/);
    fc.assert(
      fc.property(secrets, (SECRET) => {
        const areas = '[{ contextId: "${SECRET}", apiKey: "${SECRET}", language: "${SECRET}", bookOn: "${SECRET}" }]';
        const some = [
          { areas },
          { accounts: '{ main: { carrier: "${SECRET}", imsCarrierName: P, config: {} } }' },
          {
            accounts:
              '{ main: { carrier: bring, imsCarrierName: P, config: { testIndicator: "${SECRET}", clientUrl: "${SECRET}" } } }',
          },
          { accounts: account('baseUrl: "http://${SECRET}"') },
          { rules: '[{ name: one, when: { a: { $type: "${SECRET}" } }, use: { account: "${SECRET}" } }]' },
          { areas: '[{ contextId: "${SECRET}", apiKey: x }, { contextId: "${SECRET}", apiKey: x }]' },
          { printing: '{ mode: "${SECRET}" }' },
          { rules: '[{ name: one, when: { a: { $regex: "(${SECRET}" } }, use: { account: main } }]' },
        ];
        for (const changes of some) {
          const { problems } = read(yaml(changes), { environment: { SECRET } });
          expect(problems).not.toEqual([]);
          expect(new SettingsError(problems).message).not.toContain(SECRET);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('retention', () => {
  it('keeps names and labels 90 days and history 400 where nothing is said', () => {
    const { config } = read(yaml());
    expect(config?.file.retention).toMatchObject({ addresses: 90, labels: 90, bodies: 90, history: 400, audit: 400 });
    expect(read(yaml({ retention: '{ labels: 30 }' })).config?.file.retention).toMatchObject({
      addresses: 90,
      labels: 30,
    });
  });

  it.each([
    ['too few days', '{ addresses: 3 }', 'retention.addresses', 'must be a whole number of days from 14 to 3650'],
    ['a part of a day', '{ labels: 90.5 }', 'retention.labels', 'must be a whole number of days from 14 to 3650'],
    [
      'history that ends first',
      '{ addresses: 200, history: 100 }',
      'retention.history',
      'must be at least as many days as addresses and labels',
    ],
    [
      'a key that is not known',
      '{ adresses: 90 }',
      'retention.adresses',
      'is not a known key; did you mean addresses?',
    ],
    ['a number', '90', 'retention', 'must be an object of days'],
  ])('refuses %s', (_case, ...[retention = '', where, rule]) => {
    expect(read(yaml({ retention })).problems).toEqual([{ where, rule }]);
  });
});
