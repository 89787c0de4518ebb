import type { JsonMembers } from '../../store/json.js';
import type { Shares } from '../scenario.js';
import type { Country } from './countries/country.js';
import { countryOf } from './countries/index.js';
import type { Random } from './random.js';
import { dealt } from './shares.js';

/** A person or a company, with an address. */
export interface InventedParty {
  readonly kind: 'person' | 'company';
  readonly country: Country;
  readonly name: string;
  readonly address: JsonMembers;
  readonly contactPerson: JsonMembers;
  /** Only companies have one; `null` otherwise. */
  readonly vatNumber: string | null;
}

export interface Customer extends InventedParty {
  readonly customerNumber: string;
}

const FIRST_CUSTOMER = 2001;
const HOUSE_LETTERS = ['A', 'B', 'C', 'D'];
const MAIL_HOSTS = ['mail.example', 'post.example', 'webmail.example'];

export interface CustomersWanted {
  readonly count: number;
  readonly countries: Shares;
  /** Per cent of the customers that are companies. */
  readonly companies: number;
}

export function inventCustomers(wanted: CustomersWanted, random: Random): readonly Customer[] {
  const countries = dealt(wanted.countries, wanted.count, random);
  const companies = { company: wanted.companies, person: 100 - wanted.companies };
  const kinds = dealt(companies, wanted.count, random);
  return countries.map((code, index): Customer => {
    const country = countryOf(code);
    const party = kinds[index] === 'company' ? inventCompany(country, random) : inventPerson(country, random);
    return { ...party, customerNumber: `C-${FIRST_CUSTOMER + index}` };
  });
}

export function bodyOfCustomer(customer: Customer): JsonMembers {
  const { customerNumber, address, contactPerson, vatNumber, country } = customer;
  return {
    customerNumber,
    address,
    contactPerson,
    currencyCode: country.currencyCode,
    ...(vatNumber === null ? {} : { vatNumber }),
  };
}

export function inventPerson(country: Country, random: Random): InventedParty {
  const name = personName(country, random);
  const careOf = random.chance(5) ? { careOf: personName(country, random) } : {};
  return {
    kind: 'person',
    country,
    name,
    address: { addressee: name, ...careOf, ...home(country, random) },
    contactPerson: {
      name,
      email: `${mailName(name)}@${random.pick(MAIL_HOSTS)}`,
      mobileNumber: random.digits(country.mobile),
    },
    vatNumber: null,
  };
}

export function inventCompany(country: Country, random: Random): InventedParty {
  const { names, trades, forms } = country.companies;
  const house = random.pick(names);
  const trade = random.pick(trades);
  const name = `${house} ${trade} ${random.pick(forms)}`;
  const mobile = random.chance(40) ? { mobileNumber: random.digits(country.mobile) } : {};
  return {
    kind: 'company',
    country,
    name,
    address: { addressee: name, ...businessPlace(country, random) },
    contactPerson: {
      name: personName(country, random),
      email: `info@${mailName(`${house}${trade}`.replace(/ /g, ''))}.example`,
      phoneNumber: random.digits(country.phone),
      ...mobile,
    },
    vatNumber: random.digits(country.vatNumber),
  };
}

function personName(country: Country, random: Random): string {
  return `${random.pick(country.firstNames)} ${random.pick(country.lastNames)}`;
}

function home(country: Country, random: Random): JsonMembers {
  const district = random.pick(everyTown(country));
  const inFlat = district.kind === 'flats' && random.chance(80);
  const letter = random.chance(15) ? random.pick(HOUSE_LETTERS) : '';
  return {
    streetNameAndNumber: `${random.pick(district.streets)} ${random.whole(1, 78)}${letter}`,
    ...(inFlat ? { floorBlockOrSuite: random.digits(random.pick(country.flats)) } : {}),
    ...placeOf(district, country),
  };
}

function businessPlace(country: Country, random: Random): JsonMembers {
  const town = random.pick(everyTown(country));
  // A town with more than three streets lists the streets of its quarters, without an industrial estate, so the
  // country's business streets are added.
  const streets = town.streets.length > 3 ? [...town.streets, ...country.businessStreets] : town.streets;
  return { streetNameAndNumber: `${random.pick(streets)} ${random.whole(1, 60)}`, ...placeOf(town, country) };
}

interface OneTown {
  readonly kind: 'flats' | 'houses';
  readonly streets: readonly string[];
  readonly town: readonly [postalCode: string, town: string, village?: string];
}

/** All towns in one list, so that a random pick gives each the same probability. */
function everyTown(country: Country): readonly OneTown[] {
  return country.districts.flatMap(({ kind, streets, towns }) => towns.map((town) => ({ kind, streets, town })));
}

function placeOf({ town: [postalCode, cityTownOrVillage, village] }: OneTown, country: Country): JsonMembers {
  return {
    ...(village === undefined ? {} : { districtOrCityArea: village }),
    postalCode,
    cityTownOrVillage,
    countryCode: country.code,
  };
}

const PLAIN_LETTERS = new Map(
  Object.entries({ æ: 'ae', ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', é: 'e', ë: 'e', ı: 'i' }),
);

/** A name in ASCII letters, as the local part of a mail address. */
function mailName(name: string): string {
  return Array.from(name.toLowerCase())
    .map((letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .join('')
    .replace(/ /g, '.')
    .replace(/[^a-z.-]/g, '');
}
