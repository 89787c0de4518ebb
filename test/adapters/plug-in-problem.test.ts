import { describe, expect, it } from '@jest/globals';
import type { CarrierDefinition } from '../../carriers/contract/index.js';
import { defineCarrier } from '../../carriers/contract/index.js';
import { TextSetting } from '../../carriers/toolkit/index.js';
import { carriers } from '../../carriers/index.js';
import { plugInProblem } from '../../src/adapters/plug-in-problem.js';

const [{ adapter, simulator }] = carriers.filter((carrier) => carrier.adapter.id === 'pretend') as [
  (typeof carriers)[number],
];
const fine = { contract: 1, adapter: { ...adapter, id: 'fjordpost' }, simulator };
const { traits, sample } = adapter;

function broken(changes: object) {
  return { ...fine, adapter: { ...fine.adapter, ...changes } };
}

/** Made by `defineCarrier`, with another way to connect. */
function connecting(connect: () => object) {
  const definition = { ...fine.adapter, secrets: () => [], connect } as unknown as CarrierDefinition<object>;
  return { ...fine, adapter: defineCarrier(definition) };
}

/** Its sample has the key itself, and no name of it. */
function withPlainSecret(changes: object) {
  const plain = { ...sample, config: () => ({ apiKey: 'a-key-in-plain-text' }), secrets: {} };
  const secrets = ({ apiKey }: { readonly apiKey: string }) => [apiKey];
  const definition = { ...fine.adapter, ...changes, sample: plain, secrets };
  return { ...fine, adapter: defineCarrier(definition as unknown as CarrierDefinition<object>) };
}

class UserConfig {
  @TextSetting('must be any text')
  readonly user: string;

  @TextSetting('must be any text')
  readonly apiKey: string;
}

const home = { code: 'home', name: 'Home delivery' };

function withLabel(form: object) {
  return broken({ traits: { ...traits, labels: [...traits.labels.slice(0, 1), form] } });
}

