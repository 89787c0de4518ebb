import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import type { Goods, HttpRequest, PickupPoint, PickupPointQuery } from '../../carriers/contract/index.js';
import type { PrintedLabel } from '../../carriers/toolkit/answers/labels-by-number.js';
import { labelsByNumber } from '../../carriers/toolkit/answers/labels-by-number.js';
import { localMoment } from '../../carriers/toolkit/local-time.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { anyCharacter } from '../../carriers/testing/random-request.js';
import { elementText, elementsIn, isXml } from '../../carriers/toolkit/answers/xml.js';
import { crossesCustoms, declarationProblems, declaredGoods, toPlace } from '../../carriers/toolkit/customs.js';
import type { Fit } from '../../carriers/toolkit/fit.js';
import { LATIN_1, fit, fitBelowStreet, fitPhone, fitStreet } from '../../carriers/toolkit/fit.js';
import { jsonClient } from '../../carriers/toolkit/json-client.js';
import { numberAt, textAt, valueAt } from '../../carriers/toolkit/json.js';
import { pdfLabel } from '../../carriers/toolkit/answers/pdf-answer.js';
import { readQuote } from '../../carriers/toolkit/answers/quote.js';
import { readParcels } from '../../carriers/toolkit/parcels/booked-parcels.js';
import { pickupPointsIn, pointsAmong, withNearestPoint } from '../../carriers/toolkit/pickup-points.js';
import { plainPostalCode, postalCodeFits } from '../../carriers/toolkit/preflight.js';
import { readProblems } from '../../carriers/toolkit/problem.js';
import { partyTexts, sentOf } from '../../carriers/toolkit/party-texts.js';
import { NumberSetting, PatternSetting } from '../../carriers/toolkit/settings.js';
import { json, simulateCarrier } from '../../carriers/toolkit/simulator/index.js';
import { drawLabels } from '../../carriers/toolkit/simulator/label.js';
import { readCall } from '../../carriers/toolkit/tracking/call.js';
import { isSignedByHmac } from '../../carriers/toolkit/tracking/hmac-signature.js';
import type { Breach, Rule } from '../../carriers/toolkit/simulator/rules.js';
import { breachesOf, isFilled, isUpTo, isWithin, modelState } from '../../carriers/toolkit/simulator/rules.js';
import { hasSecret } from '../../carriers/toolkit/tracking/secret-header.js';
import { statusTable } from '../../carriers/toolkit/tracking/status-table.js';
import { cut, internationalPhone, said, streetQuery } from '../../carriers/toolkit/text.js';
import { centimetres, kilograms } from '../../carriers/toolkit/units.js';
import { momentOfEpoch, momentWithOffset } from '../../carriers/toolkit/tracking/tracking-event.js';
import { bookingRequest, goods, recipient } from './sample-request.js';

describe('units', () => {
  it('turn grams into kilograms and back without a loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (grams) => {
        expect(Math.round(kilograms(grams) * 1000)).toBe(grams);
        expect(String(kilograms(grams))).toMatch(/^\d+(\.\d{1,3})?$/);
      }),
    );
  });

  it('never make a parcel smaller, nor a whole centimetre bigger', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (mm) => {
        expect(centimetres(mm) * 10 - mm).toBeGreaterThanOrEqual(0);
        expect(centimetres(mm) * 10 - mm).toBeLessThan(10);
      }),
    );
  });

  it('never send nothing', () => {
    expect([kilograms(0), centimetres(0)]).toEqual([0.001, 1]);
  });
});

describe('texts', () => {
  it.each([
    ['what fits', { text: 'Prøvevej 1', maxLength: 35 }, 'Prøvevej 1'],
    ['at the last word that fits', { text: 'one two three', maxLength: 9 }, 'one two'],
    ['right behind a word', { text: 'one two three', maxLength: 7 }, 'one two'],
    ['inside a word that is too long', { text: 'Donaudampfschiff', maxLength: 5 }, 'Donau'],
    ['white space to one space', { text: '  one \n two ', maxLength: 10 }, 'one two'],
    ['no character into halves', { text: 'abcd😀', maxLength: 5 }, 'abcd'],
  ])('keep %s', (_case, { text, maxLength }, expected) => {
    expect(cut(text, maxLength)).toBe(expected);
  });

  it('are never longer than allowed, and always a beginning of what they were', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const short = cut(text, maxLength);
        expect(short.length).toBeLessThanOrEqual(maxLength);
        expect(text.replace(/\s+/g, ' ').trim().startsWith(short)).toBe(true);
      }),
    );
  });

  it('that say nothing are left out', () => {
    expect(said(null, ' ', 'a', undefined, ' b ')).toEqual(['a', 'b']);
  });

  it.each([
    ['a Danish number', { phone: '18 23 45 67', country: 'DK' }, '+4518234567'],
    ['a Danish number that begins as the code does', { phone: '45 18 23 45', country: 'DK' }, '+4545182345'],
    ['a Danish number with its code, without a plus', { phone: '45 18 23 45 67', country: 'DK' }, '+4518234567'],
    ['a Norwegian number with its code, without a plus', { phone: '4740000000', country: 'NO' }, '+4740000000'],
    ['a Swedish number with its code, without a plus', { phone: '46 70 123 45 67', country: 'SE' }, '+46701234567'],
    ['a Swedish number that begins as the code does', { phone: '46 12 34 56', country: 'SE' }, '+4646123456'],
    ['a Finnish number with its code, without a plus', { phone: '358 40 123 4567', country: 'FI' }, '+358401234567'],
    ['a Dutch number with its code, without a plus', { phone: '31612345678', country: 'NL' }, '+31612345678'],
    ['a German number with its code, without a plus', { phone: '4915112345678', country: 'DE' }, '+4915112345678'],
    ['a Swedish number with its zero', { phone: '070-123 45 67', country: 'SE' }, '+46701234567'],
    ['a number from abroad', { phone: '0046 70 123 45 67', country: 'DK' }, '+46701234567'],
    ['an international number', { phone: '+45 18 23 45 67', country: 'SE' }, '+4518234567'],
    ['a zero in brackets', { phone: '+46 (0)70 123 45 67', country: 'SE' }, '+46701234567'],
    ['a country it does not know', { phone: '0123 456', country: 'ZZ' }, '0123456'],
    ['nothing', { phone: '', country: 'DK' }, ''],
  ])('of telephones: %s', (_case, { phone, country }, expected) => {
    expect(internationalPhone(phone, country)).toBe(expected);
  });
});

