import type { HttpAnswer, PickupPoint, PickupPointQuery, Tools } from '../contract/index.js';
import { quoted } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { elementText, elementsIn, isXml, jsonClient, readPoint } from '../toolkit/index.js';

/** How the service says that it has no such shop, or does not know the address: an assumption, see this folder's README. */
const FAULT = /SoapException|Fault\b/;
/** Namespaces stand in front of it. */
const FAULT_WITHIN_BYTES = 2_000;

export const SHOP: PointFields = {
  ...{ id: 'Number', name: 'CompanyName', street: 'Streetname', postalCode: 'ZipCode', city: 'CityName' },
  ...{ countryCode: 'CountryCodeISO3166A2', metres: 'DistanceMetersAsTheCrowFlies' },
  hoursOf: (shop) => elementsIn(String(shop), 'Weekday').map(openingHours),
};

/** The public parcel shop finder of GLS Denmark: another address than the web service, no login, XML. */
export function shopsAtGls(shopFinder: string, { http }: Tools) {
  const api = jsonClient(
    { http, baseUrl: shopFinder },
    { problemsFrom: () => [], meansOtherwise: (answer) => (isFault(answer) ? 'fine' : null) },
    { ask: { method: 'GET', path: '/{operation}', effect: 'read', answer: 'any' } },
  );
  return async (query: PickupPointQuery): Promise<readonly PickupPoint[]> => {
    const answer = await api.ask(toShopQuery(query));
    const shops = isFault(answer) ? [] : fromShopFinder(answer);
    if ('near' in query) return shops.slice(0, query.limit);
    return shops.filter(({ id, countryCode }) => id === query.id && countryCode === query.countryCode);
  };
}

function isFault(answer: HttpAnswer): boolean {
  return answer.status >= 400 && FAULT.test(new TextDecoder().decode(answer.body.subarray(0, FAULT_WITHIN_BYTES)));
}

function toShopQuery(query: PickupPointQuery) {
  if ('id' in query) return { params: { operation: 'GetOneParcelShop' }, query: { ParcelShopNumber: query.id } };
  const { countryCode: countryIso3166A2, postalCode: zipcode, street } = query.near;
  const near = { zipcode, countryIso3166A2 };
  if (street === null) return { params: { operation: 'GetParcelShopsInZipcode' }, query: near };
  const Amount = String(query.limit);
  return { params: { operation: 'SearchNearestParcelShops' }, query: { street, ...near, Amount } };
}

/** The roots of its documents are not documented. */
function fromShopFinder(answer: HttpAnswer): readonly PickupPoint[] {
  const xml = new TextDecoder().decode(answer.body);
  if (!isXml(xml)) throw new Error(`status ${answer.status} without XML: ${quoted(answer)}`);
  return elementsIn(xml, 'PakkeshopData').map((shop) => readPoint(shop, SHOP, elementText));
}

function openingHours(day: string): string {
  const [name, from, to] = ['day', 'From', 'To'].map((field) => elementText(day, field) ?? '?');
  return `${name} ${from}-${to}`;
}
