import { describe, expect, it } from '@jest/globals';
import { checkForBring } from '../../carriers/bring/check.js';
import type { Problem } from '../../carriers/contract/index.js';
import { lossesAtGls } from '../../carriers/gls-dk/losses.js';
import { fieldInWords, problemInWords } from '../../src/consignment/planning/problem-words.js';
import { loadMessages } from '../../src/messages/messages.js';
import type { Phrases } from '../../src/messages/keys.js';
import { bookingRequest, parcel, recipient } from '../carriers/sample-request.js';

const messages = await loadMessages('templates/ims');
const danish: Phrases = (key, values) => messages.phrase('da', key, values);
const english: Phrases = (key, values) => messages.phrase('en', key, values);

function one(problems: readonly Problem[]): Problem {
  const [problem] = problems;
  if (problem === undefined || problems.length > 1) throw new Error(`${problems.length} problems`);
  return problem;
}

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
      'Pakke 10045 #1 vejer mere end 20 kg: del den, eller vælg en anden service eller transportør.',
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

describe('a lost text', () => {
  it.each([
    ['recipient.addressLine2', "the recipient's second address line", 'modtagerens anden adresselinje'],
    ['sender.AlternativeShipper', "the sender's name and address", 'afsenderens navn og adresse'],
    ['parcel 501.Comment', "the parcel's description", 'pakkens beskrivelse'],
    ['shipment.notesOnDelivery', "the shipment's notes on delivery", 'forsendelsens leveringsbemærkning'],
    ['recipient.moon', 'recipient.moon', 'recipient.moon'],
  ])('of %s is named as people would', (field, en, da) => {
    expect([fieldInWords({ field }, english), fieldInWords({ field }, danish)]).toEqual([en, da]);
  });

  it('of every field that GLS has is named', () => {
    const letters = 'Ω'.repeat(300);
    const long = { name: letters, careOf: letters, street: letters, floorBlockOrSuite: letters, city: letters };
    const at = recipient({ address: long, contact: { name: letters, phone: 'none', mobile: 'none' } });
    const losses = lossesAtGls(bookingRequest({ recipient: at, notesOnDelivery: letters }));
    expect(losses.length).toBeGreaterThan(6);
    expect(losses.map((loss) => fieldInWords(loss, english)).filter((text) => text.includes('.'))).toEqual([]);
  });
});
