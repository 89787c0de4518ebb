import type { HttpAnswer, PickupPoint, PickupPointQuery, Tools } from '../contract/index.js';
import { quoted } from '../contract/index.js';
import { jsonClient } from '../toolkit/json-client.js';

/** How the service says that it has no such shop, or does not know the address: an assumption, see this folder's README. */
const FAULT = /SoapException|Fault\b/;
/** Namespaces stand in front of it. */
const FAULT_WITHIN_BYTES = 2_000;
/** A document of any root but a page's: the roots are not documented. */
const XML = /^\s*(<\?xml[^>]*\?>)?\s*<(?!html|!doctype)\w/i;
const SHOP = 'PakkeshopData';
const DAY = 'Weekday';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

type Operation = 'SearchNearestParcelShops' | 'GetParcelShopsInZipcode' | 'GetOneParcelShop';

/** The public parcel shop finder of GLS Denmark: another address than the web service, no login, XML. */
export function shopsAtGls(shopFinder: string, { http }: Tools) {
  const api = jsonClient(
    { http, baseUrl: shopFinder.replace(/\/+$/, '') },
    { problemsFrom: () => [] },
    {
      ask: {
        method: 'GET',
        path: '/{operation}',
        effect: 'read',
        answer: 'any',
        meansOtherwise: (answer) => (isFault(answer) ? 'fine' : null),
      },
    },
  );
  return async (query: PickupPointQuery): Promise<readonly PickupPoint[]> => {
    const { operation, ...asked } = toShopQuery(query);
    const answer = await api.ask({ params: { operation }, query: asked });
    if (isFault(answer)) return [];
    const shops = fromShopFinder(new TextDecoder().decode(answer.body), answer);
    if ('near' in query) return shops.slice(0, query.limit);
    return shops.filter(({ id, countryCode }) => id === query.id && countryCode === query.countryCode);
  };
}

function isFault(answer: HttpAnswer): boolean {
  return answer.status >= 400 && FAULT.test(new TextDecoder().decode(answer.body.subarray(0, FAULT_WITHIN_BYTES)));
}

function toShopQuery(query: PickupPointQuery): Readonly<Record<string, string>> & { readonly operation: Operation } {
  if ('id' in query) return { operation: 'GetOneParcelShop', ParcelShopNumber: query.id };
  const { countryCode: countryIso3166A2, postalCode: zipcode, street } = query.near;
  if (street === null) return { operation: 'GetParcelShopsInZipcode', zipcode, countryIso3166A2 };
  const Amount = String(query.limit);
  return { operation: 'SearchNearestParcelShops', street, zipcode, countryIso3166A2, Amount };
}

function fromShopFinder(xml: string, answer: HttpAnswer): readonly PickupPoint[] {
  if (!XML.test(xml)) throw new Error(`status ${answer.status} without XML: ${quoted(answer)}`);
  return elements(xml, SHOP).map((shop) => {
    const [id, name, countryCode] = ['Number', 'CompanyName', 'CountryCodeISO3166A2'].map((field) =>
      textIn(shop, field),
    );
    if (!id || !name || !countryCode)
      throw new Error(`a parcel shop without number, name or country: ${quoted(answer)}`);
    const metres = Number(textIn(shop, 'DistanceMetersAsTheCrowFlies') ?? NaN);
    return {
      ...{ id, name, countryCode },
      street: textIn(shop, 'Streetname'),
      postalCode: textIn(shop, 'ZipCode'),
      city: textIn(shop, 'CityName'),
      distanceM: metres >= 0 ? Math.round(metres) : null,
      kind: null,
      openingHours: elements(shop, DAY).map(openingHours).join(', ') || null,
    };
  });
}

function openingHours(day: string): string {
  const [name, from, to] = ['day', 'From', 'To'].map((field) => textIn(day, field) ?? '?');
  return `${name} ${from}-${to}`;
}

/** What stands in each element of this name, without attributes, namespaces and elements inside itself. */
function elements(xml: string, name: string): readonly string[] {
  return xml.split(`</${name}>`).flatMap((part, index, parts) => {
    const start = part.lastIndexOf(`<${name}>`);
    return start < 0 || index === parts.length - 1 ? [] : [part.slice(start + name.length + 2)];
  });
}

/** `null`: it is missing, or empty. */
function textIn(xml: string, name: string): string | null {
  const [text] = elements(xml, name);
  return text?.replace(/&(\w+|#\d+|#x[\da-f]+);/gi, decoded).trim() || null;
}

function decoded(entity: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? entity;
  const code = Number(name.replace('#x', '0x').replace('#X', '0x').replace('#', ''));
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