describe("somebody else's JSON", () => {
  const json: unknown = JSON.parse('{"list":[{"id":7,"name":""}],"no":null}');

  it('is read along a path', () => {
    expect(textAt(json, 'list', 0, 'id')).toBe('7');
    expect(numberAt(json, 'list', 0, 'id')).toBe(7);
  });

  it.each([
    ['an empty text', ['list', 0, 'name']],
    ['a place past the end', ['list', 1, 'name']],
    ['a step into null', ['no', 'thing']],
    ['what every object inherits', ['constructor', 'name']],
  ])('has nothing at %s', (_case, path) => {
    expect(textAt(json, ...path)).toBeNull();
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.oneof(fc.string(), fc.nat(3))), (value, path) => {
        expect(() => valueAt(value, ...path)).not.toThrow();
      }),
    );
  });
});

describe('simulated labels', () => {
  const label = {
    carrierName: 'Pretend',
    service: 'standard',
    trackingNumber: 'PP0000000001',
    reference: '10045-1',
    sender: ['Sample Warehouse ApS'],
    recipient: [
      'Zażółć Gęślą Ærø 😀',
      'A very long line that goes on and on until it does not fit any more on a label',
    ],
    weightGrams: 2_400,
  };

  it.each([
    [100, 150],
    [150, 100],
    [210, 297],
  ])('have a page of %d by %d mm for each parcel, whatever the letters', async (widthMm, heightMm) => {
    const pdf = await PDFDocument.load(await drawLabels([label, label], { widthMm, heightMm }));
    const sizes = pdf
      .getPages()
      .map((page) => [page.getWidth(), page.getHeight()].map((points) => (points * 25.4) / 72));
    expect(sizes).toEqual([
      [expect.closeTo(widthMm), expect.closeTo(heightMm)],
      [expect.closeTo(widthMm), expect.closeTo(heightMm)],
    ]);
  });
});

describe('an answer that should be a label', () => {
  const answer = (body: string, type?: string) => ({
    status: 200,
    headers: type === undefined ? {} : { 'content-type': type },
    body: new TextEncoder().encode(body),
  });

  it.each([
    ['no type', undefined],
    ['an empty type', ''],
    ['its type', 'application/pdf'],
    ['its type in capitals', 'Application/PDF; qs=0.001'],
    ['the type of any file', 'application/octet-stream'],
  ])('is one with the first bytes of a PDF and %s', (_case, type) => {
    const pdf = answer('%PDF-1.7 ...', type);
    expect(pdfLabel(pdf)).toEqual({ format: 'pdf', bytes: pdf.body });
  });

  it.each([
    ['a page', '<html>maintenance</html>', 'text/html'],
    ['a page without a type', '<html>maintenance</html>', undefined],
    ['a page that begins like a PDF', '%PDF-1.7 is what you wanted', 'text/html'],
    ['nothing', '', 'application/pdf'],
  ])('is none when it is %s', (_case, body, type) => {
    expect(() => pdfLabel(answer(body, type))).toThrow(`expected a PDF, got ${type ?? 'no content type'}: ${body}`);
  });
});

describe('a text that is too long', () => {
  it.each([
    ['in front of a house number', { text: 'Havnevej 114 B', maxLength: 12 }, 'Havnevej'],
    ['in front of a range of them', { text: 'Havnevej 114 - 116', maxLength: 15 }, 'Havnevej'],
    ['behind a house number', { text: 'Havnevej 114 B, 3. tv', maxLength: 16 }, 'Havnevej 114 B'],
    ['behind a word with a comma that does not fit', { text: 'Vej 12, 3. tv', maxLength: 6 }, 'Vej 12'],
    ['in front of digits in a word', { text: 'Havnevejen114', maxLength: 12 }, 'Havnevejen'],
    ['inside digits that nothing stands before', { text: '1234567', maxLength: 5 }, '12345'],
  ])('ends %s', (_case, { text, maxLength }, expected) => {
    expect(cut(text, maxLength)).toBe(expected);
  });
});