describe('a carrier from outside', () => {
  it('can be used when it has everything', () => {
    expect(plugInProblem(fine, ['bring'])).toBeNull();
  });

  it('can be used when it states neither services nor how sure it is, nor the size of its labels', () => {
    const silent = { ...traits, labels: [{ format: 'pdf' }], services: undefined, confidence: undefined };
    expect(plugInProblem(broken({ traits: silent }), ['bring'])).toBeNull();
  });

  it('may have a sample with its secrets in plain text', () => {
    expect(plugInProblem(withPlainSecret({}), ['bring'])).toBeNull();
  });

  it('may name its customer by a setting that has the text of a secret in its sample', () => {
    const config = () => ({ user: 'test', apiKey: 'test' });
    const secrets = ({ apiKey }: UserConfig) => [apiKey];
    const settings = { Config: UserConfig, sample: { ...sample, config, secrets: {} }, secrets, customer: ['user'] };
    const definition = { ...fine.adapter, ...settings } as unknown as CarrierDefinition<object>;
    expect(plugInProblem({ ...fine, adapter: defineCarrier(definition) }, ['bring'])).toBeNull();
  });

  it('may have ZPL labels for some of its services beside PDF', () => {
    const zpl = { format: 'zpl', widthMm: 102, heightMm: 190, dpi: 203, services: ['standard'] };
    expect(plugInProblem(withLabel(zpl), ['bring'])).toBeNull();
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['exports nothing', undefined, /no default export/],
    ['does not say its contract', { ...fine, contract: undefined }, /contract: 1/],
    ['is written for another contract', { ...fine, contract: 2 }, /contract 2.*contract 1/],
    ['has no adapter', { ...fine, adapter: null }, /no adapter/],
    ['has no simulator', { ...fine, simulator: 'later' }, /no simulator/],
    ['has cases that are not known', { ...fine, cases: { variant: [] } }, /cases.*variant \(known: config/],
    ['has the id of another carrier', broken({ id: 'bring' }), /id bring.*another carrier/],
    ['has an id that is no id', broken({ id: 'Fjord Post' }), /no id/],
    ['has no name', broken({ name: '' }), /no name/],
    ['has no address', broken({ baseUrl: 'api.fjordpost' }), /no baseUrl/],
    ['has settings without decorators', broken({ Config: class {} }), /no Config/],
    [
      'lacks traits',
      broken({ traits: { ...traits, maxParcels: 0, repeatedBooking: 'perhaps' } }),
      /repeatedBooking.*maxParcels/,
    ],
    ['has half a parcel', broken({ traits: { ...traits, maxParcels: 1.5 } }), /maxParcels \(a whole number/],
    [
      'says when a booking ends in a text',
      broken({ traits: { ...traits, bookingEndsWithinMs: '60000' } }),
      /bookingEndsWithinMs/,
    ],
    [
      'lets a booking end before it begins',
      broken({ traits: { ...traits, bookingEndsWithinMs: -1 } }),
      /bookingEndsWithinMs/,
    ],
    [
      'has a pattern that is a text',
      broken({ traits: { ...traits, trackingNumberPattern: '^F' } }),
      /trackingNumberPattern/,
    ],
    [
      'has a pattern with a memory',
      broken({ traits: { ...traits, trackingNumberPattern: /^F/g } }),
      /without the flags g and y/,
    ],
    ['tracks no parcel at once', broken({ traits: { ...traits, trackAtOnce: 0 } }), /trackAtOnce/],
    ['proves with a word', broken({ traits: { ...traits, nothingBookedAfter: '503' } }), /nothingBookedAfter/],
    ['has no labels', broken({ traits: { ...traits, labels: undefined } }), /labels \(.*\{ format: 'pdf' \}\)/],
    [
      'has labels that Waybridge cannot take',
      broken({ traits: { ...traits, labels: [{ format: 'zpl', dpi: 203 }] } }),
      /labels \(.*at least \{ format: 'pdf' \}\)/,
    ],
    ['has a label of no known format', withLabel({ format: 'png' }), /labels\[1\] \(format: pdf, zpl\)/],
    [
      'has a label with one side',
      withLabel({ format: 'pdf', widthMm: 100 }),
      /labels\[1\] \(widthMm and heightMm: both/,
    ],
    [
      'gives sides in another unit than millimetres',
      withLabel({ format: 'pdf', widthMm: 100_000, heightMm: 150_000 }),
      /labels\[1\].*1 to 1000 millimetres/,
    ],
    ['has a label of no resolution', withLabel({ format: 'zpl', dpi: 0 }), /labels\[1\] \(dpi: 1 to 2400/],
    [
      'has a label of a service that it does not have',
      withLabel({ format: 'zpl', services: ['standard', 'mailbox'] }),
      /labels\[1\] \(services: mailbox not among the services\)/,
    ],
    [
      'has services without names',
      broken({ traits: { ...traits, services: ['home'] } }),
      /services \(.*\{ code, name \}\)/,
    ],
    [
      'names a service twice',
      broken({ traits: { ...traits, services: [home, { ...home, name: 'At home' }] } }),
      /services \(home more than once\)/,
    ],
    [
      'is sure in words of its own',
      broken({ traits: { ...traits, confidence: { source: 'a manual', level: 'rather', assumed: 'nothing' } } }),
      /confidence.level \(high, medium, low\); confidence.assumed \(a list of texts/,
    ],
    ['has fields that mean nothing', broken({ fields: { navn: { means: 'nom' } } }), /navn/],
    ['declares what no field can be called', broken({ requestFields: { personal: ['Navn'] } }), /requestFields.*small/],
    [
      'declares a field in a word of its own',
      broken({ requestFields: { texts: ['fejl'] } }),
      /plain, personal, secret/,
    ],
    ['declares fields in a text', broken({ requestFields: { plain: 'vaegt' } }), /requestFields.*a list of words/],
    ['has no sample', broken({ sample: { ...sample, request: {} } }), /sample without request/],
    ['has texts without English', broken({ texts: { da: { kold: 'Pakken er kold' } } }), /English/],
    [
      'names its customer by a setting that it does not have',
      broken({ customer: ['customerNumber'] }),
      /customer of settings that Config does not have: customerNumber \(known: .*apiKey/,
    ],
    [
      'names its customer by a secret',
      broken({ customer: ['apiKey'] }),
      /customer of secrets: apiKey: name settings that stay/,
    ],
    [
      'names its customer by a secret that its sample has in plain text',
      withPlainSecret({ customer: ['apiKey'] }),
      /customer of secrets: apiKey: name settings that stay/,
    ],
    ['names its customer by no list', broken({ customer: 'apiKey' }), /a customer that is no list/],
    [
      'names its customer for settings in the IMS only',
      broken({ settingsInIms: { key: 'FjordTransport', login: ['apiKey'], customer: [] } }),
      /customer in settingsInIms: write it beside Config/,
    ],
    ['has no connect', broken({ connect: undefined }), /no connect/],
    [
      'breaks when it connects',
      connecting(() => {
        throw new Error('no certificate');
      }),
      /cannot connect.*no certificate/,
    ],
    [
      'says several lines when it connects',
      connecting(() => {
        throw new Error('one\ntwo');
      }),
      /^cannot connect with the settings of its sample: one$/,
    ],
    [
      'connects without defineCarrier, which keeps secrets out of its errors',
      broken({ connect: () => ({ book: () => Promise.reject(new Error('not here')) }) }),
      /is not made by defineCarrier.*write defineCarrier\(\{ …, secrets, connect \}\)/,
    ],
    ['connects to an account that cannot book', connecting(() => ({})), /cannot connect.*has no book/],
    [
      'calls the changes of texts by their first name',
      connecting(() => ({ book: () => Promise.reject(new Error('not here')), losses: () => [] })),
      /losses: it is called textChanges/,
    ],
  ])('is refused in one line when it %s', (_what, given, words) => {
    const problem = plugInProblem(given, ['bring']) ?? '';
    expect(problem).toMatch(words);
    expect(problem).not.toContain('\n');
  });
});

it.each(carriers.map((carrier) => [carrier.adapter.id, carrier] as const))(
  'the built-in carrier %s keeps to what is asked of one from outside',
  (_id, carrier) => expect(plugInProblem({ contract: 1, ...carrier }, [])).toBeNull(),
);
