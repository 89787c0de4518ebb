import type { RequestFields } from '../../../carriers/contract/http-port.js';

/** Last words of names of fields whose texts are no personal data. The texts of all other fields count as personal. */
const PLAIN =
  `id ids number numbers num no nr key unique status state code codes type kind date time timestamp at created changed cancelled currency unit weight length width
   height volume amount count quantity value service product option reference references format language lang version url
   uri href link method path instance title detail details message messages text reason error errors
   description severity country countrycode city town village postal postalcode postcode zip zipcode carrier size pages test
   mode level scope barcode action operation printer resource purpose correlation source region`.split(/\s+/);
/** Names, streets and telephone numbers in other languages of this region, for adapters that declare nothing. */
const FOREIGN =
  `namn fornavn efternavn etternavn kontakt modtager mottaker mottagare telefon tlf gade gate gata vej vei adress
   strasse epost`.split(/\s+/);
/** A name with one of these words is of personal data, as in `phoneNumber`. */
const PERSONAL = `person contact recipient consignee first last given family street address phone telephone mobile
   tel mail email addressee attention att user login vat cvr instruction instructions remark note comment greeting door floor house
   latitude longitude customer company`.split(/\s+/);
/** The name of such a thing is no person's. */
const THINGS = new Set(
  'carrier service product file printer resource document event device option type field'.split(' '),
);

/** Texts of fields with these words are looked for in all other texts. */
const QUOTED = 'street address addressee phone telephone mobile email mail contact attention'.split(' ');
const NOT_QUOTED = new Set([...THINGS, 'user', 'login']);

/** Judges fields by their names. */
export interface FieldNames {
  /** Whether a field holds no personal data: numbers of things, codes, measures, times, postal code, town and country, and what the other side says. */
  isPlain(name: string): boolean;
  /** Whether a field holds personal data for certain, as its name says: its numbers are hidden too. */
  isPersonal(name: string): boolean;
  /** Whether the text of a field is personal wherever else it stands: a name, an address, a telephone number. */
  isQuoted(name: string): boolean;
}

/** @param declared of the carriers, whose words count beside ours */
export function fieldNames(declared: Pick<RequestFields, 'plain' | 'personal'>): FieldNames {
  const plain = new Set([...PLAIN, ...(declared.plain ?? [])]);
  const personal = new Set([...PERSONAL, ...FOREIGN, ...(declared.personal ?? [])]);
  const quoted = new Set([...QUOTED, ...FOREIGN, ...(declared.personal ?? [])]);
  return {
    isPlain: (name) => {
      const words = wordsOf(name);
      const last = words.at(-1) ?? '';
      if (isName(last)) return THINGS.has(words.at(-2) ?? '');
      return plain.has(last) && !words.some((word) => personal.has(word));
    },
    isPersonal: (name) => {
      const words = wordsOf(name);
      return words.at(-1) !== 'id' && words.some((word) => personal.has(word));
    },
    isQuoted: (name) => {
      const words = wordsOf(name);
      const last = words.at(-1) ?? '';
      const isOfPerson = isName(last) && !NOT_QUOTED.has(words.at(-2) ?? '');
      return (isOfPerson || words.some((word) => quoted.has(word))) && last !== 'id';
    },
  };
}

function isName(word: string): boolean {
  return word === 'name' || word === 'names';
}

/** `deliveryAddress1` as `delivery`, `address`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