describe('a text that has to fit', () => {
  const limit = { longest: 20, letters: LATIN_1 };

  it.each<readonly [string, readonly (string | null)[], Partial<Fit>]>([
    ['is sent as it is when it fits', ['Æblevej 7, 3. tv.'], { sent: 'Æblevej 7, 3. tv.', kind: null }],
    ['keeps the letters that the carrier prints', ['Åse Müller'], { sent: 'Åse Müller', kind: null }],
    [
      'is written with letters that it prints',
      ['Łódź, Ștefan'],
      { sent: 'Lódz, Stefan', kind: 'transliterated', meaningLost: false },
    ],
    [
      'is written with one letter for a letter and its accent',
      ['A\u030Ase'],
      { given: 'Åse', sent: 'Åse', kind: null },
    ],
    ['leaves out pictures', ['Anna 😀 Berg'], { sent: 'Anna Berg', kind: 'transliterated', meaningLost: false }],
    [
      'says when letters have no substitute',
      ['Anna \u0627'],
      { sent: 'Anna', kind: 'transliterated', meaningLost: true },
    ],
    [
      'may lose its last word',
      ['Greater Glostrup Company'],
      { sent: 'Greater Glostrup', kind: 'cut', meaningLost: false },
    ],
    ['misses more words', ['Greater Glostrup Big Old Company'], { kind: 'cut', meaningLost: true }],
    ['misses digits', ['Kommandørkaptajnsvej 7'], { sent: 'Kommandørkaptajnsvej', kind: 'cut', meaningLost: true }],
    ['misses a part of its own', ['Kommandørkaptajnsve', 'tv'], { sent: 'Kommandørkaptajnsve', meaningLost: true }],
    [
      'is cut after it was transliterated',
      ['Щщщщщщщ'],
      { sent: 'Shchshchshchshchshch', kind: 'cut', meaningLost: false },
    ],
    ['is nothing when nobody said anything', [null, ' '], { given: '', sent: '', kind: null, meaningLost: false }],
  ])('%s', (_case, texts, expected) => {
    expect(fit(texts, limit)).toMatchObject(expected);
  });

  it('is never longer than the field, nor in other letters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), fc.integer({ min: 1, max: 40 }), (texts, longest) => {
        const { given, sent, kind } = fit(texts, { longest, letters: LATIN_1 });
        expect(sent.length).toBeLessThanOrEqual(longest);
        expect(sent).toMatch(/^[\u0020-\u007E\u00A0-\u00FF]*$/);
        expect(kind === null).toBe(sent === given);
      }),
    );
  });

  it('hands on what of a street does not fit', () => {
    const { first, rest } = fitStreet('Gammel Łąkowa Havnevej 114 B', limit);
    expect([first.sent, rest]).toEqual(['Gammel Lakowa', 'Havnevej 114 B']);
    expect(first).toMatchObject({ kind: 'transliterated', meaningLost: false });
  });

  it.each<readonly [string, readonly [string, ...string[]], string]>([
    ['all of it where it fits', ['Havnevej 114 B', '3. tv'], 'Havnevej 114 B, 3. tv'],
    ['the number and the floor before the name', ['ved Havnen Syd 114 B', '3. tv', 'Nord'], 'ved Havnen 114 B, 3. tv'],
    [
      'the number where the floor is long',
      ['ved Havnen 114', 'on the left behind the gate'],
      '114, on the left behind',
    ],
    ['the floor of a street without number', ['ved Havnen Sydvestfløj', '3. tv'], 'ved Havnen, 3. tv'],
  ])('goes on below with %s', (_case, [rest, ...parts], expected) => {
    expect(fitBelowStreet(rest, parts, { longest: 24, letters: LATIN_1 }).sent).toBe(expected);
  });

  it('of a telephone number is lost when it has no digit', () => {
    expect(fitPhone('see note', 'DK')).toMatchObject({ sent: '', kind: 'dropped', meaningLost: true });
    expect(fitPhone('20 00 00 00', 'DK')).toMatchObject({ sent: '+4520000000', kind: null });
  });
});

