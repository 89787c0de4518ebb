/** Last words of names of fields whose texts are no personal data. The texts of all other fields count as personal. */
const PLAIN = new Set(
  `id ids number numbers num no nr key unique status state code codes type kind date time timestamp at created changed cancelled currency unit weight length width
   height volume amount count quantity value service product option reference references format language lang version url
   uri href link method path instance title detail details message messages text reason error errors fejltekst fejlkode
   description severity country countrycode city town village postal postalcode postcode postnr zip zipcode carrier size pages test
   mode level scope vaegt l h b faktura idkrav shopid barcode stregkode action operation printer resource purpose correlation source region`.split(
    /\s+/,
  ),
);
/** A name with one of these words is of personal data, as in `phoneNumber`. */
const PERSONAL = new Set(
  `person contact recipient consignee first last given family street address adresse phone telephone telefon mobile mobil
   tel mail email addressee attention att user login vat cvr instruction instructions remark note comment greeting door floor house
   latitude longitude customer company navn gade`.split(/\s+/),
);
/** The name of such a thing is no person's. */
const THINGS = new Set(
  'carrier service product file printer resource document event device option type field'.split(' '),
);

/** Whether a field holds no personal data: numbers of things, codes, measures, times, postal code, town and country, and what the other side says. */
export function isPlainName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (last === 'name' || last === 'names') return THINGS.has(words.at(-2) ?? '');
  return PLAIN.has(last) && !words.some((word) => PERSONAL.has(word));
}

/** Texts of fields with these words are looked for in all other texts. */
const QUOTED = new Set(
  'street address addressee adresse phone telephone telefon mobile mobil email mail contact attention navn'.split(' '),
);

/** Whether the text of a field is personal wherever else it stands: a name, an address, a telephone number. */
export function isQuotedName(name: string): boolean {
  const words = wordsOf(name);
  const isName = ['name', 'names'].includes(words.at(-1) ?? '') && !NOT_QUOTED.has(words.at(-2) ?? '');
  return (isName || words.some((word) => QUOTED.has(word))) && words.at(-1) !== 'id';
}

const NOT_QUOTED = new Set([...THINGS, 'user', 'login']);

/** `deliveryAddress1` as `delivery`, `address`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
