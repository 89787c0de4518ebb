import type { HttpAnswer, PickupPoint, PickupPointQuery, Tools } from '../contract/index.js';
import { quoted } from '../contract/index.js';
import type { PointFields } from '../toolkit/index.js';
import { elementText, elementsIn, isXml, jsonClient, plainPostalCode } from '../toolkit/index.js';
import { pointsAmong, readPoint } from '../toolkit/index.js';

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
  return async (query: PickupPointQuery): Promise<readonly PickupPoint[]> =>
    pointsAmong(query, fromShopFinder(await api.ask(toShopQuery(query))));
}

/** GLS has no such shop or address: an assumption, see the README. The element can have a namespace prefix. */
function isFault({ status, body }: HttpAnswer): boolean {
  return status >= 400 && /SoapException|Fault\b/.test(new TextDecoder().decode(body.subarray(0, 2_000)));
}

function toShopQuery(query: PickupPointQuery) {
  if ('id' in query) return { params: { operation: 'GetOneParcelShop' }, query: { ParcelShopNumber: query.id } };
  const { countryCode: countryIso3166A2, street } = query.near;
  const near = { zipcode: plainPostalCode(query.near) ?? '', countryIso3166A2 };
  if (street === null) return { params: { operation: 'GetParcelShopsInZipcode' }, query: near };
  return { params: { operation: 'SearchNearestParcelShops' }, query: { street, ...near, Amount: `${query.limit}` } };
}

/** The roots of its documents are not documented. */
function fromShopFinder(answer: HttpAnswer): readonly PickupPoint[] {
  if (isFault(answer)) return [];
  const xml = new TextDecoder().decode(answer.body);
  if (!isXml(xml)) throw new Error(`status ${answer.status} without XML: ${quoted(answer)}`);
  return elementsIn(xml, 'PakkeshopData').map((shop) => readPoint(shop, SHOP, elementText));
}

function openingHours(day: string): string {
  const [name, from, to] = ['day', 'From', 'To'].map((field) => elementText(day, field) ?? '?');
  return `${name} ${from}-${to}`;
}