describe('a customs border', () => {
  const place = (text: string) => {
    const [countryCode = '', postalCode = null] = text.split(' ');
    return { countryCode: countryCode === '-' ? null : countryCode, postalCode };
  };

  it.each([
    ['DK 2600', 'SE 21145'],
    ['DK 2600', 'FR 75001'],
    ['DK 2600', 'MC 98000'],
    ['DK 2600', 'GB BT11AA'],
    ['NO 0150', 'NO 5003'],
    ['CH 8001', 'LI 9490'],
    ['DK 2600', 'DK 3890'],
    ['DK 3900', 'GL 3905'],
    ['GB SW1A1AA', 'GB BT11AA'],
    ['DK 2600', '-'],
    ['DK 2600', 'ZZ 1'],
  ])('is not between %s and %s', (from, to) => {
    expect(crossesCustoms(place(from), place(to))).toBe(false);
  });

  it.each([
    ['DK 2600', 'NO 0150'],
    ['NO 0150', 'DK 2600'],
    ['DK 2600', 'FO 100'],
    ['DK 2600', 'GL 3900'],
    ['DK 2600', 'DK 3900'],
    ['DK 2600', 'DK DK-3992'],
    ['DK 2600', 'GB SW1A1AA'],
    ['FI 00100', 'AX 22100'],
    ['FI 00100', 'FI 22100'],
    ['FI 00100', 'FI FI-22100'],
    ['DE 10115', 'DE 27498'],
    ['ES 28001', 'ES 35001'],
    ['ES 28001', 'ES 51001'],
    ['DK 2600', 'FR 97100'],
    ['DK 2600', 'IT 23041'],
  ])('is between %s and %s', (from, to) => {
    expect(crossesCustoms(place(from), place(to))).toBe(true);
  });

  it.each([
    ['DK 3900', 'GL'],
    ['DK DK-3992', 'GL'],
    ['GL 3900', 'GL'],
    ['DK 3890', 'DK'],
    ['FI 22100', 'FI'],
    ['- 3900', null],
  ])('has %s in the country %p where Greenland is one', (address, countryCode) => {
    const postalCode = plainPostalCode(place(address));
    expect(toPlace(place(address))).toEqual({ postalCode, countryCode });
  });
});

describe('goods for customs', () => {
  const norway = recipient({ address: { postalCode: '0150', city: 'Oslo', countryCode: 'NO' } });
  const abroad = (...lines: readonly Goods[]) => bookingRequest({ recipient: norway, goods: lines });

  it('have tariff numbers in digits only, however the product has them', () => {
    const dotted = goods({ tariffNumberAtDestination: '61.09.10 00', tariffNumberAtOrigin: '6109.10' });
    expect(declaredGoods(abroad(dotted))).toEqual([
      goods({ tariffNumberAtDestination: '61091000', tariffNumberAtOrigin: '610910' }),
    ]);
  });

  it('have none of those without a digit, which is told beforehand', () => {
    const unknown = abroad(goods({ tariffNumberAtDestination: '?', tariffNumberAtOrigin: null }));
    expect(declaredGoods(unknown)).toEqual([goods({ tariffNumberAtDestination: null, tariffNumberAtOrigin: null })]);
    for (const lines of [undefined, unknown.goods])
      expect(declarationProblems(unknown, lines)).toMatchObject([
        { code: 'customs-data', text: expect.stringContaining('has no tariff number') },
      ]);
  });
});

describe('a postal code', () => {
  it.each([
    ['DK', '2600'],
    ['DK', ' 0800 '],
    ['SE', '123 45'],
    ['SE', '12345'],
    ['NL', '1012 AB'],
    ['GB', 'SW1A 1AA'],
    ['FO', '100'],
    ['GL', '3900'],
    ['DE', 'D-24937'],
    ['DK', 'DK-2600'],
    ['PL', '00950'],
    ['CH', 'CH-8001'],
    ['NO', 'NO-0150'],
    ['NL', '1234 ab'],
    ['IN', '110 001'],
    ['GB', 'sw1a1aa'],
    ['HK', 'anything'],
    ['ZZ', 'anything'],
    [null, 'anything'],
    ['DK', null],
  ])('can be of %s: %s', (countryCode, postalCode) => {
    expect(postalCodeFits({ countryCode, postalCode })).toBe(true);
  });

  it.each([
    ['DK', '26000'],
    ['DK', '260'],
    ['SE', '2600'],
    ['DE', '2600'],
    ['PL', '0001'],
    ['NO', 'SE-0150'],
    ['GB', '2600'],
  ])('cannot be of %s: %s', (countryCode, postalCode) => {
    expect(postalCodeFits({ countryCode, postalCode })).toBe(false);
  });
});

describe('a postal code without its country', () => {
  it.each([
    ['DK', 'DK-2600', '2600'],
    ['DK', 'dk 2600', '2600'],
    ['SE', 'S-211 45', '211 45'],
    ['SE', 'SE-211 45', '211 45'],
    ['FI', 'FIN-00100', '00100'],
    ['NL', 'NL-1012 AB', '1012 AB'],
    ['DK', '2600', '2600'],
    ['DK', ' 2600', '2600'],
    ['DK', 'DK-26', 'DK-26'],
    ['DK', 'SE-211 45', 'SE-211 45'],
    ['LV', 'LV-1010', 'LV-1010'],
    ['GB', 'SW1A 1AA', 'SW1A 1AA'],
    [null, 'DK-2600', 'DK-2600'],
    ['DK', null, null],
  ])('of %s is of %s: %s', (countryCode, postalCode, plain) => {
    expect(plainPostalCode({ countryCode, postalCode })).toBe(plain);
  });
});

