import fc from 'fast-check';
import type { Address, BookingRequest, Goods, Parcel, Party } from '../contract/index.js';
import { sampleRequest } from '../contract/sample-request.js';

const WORDS = [
  'Ærøskøbing',
  'Østergade',
  'Łódź',
  'Москва',
  '東京都',
  'Ελλάδα',
  '😀',
  'c/o',
  'Industriområdet',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  '12',
  '114 B',
  '7-9',
  '3. tv.',
  'and,',
  'of',
];

/** Lines as people write them, from one word to far more than fits. */
const line = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((words) => words.join(' '));
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST_CHARACTER = 0x10ffff;

/** Every character, as with `unit: 'binary'`, for which fast-check makes a table of a million characters first. */
export const anyCharacter = fc.nat(LAST_CHARACTER - SURROGATES).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
const anyText = fc.oneof(fc.constant(null), fc.constant(''), line, fc.string({ unit: anyCharacter, maxLength: 60 }));

/** An address that can be delivered to, however long its lines are. */
const deliverableAddress: fc.Arbitrary<Address> = fc.record({
  name: line.map((text) => `Person ${text}`),
  careOf: fc.option(line),
  street: fc
    .tuple(fc.array(fc.constantFrom('Gl.', 'Østre', 'Łąkowa', 'Kommandørkaptajn')), fc.nat(999))
    .map(([words, number]) => `${['Vej', ...words].join(' ')} ${number}`),
  floorBlockOrSuite: fc.option(line),
  district: fc.option(line),
  city: line.map((text) => `By ${text}`),
  stateOrProvince: fc.option(line),
  postalCode: fc.constant('2600'),
  countryCode: fc.constant('DK'),
});

/** The given text in three cases of four: a carrier that needs it takes most requests. */
function mostly(text: string, otherwise: fc.Arbitrary<string | null>): fc.Arbitrary<string | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(text) }, { weight: 1, arbitrary: otherwise });
}

/** A sender or recipient inside Denmark, with a telephone; not all of them can be delivered to. */
export const danishParty: fc.Arbitrary<Party> = fc.record({
  address: fc.oneof(
    { weight: 3, arbitrary: deliverableAddress },
    {
      weight: 1,
      arbitrary: fc
        .tuple(deliverableAddress, fc.record({ name: anyText, street: anyText, city: anyText }))
        .map(([whole, odd]) => ({ ...whole, ...odd })),
    },
  ),
  contact: fc.record({
    name: anyText,
    email: mostly('signe.lund@mail.example', anyText),
    phone: fc.constant('18123456'),
    mobile: mostly('+4522334455', anyText),
  }),
});

const anyParty: fc.Arbitrary<Party> = fc.record({
  address: fc.record({
    name: anyText,
    careOf: anyText,
    street: anyText,
    floorBlockOrSuite: anyText,
    district: anyText,
    city: anyText,
    stateOrProvince: anyText,
    postalCode: fc.oneof(anyText, fc.constantFrom('2600', '123 45', 'SW1A 1AA')),
    countryCode: fc.constantFrom(null, 'DK', 'NO', 'SE', 'FI', 'DE', 'GB', 'FO', 'US', 'ZZ'),
  }),
  contact: fc.record({ name: anyText, email: anyText, phone: anyText, mobile: anyText }),
});

const anyGoods: fc.Arbitrary<Goods> = fc.record({
  description: anyText,
  quantity: fc.integer({ min: 1, max: 100 }),
  unitValue: fc.constantFrom(null, '12.5'),
  currency: fc.constantFrom(null, 'DKK'),
  unitWeightGrams: fc.option(fc.integer({ min: 1, max: 5_000 })),
  tariffNumberAtDestination: fc.constantFrom(null, '610910'),
  tariffNumberAtOrigin: fc.constantFrom(null, '610910'),
  countryOfOrigin: fc.constantFrom(null, 'DK'),
  unNumbers: fc.constantFrom([], ['UN1950']),
});

/** Whatever a shipment may hold, sensible or not. */
export const anyRequest: fc.Arbitrary<BookingRequest> = fc
  .record({
    service: fc.constantFrom(null, '', 'standard', 'PICKUP_PARCEL', '3050', 'shop-delivery', 'deposit', 'abroad', 'x'),
    options: fc.constantFrom({}, { customs: 'papers' }, { additionalServices: [{ id: '0041' }, 'EVARSLING'] }),
    sender: anyParty,
    recipient: anyParty,
    deliverToPickUpPoint: fc.boolean(),
    pickUpPointId: anyText,
    privateDelivery: fc.option(fc.boolean()),
    unattendedDelivery: fc.boolean(),
    notesOnDelivery: anyText,
    customersReference: anyText,
    incoterms: fc.constantFrom(null, 'DAP', 'FOB'),
    goods: fc.array(anyGoods, { maxLength: 2 }),
    parcels: fc.array(
      fc.record({
        weightGrams: fc.integer({ min: 1, max: 100_000 }),
        lengthMm: fc.option(fc.integer({ min: 1, max: 9_000 })),
        description: anyText,
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ parcels, ...changes }) => sampleRequest({ ...changes, parcels: parcels.map(numbered) }));

function numbered(changes: Partial<Parcel>, index: number): Parcel {
  const [parcel] = sampleRequest().parcels as [Parcel];
  return { ...parcel, ...changes, id: `${501 + index}`, label: `10045 #${index + 1}` };
}
