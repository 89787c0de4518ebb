import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkForBring as checkBring } from '../../carriers/bring/check.js';
import { checkForPretend } from '../../carriers/pretend/check.js';
import { check as checkForDao } from '../../carriers/dao/check.js';
import { check as checkGls, textChangesAtGls } from '../../carriers/gls-dk/check.js';
import { bring } from '../../carriers/bring/index.js';
import { dao } from '../../carriers/dao/index.js';
import { GlsDkConfig } from '../../carriers/gls-dk/config.js';
import { glsDk } from '../../carriers/gls-dk/index.js';
import { postnord } from '../../carriers/postnord/index.js';
import type { BookingRequest, CarrierAdapter, Problem } from '../../carriers/contract/index.js';
import { CHECK_CODES, type ValidationIssue } from '../../carriers/toolkit/check-codes.js';
import { whenOwn } from '../../carriers/toolkit/preflight.js';
import { fieldInWords, problemInWords } from '../../src/planning/problem-words.js';
import { type Messages, loadMessages } from '../../src/messages/messages.js';
import { LANGUAGES, type Phrases } from '../../src/messages/keys.js';
import { bookingRequest, goods, parcel, recipient } from '../carriers/sample-request.js';

let messages: Messages;
beforeAll(async () => {
  messages = await loadMessages('templates/ims');
});
const danish: Phrases = (key, values) => messages.phrase('da', key, values);
const english: Phrases = (key, values) => messages.phrase('en', key, values);

const checkForBring = (request: BookingRequest) =>
  checkBring(request, { customerNumber: '6', notification: 'automatic' });
const GLS_SETTINGS = new GlsDkConfig();
const checkForGls = (request: BookingRequest) => checkGls(request, GLS_SETTINGS);

function one(problems: readonly Problem[]): Problem {
  const [problem] = problems;
  if (problem === undefined || problems.length > 1) throw new Error(`${problems.length} problems`);
  return problem;
}

describe('a code that only one carrier has', () => {
  const texts = {
    en: { 'too-cold': 'Parcel {parcel} is colder than {limit} degrees: warm it.' },
    da: { 'too-cold': 'Pakke {parcel} er koldere end {limit} grader: varm den op.' },
  };
  const [problem] = whenOwn(texts.en, true, { code: 'too-cold', values: { parcel: '#1', limit: '4' } }) as [Problem];

  it("is told in the worker's language where the carrier has it, else in the words of the check", () => {
    expect(problem.text).toBe('Parcel #1 is colder than 4 degrees: warm it.');
    expect(problemInWords(problem, danish, texts.da)).toBe('Pakke #1 er koldere end 4 grader: varm den op.');
    expect(problemInWords(problem, danish)).toBe(problem.text);
  });

  it('never leaves a hole where a value is missing', () => {
    expect(problemInWords({ ...problem, values: { parcel: '#1' } }, danish, texts.da)).toBe(problem.text);
  });

  it('does not change what a code says that all carriers share', () => {
    const shared = one(checkForPretend(bookingRequest({ recipient: recipient({ address: { street: null } }) })));
    expect(problemInWords(shared, english, { [shared.code ?? '']: 'something else' })).toBe(shared.text);
  });
});

describe('what a check found', () => {
  it.each<readonly [string, Problem, string]>([
    [
      'nothing of the shipment',
      one(checkForBring(bookingRequest({ recipient: recipient({ address: { street: null } }) }))),
      'Modtagerens vej og husnummer mangler: skriv dem i leveringsadressen.',
    ],
    [
      'a postal code',
      one(checkForBring(bookingRequest({ recipient: recipient({ address: { postalCode: '99' } }) }))),
      '"99" er ikke et postnummer i DK: ret postnummeret eller landet, hvis det er forkert.',
    ],
    [
      'a parcel and a limit',
      one(checkForBring(bookingRequest({ service: '0340', parcels: [parcel({ weightGrams: 20_001 })] }))),
      'Pakke 10045 #1 vejer mere end 20 kg: fordel den på flere pakker, eller vælg en anden service eller transportør.',
    ],
    [
      'a customer number',
      one(checkForBring(bookingRequest({ options: { product: { customerNumber: '7' } } }))),
      'Reglen siger "customerNumber: 7", men Bring får "6" fra kontoens indstillinger: sig det til den systemansvarlige, som skal gøre dem ens.',
    ],
    [
      'terms of delivery',
      one(checkForBring(bookingRequest({ options: { product: { incotermRule: 'DAP' } } }))),
      'Reglen siger "incotermRule: DAP", men Bring får "-" fra forsendelsen: sig det til den systemansvarlige, som skal gøre dem ens.',
    ],
  ])("is said in the worker's language, with %s in it", (_case, problem, expected) => {
    expect(problemInWords(problem, danish)).toBe(expected);
    expect(problemInWords(problem, english)).not.toBe(expected);
  });

  it.each<readonly [string, Problem]>([
    ['a code without a text', { code: 'moon', text: 'Not to the moon.', parcelId: null }],
    ['no code', { code: null, text: 'Not to the moon.', parcelId: null }],
    ['a code whose values are missing', { code: 'postal-code-format', text: 'Not to the moon.', parcelId: null }],
  ])('stays in its own words with %s', (_case, problem) => {
    expect(problemInWords(problem, danish)).toBe('Not to the moon.');
  });
});