describe('a moment that a carrier tells', () => {
  it.each([
    ['an offset with its colon', '2030-03-04T20:03:19+01:00', '2030-03-04T20:03:19+01:00'],
    ['an offset without one', '2030-03-04T20:03:19+0100', '2030-03-04T20:03:19+01:00'],
    ['UTC', '2030-03-04T20:03:19.123Z', '2030-03-04T20:03:19.123Z'],
    ['no seconds', '2030-03-04T20:03-0330', '2030-03-04T20:03-03:30'],
  ])('is kept with %s', (_case, text, expected) => {
    expect(momentWithOffset(text)).toBe(expected);
  });

  it.each(['2030-03-04T20:03:19', '2030-03-04', '2030-13-04T20:03:19Z', '0000-03-04T20:03:19Z', 'today', '', null])(
    'is none when it is %j',
    (text) => {
      expect(momentWithOffset(text)).toBeNull();
    },
  );
});

describe('a moment in milliseconds', () => {
  it.each([
    [1_898_900_000_000, '2030-03-05T00:13:20.000Z'],
    [null, null],
    [NaN, null],
    [1e30, null],
  ])('%j is %j', (milliseconds, moment) => expect(momentOfEpoch(milliseconds)).toBe(moment));
});

describe('the signature of a callback', () => {
  const raw = Buffer.from('{"code":"DLV"}');
  const scheme = { header: 'x-signature', algorithm: 'sha1', encoding: 'base64' } as const;
  const signed = (secret: string) => createHmac('sha1', secret).update(raw).digest('base64');
  const isSigned = (signature: string, secrets: { readonly current: string; readonly previous?: string }) =>
    isSignedByHmac(raw, { headers: { 'x-signature': signature }, secrets, now: new Date() }, scheme);

  it('is taken with the secret of the account, and with the one before it', () => {
    expect(isSigned(signed('new'), { current: 'new' })).toBe(true);
    expect(isSigned(signed('old'), { current: 'new', previous: 'old' })).toBe(true);
  });

  it.each([
    ['another secret', signed('other'), 'own'],
    ['nothing', '', 'own'],
    ['no base64', 'ÆØÅ', 'own'],
    ['a part of the signature', signed('own').slice(0, 8), 'own'],
    ['a secret that is empty', signed(''), ''],
  ])('is refused with %s', (_what, signature, current) => {
    expect(isSigned(signature, { current })).toBe(false);
  });

  it('is refused over other bytes', () => {
    const delivery = { headers: { 'x-signature': signed('own') }, secrets: { current: 'own' }, now: new Date() };
    expect(isSignedByHmac(Buffer.from('{"code":"DLV" }'), delivery, scheme)).toBe(false);
  });
});

describe('the secret in a header of a callback', () => {
  const hasIt = (given: string | undefined, secrets: { readonly current: string; readonly previous?: string }) =>
    hasSecret({ headers: given === undefined ? {} : { 'x-secret': given }, secrets, now: new Date() }, 'x-secret');

  it('is that of the account, or the one before it', () => {
    expect([hasIt('new', { current: 'new' }), hasIt('old', { current: 'new', previous: 'old' })]).toEqual([true, true]);
  });

  it.each([
    ['is another one', 'other', 'own'],
    ['is missing', undefined, 'own'],
    ['is as empty as that of the account', '', ''],
  ])('opens nothing when it %s', (_case, given, current) => {
    expect(hasIt(given, { current })).toBe(false);
  });
});

describe('XML', () => {
  const xml = '<list><shop><name>B&#248;gen &amp; co</name><note/></shop><shop><name> </name></shop></list>';

  it('gives the elements of a name, and their texts without entities', () => {
    const shops = elementsIn(xml, 'shop');
    expect(shops.map((shop) => elementText(shop, 'name'))).toEqual(['Bøgen & co', null]);
    expect(elementText(shops[0] ?? '', 'note')).toBeNull();
  });

  it.each([
    ['<?xml version="1.0"?><a/>', true],
    ['<a>1</a>', true],
    ['<!DOCTYPE html><html></html>', false],
    ['{}', false],
  ])('is told from a page and from JSON: %s', (text, expected) => {
    expect(isXml(text)).toBe(expected);
  });
});

describe('pick-up points in some countries', () => {
  const point = (countryCode: string, id: string): PickupPoint => ({
    ...{ id, name: id, street: null, postalCode: null, city: null, countryCode },
    ...{ distanceM: null, kind: null, openingHours: null },
  });
  const answered = [point('DK', '1'), point('SE', '2'), point('DK', '3')];

  it('are asked for there only', async () => {
    const asked: PickupPointQuery[] = [];
    const points = pickupPointsIn(['DK'], async (query) => {
      asked.push(query);
      return answered;
    });
    const near = { postalCode: '2600', street: null };
    expect(await points({ near: { ...near, countryCode: 'DE' }, limit: 1 })).toEqual([]);
    expect(await points({ near: { ...near, countryCode: 'DK' }, limit: 1 })).toEqual([point('DK', '1')]);
    expect(await points({ id: '2', countryCode: 'DK' })).toEqual([point('DK', '1'), point('DK', '3')]);
    expect(asked).toHaveLength(2);
  });

  it('are only the one that was asked for by its id, where a carrier answers others too', () => {
    expect(pointsAmong({ id: '3', countryCode: 'DK' }, answered)).toEqual([point('DK', '3')]);
    expect(pointsAmong({ id: '2', countryCode: 'DK' }, answered)).toEqual([]);
    const near = { countryCode: 'DK', postalCode: '2600', street: null };
    expect(pointsAmong({ near, limit: 2 }, answered)).toEqual([point('DK', '1'), point('SE', '2')]);
  });

  it('are asked for where a booking names none, for the nearest, in whatever order they come', async () => {
    const far = (id: string, distanceM: number | null) => ({ ...point('DK', id), distanceM });
    const ask = () => Promise.resolve([far('unknown', null), far('far', 900), far('near', 90)]);
    const named = { ...bookingRequest(), pickUpPointId: '7' };
    expect((await withNearestPoint({ ...named, pickUpPointId: null }, ask)).pickUpPointId).toBe('near');
    expect(await withNearestPoint(named, ask)).toBe(named);
    await expect(withNearestPoint({ ...named, pickUpPointId: null }, () => Promise.resolve([]))).rejects.toMatchObject({
      problems: [{ code: 'pick-up-point-missing' }],
    });
  });
});

