import { describe, expect, it } from '@jest/globals';
import type { CarrierAdapter } from '../../carriers/contract/index.js';
import { pretend } from '../../carriers/pretend/index.js';
import { exposureProblems } from '../../src/config/exposure.js';
import { readSettings } from '../../src/config/environment.js';
import { environment, read, yaml } from './config-samples.js';

const problemsIn = (changes: Readonly<Record<string, string>>) =>
  read(yaml(changes)).problems.map(({ where, rule }) => `${where} ${rule}`);

describe('a file with many mistakes', () => {
  it('has all of them told at once, whatever else is misspelt', () => {
    const problems = problemsIn({
      areas: '[{ contextId: 1, apiKey: x, langauge: da }, { contextId: 2, apiKey: y }, { contextId: 2, apiKey: z }]',
      accounts:
        '{ main: { carrier: pretend, imsCarrierName: P, config: {} }, gls: { carrier: gls-dk, imsCarierName: GLS, config: { userName: u } } }',
      rules: '[{ name: one, when: { wieghtGrams: 1 }, use: { acount: main } }]',
      printing: '{ mode: paper }',
    });
    for (const expected of [
      /^areas\[0\]\.langauge is not a known key; did you mean language\?/,
      /^areas\[2\]\.contextId is the contextId of another area/,
      /^accounts\.main\.config\.apiKey /,
      /^accounts\.gls\.imsCarierName is not a known key; did you mean imsCarrierName\?/,
      /^accounts\.gls\.config\.password /,
      /^rules\[0\]\.use\.acount is not a known key; did you mean account\?/,
      /^printing\.mode /,
    ])
      expect(problems).toContainEqual(expect.stringMatching(expected));
  });

  it('has the words of a carrier that cannot be connected with its settings', () => {
    const connect = () => {
      throw new Error('the contract and the customer do not go together');
    };
    const main = '{ main: { carrier: pretend, imsCarrierName: P, config: { apiKey: key-0001 } } }';
    const { problems } = read(yaml({ accounts: main }), { adapters: [{ ...pretend, connect } as CarrierAdapter] });
    expect(problems).toEqual([
      { where: 'accounts.main.config', rule: 'the contract and the customer do not go together' },
    ]);
  });

  it('says of a key that is missing that it is missing, and names the one that was meant', () => {
    const problems = problemsIn({
      accounts:
        '{ gls: { carrier: gls-dk, imsCarrierName: GLS, config: { userName: u, password: p, customerID: "1", contactId: "2" } } }',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^accounts\.gls\.config\.customerId missing; /),
      'accounts.gls.config.customerID is not a known key; did you mean customerId?',
    ]);
  });

  it.each([
    [
      'a carrier',
      { accounts: '{ main: { carrier: gls, imsCarrierName: GLS, config: {} } }' },
      expect.stringMatching(/^accounts\.main\.carrier is not a carrier we have; did you mean gls-dk\? there are: /),
    ],
    [
      'a number',
      { areas: '[{ contextId: 1, apiKey: x, giveUpAfterMinutes: 30m }]' },
      'areas[0].giveUpAfterMinutes must be a whole number of minutes, e.g. 30',
    ],
    [
      'an account in a rule',
      { rules: '[{ name: one, when: {}, use: { cheapest: [main, mian] } }]' },
      'rules[0].use.cheapest[1] is not the name of an account; there are: main',
    ],
    ['a section', { acounts: '{}' }, 'acounts is not a known key; did you mean accounts?'],
    [
      'a key of what an area wants of tracking',
      { areas: '[{ contextId: 1, apiKey: x, tracking: { tellDeliverd: true } }]' },
      'areas[0].tracking.tellDeliverd is not a known key; did you mean tellDelivered?',
    ],
    ['a key of printing', { printing: '{ mod: none }' }, 'printing.mod is not a known key; did you mean mode?'],
    [
      'a key of callbacks',
      {
        accounts:
          '{ main: { carrier: pretend, imsCarrierName: P, config: { apiKey: key-0001 }, callbacks: { sceret: 0123456789abcdef } } }',
      },
      'accounts.main.callbacks.sceret is not a known key; did you mean secret?',
    ],
    [
      'a key of a rule',
      { rules: '[{ name: one, wenn: {}, when: {}, use: { account: main } }]' },
      'rules[0].wenn is not a known key; did you mean when?',
    ],
    ['a key like no other', { weather: 'fine' }, 'weather is not a known key'],
  ])('names what was meant by %s', (_case, changes, problem) => {
    expect(problemsIn(changes as Record<string, string>)).toContainEqual(problem);
  });
});

describe('a service that others can reach', () => {
  const problemsAt = (more: Readonly<Record<string, string>>) =>
    exposureProblems(readSettings({ ...environment, ...more }).settings, null).map(({ where }) => where);

  it.each([
    ['on every address, with secrets of its own', {}, []],
    ['on this machine, with secrets of the example', { HOST: '127.0.0.1', EVENTS_SECRET: 'change-me-too' }, []],
    ['on this machine by name', { HOST: 'localhost', OPERATOR_TOKEN: 'change-me-as-well' }, []],
    ['on this machine, version 6', { HOST: '::1', OPERATOR_TOKEN: 'change-me' }, []],
    [
      'on every address, with secrets of the example',
      { EVENTS_SECRET: 'change-me-too', OPERATOR_TOKEN: 'change-me-as-well' },
      ['EVENTS_SECRET', 'OPERATOR_TOKEN'],
    ],
    ['on one public address without PUBLIC_URL', { HOST: '203.0.113.7' }, []],
  ] as const)('is judged %s', (_case, more, problems) => {
    expect(problemsAt(more)).toEqual(problems);
  });
});
