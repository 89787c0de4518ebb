import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { environment, read, yaml } from './config-samples.js';

const DOCUMENTED = `areas:
  - contextId: 550
    apiKey: \${IMS_API_KEY_550}
    language: da                     # of messages to workers: en, da
    bookOn: transport-booking        # or delivery-note, for areas without transport bookings
accounts:
  gls:
    carrier: gls-dk                  # adapter id = folder in carriers/
    imsCarrierName: GLS              # the carrier's name in the IMS
    baseUrl: https://api.gls.dk/ws/DK/V1/   # optional: another address (sandbox, test)
    config: { userName: \${GLS_USER}, password: \${GLS_PASSWORD}, customerId: "1", contactId: "2" }
rules:
  - name: Danish pick-up points
    when: { deliveryAddress.countryCode: DK, deliverToPickUpPoint: true }
    use: { account: gls, service: shop-delivery, options: { notification: email } }
printing: { mode: resource }         # resource (printResource), document (printDocument) or none
`;
const gls = { GLS_USER: 'user', GLS_PASSWORD: 'p, a: {s}s' };
const accountOf = (carrier: string, config: string) => ({
  accounts: `{ main: { carrier: ${carrier}, imsCarrierName: C, config: ${config} } }`,
});

describe('the notation of waybridge.yaml', () => {
  it('takes the documented example to the letter', () => {
    const { config, problems } = read(DOCUMENTED, { environment: gls });
    expect(problems).toEqual([]);
    expect(config?.warnings).toEqual([]);
    expect(config?.file.areas[0]).toMatchObject({ contextId: '550', apiKey: environment.IMS_API_KEY_550 });
    expect(config?.accounts[0]).toMatchObject({
      baseUrl: 'https://api.gls.dk/ws/DK/V1',
      config: { userName: 'user', password: gls.GLS_PASSWORD, customerId: '1', contactId: '2' },
    });
    expect(config?.file.rules?.[0]?.when).toEqual({ 'deliveryAddress.countryCode': 'DK', deliverToPickUpPoint: true });
  });

  it('takes the example that comes with the service, and nothing in it is without effect', () => {
    const text = readFileSync('waybridge.example.yaml', 'utf8');
    const names = ['IMS_API_KEY_551', 'BRING_API_KEY', 'BRING_API_UID', 'DAO_CODE'];
    const all = { ...gls, ...Object.fromEntries(names.map((name) => [name, 'x'])) };
    const { config, problems } = read(text, { environment: all });
    expect(problems).toEqual([]);
    expect(config?.warnings).toEqual([]);
  });

  it.each([
    '[{ contextId: 1, apiKey: ${KEY} }]',
    '[{ contextId: 1, apiKey: "${KEY}" }]',
    "[{ contextId: 1, apiKey: '${KEY}' }]",
    '\n  - contextId: 1\n    apiKey: ${KEY}',
    '\n  - contextId: 1\n    apiKey: |-\n      ${KEY}',
  ])('lets a value be whatever it is in %j', (areas) => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (KEY) => {
        const { config, problems } = read(yaml({ areas }), { environment: { KEY } });
        expect(problems).toEqual([]);
        expect(config?.file.areas[0]?.apiKey).toBe(KEY);
      }),
      { numRuns: 50, examples: [['}'], ['${KEY}'], ['wname_0_'], ['$&'], ['true'], ['12']] },
    );
  });

  it('takes a value without the line break with which a secret that was made from a file ends', () => {
    const ended = { IMS_API_KEY_550: 'area-key-0001\n', PRETEND_KEY: 'pretend-key-0001\r\n' };
    const { config } = read(yaml(), { environment: ended });
    expect(config?.file.areas[0]?.apiKey).toBe('area-key-0001');
    expect(config?.accounts[0]?.config).toMatchObject({ apiKey: 'pretend-key-0001' });
    const [problem] = read(yaml(), { environment: { IMS_API_KEY_550: '\n' } }).problems;
    expect(problem).toEqual({
      where: 'areas[0].apiKey',
      rule: 'needs the environment variable IMS_API_KEY_550, which is missing',
    });
  });

  it('keeps several names apart, also beside a text like the words it works with', () => {
    const areas = '[{ contextId: 1, apiKey: wname_0_${B}${A}1${B}wname_1_ }]';
    const { config } = read(yaml({ areas }), { environment: { A: 'a', B: 'b' } });
    expect(config?.file.areas[0]?.apiKey).toBe('wname_0_ba1bwname_1_');
  });

  it('asks for nothing that only a comment names', () => {
    expect(read(`${yaml()}\n# \${NOT_THERE}\nprinting: # \${NOT_THERE}`).problems).toEqual([]);
  });

  it('leaves a name in a key as it was written', () => {
    const { problems } = read(yaml({ '${IMS_API_KEY_550}': '1' }));
    expect(problems).toEqual([{ where: '${IMS_API_KEY_550}', rule: 'is not a known key' }]);
  });

  it('names each line that is no YAML once', () => {
    const { problems } = read('areas: { a: ${, b: ${ }, c: ${ } }\nprinting: }\n');
    const lines = problems.map(({ where }) => where);
    expect(lines).toContain('line 1');
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('takes numbers for texts', () => {
    const { config, problems } = read(
      yaml({
        areas: '[{ contextId: 1, apiKey: 1234 }]',
        accounts: '{ 7: { carrier: pretend, imsCarrierName: 7, config: { apiKey: 1234 } } }',
        rules: '[{ name: 1, when: {}, use: { account: 7, service: 5800 } }]',
      }),
    );
    expect(problems).toEqual([]);
    expect(config?.file.areas[0]?.apiKey).toBe('1234');
    expect(config?.accounts[0]).toMatchObject({ imsCarrierName: '7', config: { apiKey: '1234' } });
    expect(config?.file.rules?.[0]).toMatchObject({ name: '1', use: { account: '7', service: '5800' } });
  });

  it.each(['0123', '12345678901234567890'])('keeps every digit of %s', (code) => {
    const { config } = read(yaml(accountOf('dao', `{ customerId: 6, code: ${code} }`)));
    expect(config?.accounts[0]?.config).toMatchObject({ customerId: '6', code });
  });

  it.each([
    ['gls-dk', '{ userName: 1, password: 2, customerId: 1, contactId: 2 }', { customerId: '1', contactId: '2' }],
    ['bring', '{ apiKey: 1, apiUid: 2, customerNumber: 6, testIndicator: true }', { testIndicator: true }],
    ['bring', '{ apiKey: 1, apiUid: 2, customerNumber: 6, testIndicator: "false" }', { testIndicator: false }],
    ['dao', '{ customerId: 1, code: 1234, test: true }', { code: '1234', test: true }],
    ['dao', '{ customerId: 1, code: 1234, test: "1" }', { test: true }],
    ['dao', '{ customerId: 1, code: 1234, test: 1 }', { test: true }],
  ])('takes the settings of %s as %s', (carrier, written, expected) => {
    const { config, problems } = read(yaml(accountOf(carrier, written)));
    expect(problems).toEqual([]);
    expect(config?.accounts[0]?.config).toMatchObject(expected);
  });

  it('takes a section that is left empty for its default', () => {
    const { config, problems } = read(yaml({ printing: '', rules: '' }));
    expect(problems).toEqual([]);
    expect(config?.file.printing.mode).toBe('resource');
    expect(config?.file.rules).toBeUndefined();
  });

  it('warns of a setting that the carrier does not know, and of nothing else', () => {
    const { config, problems } = read(yaml(accountOf('pretend', '{ apiKey: x, instructions: { a: 1 } }')));
    expect(problems).toEqual([]);
    expect(config?.warnings).toEqual([{ where: 'accounts.main.config.instructions', rule: 'is not a known key' }]);
    expect(read(yaml(accountOf('pretend', '{ instructions: y }'))).problems).toEqual([
      { where: 'accounts.main.config.apiKey', rule: expect.any(String) },
    ]);
  });
});