describe("a call of a carrier's API", () => {
  const answers = (status: number, body: string) => {
    const sent: HttpRequest[] = [];
    const http = {
      send: (request: HttpRequest) => {
        sent.push(request);
        return Promise.resolve({ status, headers: {}, body: Buffer.from(body) });
      },
      fetchLink: () => Promise.reject(new Error('no link is fetched')),
    };
    return { sent, http };
  };
  const client = ({ http }: ReturnType<typeof answers>) =>
    jsonClient(
      { http, baseUrl: 'https://carrier.example' },
      {
        headers: { 'x-api-key': 'k' },
        problemsFrom: () => [],
        meansOtherwise: ({ status }) => (status === 403 ? 'data' : null),
      },
      {
        find: {
          method: 'GET',
          path: '/boxes/{id}',
          effect: 'read',
          noneOn: [404],
          headers: { accept: 'application/vnd.box+json' },
        },
      },
    );

  it('has the headers of the API, of its endpoint and its own', async () => {
    const carrier = answers(200, '{}');
    await client(carrier).find({ params: { id: '1' }, headers: { 'x-trace': 't' } });
    expect(carrier.sent[0]?.headers).toEqual({
      'x-api-key': 'k',
      accept: 'application/vnd.box+json',
      'x-trace': 't',
    });
  });

  it('returns null for a status that says there is none, and for nothing else', async () => {
    expect(await client(answers(404, 'not found')).find()).toBeNull();
    await expect(client(answers(200, 'null')).find()).rejects.toThrow(/"none" is status 404/);
  });

  it('is refused for what was sent where the carrier says so by 403', async () => {
    await expect(client(answers(403, '')).find()).rejects.toMatchObject({
      because: 'data',
      problems: [{ text: 'status 403, without a word' }],
    });
  });
});

describe('a simulated carrier', () => {
  async function ask(type: string): Promise<Response> {
    const start = simulateCarrier({
      carrier: 'acme',
      carrierName: 'Acme',
      series: { booking: { prefix: 'A', length: 8 }, parcel: { prefix: 'P', length: 8 } },
      routes: { 'POST /orders': ({ body }) => json({ got: body }) },
    });
    const server = await startCarrierServer('acme', start, () => new Date());
    try {
      return await fetch(`${server.baseUrl}/orders`, {
        method: 'POST',
        headers: { 'content-type': type, connection: 'close' },
        body: '{"a":1}',
      });
    } finally {
      await server.close();
    }
  }

  it.each(['application/json', 'application/vnd.acme.orders-v2+json'])('reads a body of %s', async (type) => {
    expect(await (await ask(type)).json()).toEqual({ got: { a: 1 } });
  });

  it('says so where it cannot read a body', async () => {
    const answer = await ask('application/xml');
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain('application/xml');
  });
});

describe('a setting', () => {
  class Config {
    @NumberSetting('must be the number of the warehouse')
    readonly warehouse: number;

    @PatternSetting(/^\d{4}$/, 'must be four digits')
    readonly agreement: string;
  }
  const problemsWith = (given: object) => {
    const read = plainToInstance(Config, given);
    return [
      read,
      validateSync(read)
        .flatMap(({ constraints }) => Object.values(constraints ?? {}))
        .sort(),
    ] as const;
  };

  it.each([7, '7'])('may be a whole number, as %j', (warehouse) => {
    const [read, problems] = problemsWith({ warehouse, agreement: 1234 });
    expect(problems).toEqual([]);
    expect(read).toMatchObject({ warehouse: 7, agreement: '1234' });
  });

  it.each([-1, 1.5, 'seven', '', null, undefined])('is no whole number as %j', (warehouse) => {
    const [, problems] = problemsWith({ warehouse, agreement: '12345' });
    expect(new Set(problems)).toEqual(new Set(['must be four digits', 'must be the number of the warehouse']));
  });
});

