import type { HttpAnswer, PickupPoint, PickupPointQuery, Tools } from '../contract/index.js';
import { quoted } from '../contract/index.js';
import { elementText, elementsIn, isXml } from '../toolkit/answers/xml.js';
import { jsonClient } from '../toolkit/json-client.js';

/** How the service says that it has no such shop, or does not know the address: an assumption, see this folder's README. */
const FAULT = /SoapException|Fault\b/;
/** Namespaces stand in front of it. */
const FAULT_WITHIN_BYTES = 2_000;

/** The public parcel shop finder of GLS Denmark: another address than the web service, no login, XML. */
export function shopsAtGls(shopFinder: string, { http }: Tools) {
  const api = jsonClient(
    { http, baseUrl: shopFinder.replace(/\/+$/, '') },
    { problemsFrom: () => [], meansOtherwise: (answer) => (isFault(answer) ? 'fine' : null) },
    { ask: { method: 'GET', path: '/{operation}', effect: 'read', answer: 'any' } },
  );
  return async (query: PickupPointQuery): Promise<readonly PickupPoint[]> => {
    const answer = await api.ask(toShopQuery(query));
    if (isFault(answer)) return [];
    const shops = fromShopFinder(answer);
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
  return elementsIn(xml, 'PakkeshopData').map((shop) => {
    const [id, name, countryCode] = ['Number', 'CompanyName', 'CountryCodeISO3166A2'].map((field) =>
      elementText(shop, field),
    );
    if (!id || !name || !countryCode)
      throw new Error(`a parcel shop without number, name or country: ${quoted(answer)}`);
    const metres = Number(elementText(shop, 'DistanceMetersAsTheCrowFlies') ?? NaN);
    return {
      ...{ id, name, countryCode },
      street: elementText(shop, 'Streetname'),
      postalCode: elementText(shop, 'ZipCode'),
      city: elementText(shop, 'CityName'),
      distanceM: metres >= 0 ? Math.round(metres) : null,
      kind: null,
      openingHours: elementsIn(shop, 'Weekday').map(openingHours).join(', ') || null,
    };
  });
}

function openingHours(day: string): string {
  const [name, from, to] = ['day', 'From', 'To'].map((field) => elementText(day, field) ?? '?');
  return `${name} ${from}-${to}`;
}