describe('every code of a check', () => {
  const own = 'no text in this language';
  /** Compiles as long as no check gives a code that is not on the list. */
  const checks: readonly ((request: BookingRequest) => readonly ValidationIssue[])[] = [
    checkForBring,
    checkForDao,
    checkForGls,
    checkForPretend,
  ];
  const codes = Object.entries<readonly string[]>(CHECK_CODES);

  it.each(LANGUAGES.flatMap((language) => codes.map(([code, names]) => ({ language, code, names }))))(
    'has a text in $language with its values: $code',
    ({ language, code, names }) => {
      const values = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
      const said = problemInWords({ code, text: own, parcelId: null, values }, (key, phraseValues) =>
        messages.phrase(language, key, phraseValues),
      );
      expect(said).not.toContain(own);
      for (const value of Object.values(values)) expect(said).toContain(value);
    },
  );

  it('is said in Danish by every carrier, of what each alone complains of', () => {
    const unNumber = [goods({ unNumbers: ['1263'] })];
    const toFaroes = recipient({ address: { countryCode: 'FO', postalCode: '100' } });
    const undeclared = [goods({ unitValue: null, tariffNumberAtDestination: null, countryOfOrigin: null })];
    const found = [
      ...checkForGls(bookingRequest({ goods: undeclared, recipient: toFaroes })),
      ...checks.flatMap((check) => check(bookingRequest({ service: 'moon', goods: unNumber, recipient: toFaroes }))),
      ...checkForPretend(bookingRequest({ recipient: recipient({ address: { city: null } }) })),
      ...['3570', '5600', '3050'].flatMap((service) => checkForBring(bookingRequest({ service, goods: unNumber }))),
    ];
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(8);
    expect(found.filter((problem) => problemInWords(problem, danish) === problem.text)).toEqual([]);
  });
});

describe('a lost text', () => {
  it.each<readonly [string, { readonly fields: CarrierAdapter['fields'] }, readonly string[]]>([
    ['recipient.addressLine2', bring, ["the recipient's second address line", 'modtagerens anden adresselinje']],
    ['sender.AlternativeShipper', glsDk, ["the sender's name and address", 'afsenderens navn og adresse']],
    ['parcel 501.Comment', glsDk, ["the parcel's description", 'pakkens beskrivelse']],
    ['recipient.streets.1', postnord, ["the recipient's second address line", 'modtagerens anden adresselinje']],
    ['shipment.notesOnDelivery', dao, ["the shipment's notes on delivery", 'forsendelsens leveringsbemærkning']],
    ['recipient.moon', glsDk, ['recipient.moon', 'recipient.moon']],
    ['recipient.constructor', glsDk, ['recipient.constructor', 'recipient.constructor']],
  ])('of %s is named as people would', (field, { fields }, words) => {
    expect([fieldInWords({ field }, fields, english), fieldInWords({ field }, fields, danish)]).toEqual(words);
  });

  it('of every field that GLS has is named', () => {
    const letters = 'Ω'.repeat(300);
    const long = { name: letters, careOf: letters, street: letters, floorBlockOrSuite: letters, city: letters };
    const at = recipient({ address: long, contact: { name: letters, phone: 'none', mobile: 'none' } });
    const textChanges = textChangesAtGls(bookingRequest({ recipient: at, notesOnDelivery: letters }), GLS_SETTINGS);
    expect(textChanges.length).toBeGreaterThan(6);
    expect(
      textChanges.map((change) => fieldInWords(change, glsDk.fields, english)).filter((text) => text.includes('.')),
    ).toEqual([]);
  });
});