describe('the texts of a party', () => {
  const line = { longest: 20, letters: LATIN_1 };
  const lines = { who: { means: 'name', ...line }, where: { means: 'street', ...line } } as const;
  const party = recipient({
    address: { street: 'Industriområdet ved Havnevej 114 B', careOf: 'Ane Holm', floorBlockOrSuite: null },
    contact: { phone: '18 12 34 56', mobile: null },
  });
  const sent = (fields: Parameters<typeof partyTexts>[1]) => sentOf<string>(partyTexts(party, fields));

  it('go on in the second line where the carrier has one, the house number and the care-of among them', () => {
    expect(sent({ ...lines, below: { means: 'second-line', longest: 40, letters: LATIN_1 } })).toMatchObject({
      where: 'Industriområdet ved',
      below: 'Havnevej 114 B, c/o Ane Holm',
    });
  });

  it('stand in one line where it has no second, and the care-of in its own where it has that', () => {
    const wide = { means: 'street', longest: 60, letters: LATIN_1 } as const;
    expect(sent({ where: wide })).toEqual({ where: 'Industriområdet ved Havnevej 114 B, c/o Ane Holm' });
    expect(sent({ where: wide, at: { means: 'care-of', ...line } })).toEqual({
      where: 'Industriområdet ved Havnevej 114 B',
      at: 'Ane Holm',
    });
  });

  it('are those of the fields that the carrier has: one telephone takes any number, of two each takes its own', () => {
    expect(sent({ phone: { means: 'phone' } })).toEqual({ phone: '+4518123456' });
    expect(sent({ phone: { means: 'phone' }, mobile: { means: 'mobile' }, note: { means: 'notes' } })).toEqual({
      phone: '+4518123456',
      mobile: undefined,
    });
  });
});

describe('the rules of a simulated carrier', () => {
  const needed = { isMet: isFilled };
  const short = { isMet: isUpTo(3) };
  const light = { isMet: isWithin(0, 20) };
  const broken = (body: unknown) =>
    breachesOf(body, [
      [needed, 'name', 'to.city', 'from?.city'],
      [short, 'name'],
      [light, 'parcels.*.kg'],
    ]).map(({ path }) => path.join('.'));

  it('are broken by what is missing, too long or out of bounds, each with its path', () => {
    expect(broken({ name: 'long', parcels: [{ kg: 1 }, { kg: 21 }, {}] })).toEqual([
      'to.city',
      'name',
      'parcels.1.kg',
      'parcels.2.kg',
    ]);
  });

  it('ask nothing of a part that need not be there, until it is', () => {
    const fine = { name: 'abc', to: { city: 'Glostrup' }, parcels: [] };
    expect(broken(fine)).toEqual([]);
    expect(broken({ ...fine, from: {} })).toEqual(['from.city']);
  });

  it('are told as services of ASP.NET do: all texts of a field together, lists in brackets', () => {
    const body = { name: 'long', parcels: [{ kg: 1 }, { kg: '' }] };
    const rules = [
      [short, 'name'],
      [light, 'parcels.*.kg'],
      [needed, 'parcels.*.kg'],
    ] as const;
    const textOf = ({ rule, field }: Breach<Rule>) => `${field} ${rule === needed ? 'is missing' : 'is wrong'}`;
    expect(modelState(body, rules, { textOf })).toEqual({
      name: ['name is wrong'],
      'parcels[1].kg': ['kg is wrong', 'kg is missing'],
    });
    expect(modelState({}, rules, { name: ['order'], textOf })).toEqual({});
    expect(Object.keys(modelState(body, rules, { name: ['order'], textOf }))).toEqual([
      'order.name',
      'order.parcels[1].kg',
    ]);
  });
});

describe('a table of statuses', () => {
  it('has the meaning of each code, null for those that say nothing, and no code twice', () => {
    const table = statusTable({ delivered: ['DLV', 'SIGNED'], skipped: ['NOTE'] });
    expect([...table]).toEqual([
      ['DLV', 'delivered'],
      ['SIGNED', 'delivered'],
      ['NOTE', null],
    ]);
    expect(() => statusTable({ delivered: ['DLV'], returned: ['DLV'] })).toThrow('twice');
  });
});

describe('labels by number', () => {
  const booking = {
    ...{ carrierNumber: '1', labelSource: null },
    parcels: ['11', '22'].map((trackingNumber) => ({
      kind: 'booked' as const,
      parcelId: trackingNumber,
      trackingNumber,
      trackingUrl: null,
    })),
  };
  const textsOf = (...printed: readonly PrintedLabel[]) =>
    labelsByNumber(booking, printed).map(({ bytes }) => new TextDecoder().decode(bytes));
  const label = (text: string, ...trackingNumbers: readonly string[]) => ({
    ...{ trackingNumbers, base64: Buffer.from(text).toString('base64') },
  });

  it('come in the order of the parcels, and one of several parcels once', () => {
    expect(textsOf(label('two', '22'), label('other', '33'), label('one', '11'))).toEqual(['one', 'two']);
    expect(textsOf(label('both', '22', '11'))).toEqual(['both']);
  });

  it('are none where one is missing or cannot be read', () => {
    expect(textsOf(label('one', '11'))).toEqual([]);
    expect(textsOf(label('one', '11'), { trackingNumbers: ['22'], base64: null })).toEqual([]);
    expect(textsOf(label('one', '11'), { trackingNumbers: ['22'], base64: '^XA' })).toEqual([]);
  });
});

