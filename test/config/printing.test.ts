import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { profileSettings } from '../../src/config/sections/printing.js';
import { read, yaml } from './config-samples.js';

const BRING = '{ apiKey: key-0001, apiUid: a@b.example, customerNumber: "5" }';
const problemsOf = (printing: string) => read(yaml({ printing })).problems;
const profile = (keys: string) => `{ profiles: { a: ${keys} } }`;
const use = (keys: string) => `{ profiles: { thermal: { format: zpl } }, use: [${keys}] }`;

describe('printing in waybridge.yaml', () => {
  it('takes profiles with their use, and has defaults for the rest', () => {
    const printing = `
  mode: resource
  profiles:
    thermal: { format: zpl, widthMm: 102, heightMm: 152, dpi: 300, copies: 2, template: tray-2 }
    long: { format: pdf, widthMm: 101.6, heightMm: 190 }
    office: { format: pdf, sheet: A4, perSheet: 4 }
  use:
    - { when: { deviceName: { $regex: '^Packing' }, userId: 12 }, profile: thermal }
    - { when: { carrier: pretend, country: NO, area: 550 }, profile: office }
    - { when: {}, profile: long }
  errorSheet: true`;
    const { config, problems } = read(yaml({ printing }));
    expect(problems).toEqual([]);
    expect(config?.file.printing.errorSheet).toBe(true);
    const settings = config && profileSettings(config.file.printing);
    const none = { widthMm: null, heightMm: null, dpi: 203, sheet: null, perSheet: 1 };
    expect(settings?.profiles).toEqual([
      {
        ...{ name: 'thermal', copies: 2, template: 'tray-2' },
        target: { ...none, format: 'zpl', widthMm: 102, heightMm: 152, dpi: 300 },
      },
      {
        ...{ name: 'long', copies: 1, template: null },
        target: { ...none, format: 'pdf', widthMm: 101.6, heightMm: 190 },
      },
      {
        ...{ name: 'office', copies: 1, template: null },
        target: { ...none, format: 'pdf', sheet: 'A4', perSheet: 4 },
      },
    ]);
    expect(settings?.use.map(({ profile: name }) => name)).toEqual(['thermal', 'office', 'long']);
  });

  it('takes the profiles of the page about printing', () => {
    const [, printing = ''] = /```yaml\nprinting:\n([^]*?)```/.exec(readFileSync('docs/printing.md', 'utf8')) ?? [];
    const accounts = '{ main: { carrier: bring, imsCarrierName: Bring, config: ' + BRING + ' } }';
    const { config, problems } = read(yaml({ accounts, printing: `\n${printing}` }));
    expect(problems).toEqual([]);
    expect(config && profileSettings(config.file.printing).use).toHaveLength(2);
  });

  it.each<[string, string, string, RegExp]>([
    ['a key that nobody knows', '{ errorSheets: true }', '.errorSheets', /did you mean errorSheet\?/],
    ['an error sheet that is no flag', '{ errorSheet: sometimes }', '.errorSheet', /true or false/],
    ['profiles that are a list', '{ profiles: [a] }', '.profiles', /must be an object of profiles by name/],
    ['a profile that is a text', profile('zpl'), '.profiles.a', /must be an object, e\.g\./],
    ['a profile of no name', '{ profiles: { "a b": { format: pdf } } }', '.profiles.a b', /must have a name/],
    ['a profile without a format', profile('{ dpi: 203 }'), '.profiles.a.format', /must be pdf or zpl/],
    ['a misspelt key', profile('{ format: pdf, widthMM: 102 }'), '.profiles.a.widthMM', /did you mean widthMm\?/],
    ['a label of no size', profile('{ format: pdf, widthMm: 1, heightMm: 100 }'), '.profiles.a.widthMm', /20 to 420/],
    ['a size in words', profile('{ format: pdf, widthMm: A4, heightMm: 90 }'), '.profiles.a.widthMm', /20 to 420/],
    ['half a size', profile('{ format: pdf, heightMm: 100 }'), '.profiles.a.widthMm', /missing; only a roll/],
    ['a resolution no printer has', profile('{ format: zpl, dpi: 204 }'), '.profiles.a.dpi', /203, 300 or 600/],
    ['a sheet for ZPL', profile('{ format: zpl, sheet: A4 }'), '.profiles.a.sheet', /only for format: pdf/],
    ['another sheet', profile('{ format: pdf, sheet: A6 }'), '.profiles.a.sheet', /A4, A5 or letter/],
    ['labels on no sheet', profile('{ format: pdf, perSheet: 4 }'), '.profiles.a.perSheet', /needs sheet/],
    ['half a label', profile('{ format: pdf, sheet: A4, perSheet: 0.5 }'), '.profiles.a.perSheet', /1 to 16/],
    ['a hundred copies', profile('{ format: pdf, copies: 100 }'), '.profiles.a.copies', /1 to 10 copies/],
    ['a template elsewhere', profile('{ format: pdf, template: ../x }'), '.profiles.a.template', /small letters/],
    [
      'a template where the IMS prints the document',
      '{ mode: document, profiles: { a: { format: pdf, template: x } } }',
      '.profiles.a.template',
      /only for printing\.mode: resource/,
    ],
    [
      'copies where the IMS prints',
      '{ mode: none, profiles: { a: { format: pdf, copies: 2 } } }',
      '.profiles.a.copies',
      /no effect/,
    ],
    ['a profile that is not there', use('{ when: {}, profile: termal }'), '.use[0].profile', /did you mean thermal\?/],
    ['what every object has', use('{ when: {}, profile: toString }'), '.use[0].profile', /is not a profile/],
    ['a use without a condition', use('{ profile: thermal }'), '.use[0].when', /missing/],
    ['a use of nothing', use('{ when: {} }'), '.use[0].profile', /missing/],
    ['another key', use('{ when: {}, profile: thermal, unless: {} }'), '.use[0].unless', /not a known key/],
    [
      'a field that is misspelt',
      use('{ when: { devicename: x }, profile: thermal }'),
      '.use[0].when.devicename',
      /is not a field of a printed booking; did you mean deviceName\?/,
    ],
    [
      'a carrier without an account',
      use('{ when: { carrier: bring }, profile: thermal }'),
      '.use[0].when.carrier',
      /it is one of pretend/,
    ],
    ['an area that is none', use('{ when: { area: 551 }, profile: thermal }'), '.use[0].when.area', /one of 550/],
    ['a country that is none', use('{ when: { country: DNK }, profile: thermal }'), '.use[0].when.country', /ISO 3166/],
    [
      'a pattern that could take for ever',
      use("{ when: { deviceName: { $regex: '(a+)+$' } }, profile: thermal }"),
      '.use[0].when.deviceName.$regex',
      /take for ever/,
    ],
    ['code', use('{ when: { $where: "1" }, profile: thermal }'), '.use[0].when.$where', /must not use/],
  ])('refuses %s', (...[, printing, where, rule]) => {
    expect(problemsOf(printing)).toEqual([{ where: `printing${where}`, rule: expect.stringMatching(rule) }]);
  });
});