describe('a time on the clocks of a country', () => {
  it.each([
    ['2030-07-05T08:15:00', 'Europe/Copenhagen', '2030-07-05T08:15:00+02:00'],
    ['2030-07-05T08:15', 'Europe/Helsinki', '2030-07-05T08:15:00+03:00'],
    ['2030-12-05 08:15:00', 'Europe/Helsinki', '2030-12-05T08:15:00+02:00'],
    ['2030-12-05T08:15:00.4567', 'Europe/Helsinki', '2030-12-05T08:15:00+02:00'],
    ['2030-10-27T03:30:00', 'Europe/Helsinki', '2030-10-27T03:30:00+03:00'],
    ['2030-03-31T03:30:00', 'Europe/Helsinki', '2030-03-31T03:30:00+02:00'],
    ['yesterday', 'Europe/Helsinki', null],
  ] as const)('%s in %s is %s', (text, clocks, moment) => {
    expect(localMoment(text, clocks)).toBe(moment);
  });
});

describe('the rows of an answer', () => {
  it('are problems, of which the first text that is there is told', () => {
    const rows = [{ code: 7, detail: { text: 'closed' }, ours: '501' }, { code: 'X', title: 'no' }, {}];
    expect(readProblems(rows, { code: 'code', text: ['title', 'detail.text'], parcel: 'ours' })).toEqual([
      { code: '7', text: 'closed', parcelId: '501' },
      { code: 'X', text: 'no', parcelId: null },
      { code: null, text: 'no reason given', parcelId: null },
    ]);
  });

  it('are parcels, each with its number and its page', () => {
    const rows = [{ number: 12, id: '501' }];
    const parcel = { parcelId: '501', trackingNumber: '12', trackingUrl: 'page of 12' };
    expect(readParcels(rows, { number: 'number', id: 'id' }, (number) => `page of ${number}`)).toEqual([parcel]);
    const untold = { ...parcel, parcelId: null, trackingUrl: null };
    expect(readParcels(rows, { number: 'number' })).toEqual([untold]);
    expect(() => readParcels([{ id: '501' }], { number: 'number' })).toThrow('number');
  });
});

describe('the price in an answer', () => {
  const fields = {
    ...{ amount: ['own', 'price.net'], currency: 'currency', workingDays: 'days' },
    dayOf: (answer: unknown) => textAt(answer, 'day'),
  };
  const price = { price: { net: '49.50' }, currency: 'DKK' };

  it('has the time where it can be read', () => {
    const read = { amount: '49.50', currency: 'DKK', workingDays: null, estimatedDelivery: null };
    expect(readQuote({ ...price, days: 2, day: '2030-03-06' }, fields)).toEqual({
      ...read,
      ...{ workingDays: 2, estimatedDelivery: '2030-03-06' },
    });
    expect(readQuote({ ...price, days: 'soon', day: 'Monday' }, fields)).toEqual(read);
  });

  it.each([
    ['amount', { currency: 'DKK' }, 'a price'],
    ['amount that is a number', { ...price, own: 'free' }, 'a price'],
    ['currency', { price: price.price }, 'a currency'],
  ])('is none without an %s', (_case, answer, missing) => {
    expect(() => readQuote(answer, fields)).toThrow(missing);
  });
});

describe("a carrier's call about one parcel", () => {
  const fields = {
    ...{ parcel: 'number', code: 'event', at: 'time' },
    statusOf: (code: string | null) => (code === 'NOTE' ? null : ('delivered' as const)),
  };
  const call = { number: '12', event: 'DLV', time: '2030-03-04T09:00:00Z' };

  it('has an event, and has the parcel polled where it does not say everything', () => {
    const event = { trackingNumber: '12', status: 'delivered', code: 'DLV', at: call.time };
    expect(readCall(call, fields)).toMatchObject({ kind: 'events', events: [event] });
    expect(readCall(call, { ...fields, polls: true })).toMatchObject({ events: [event], poll: ['12'] });
    expect(readCall({ ...call, time: '' }, { ...fields, polls: true })).toEqual({
      ...{ kind: 'events', events: [], poll: ['12'] },
    });
  });

  it('has the parcel polled also where an adapter from outside says so by the former name, `asks`', () => {
    expect(readCall(call, { ...fields, asks: true })).toMatchObject({ poll: ['12'] });
  });

  it.each([
    ['a parcel', { ...call, number: null }],
    ['an event', { ...call, event: '' }],
    ['an event of the parcel', { ...call, event: 'NOTE' }],
    ['a time', { ...call, time: 'now' }],
    ['anything', 'a text'],
  ])('is ignored without %s', (_case, json) => {
    expect(readCall(json, fields)).toMatchObject({ kind: 'ignored' });
  });
});

it.each([
  ['Testgade 12, 2. tv', { road: 'Testgade', number: '12' }],
  ['Havnen', { road: 'Havnen' }],
  [null, {}],
])('a street as a question has it: %s', (street, query) => {
  expect(streetQuery(street, ['road', 'number'])).toEqual(query);
});
