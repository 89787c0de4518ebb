import type { Reply, RouteContext, SimulatedPoint } from '../../toolkit/simulator/index.js';
import { content, simulatedPoints, text } from '../../toolkit/simulator/index.js';

/** The parcel shop finder. */
export function answerShops({ params: { operation }, query }: RouteContext): Reply {
  const { zipcode = '2600', countryIso3166A2 = 'DK', Amount, street, ParcelShopNumber } = query;
  const write = (points: readonly SimulatedPoint[]) =>
    points.length > 0 ? shops(points, zipcode, countryIso3166A2) : fault('No parcel shop found');
  switch (operation) {
    case 'SearchNearestParcelShops':
      return street && query['zipcode'] ? write(simulatedPoints({ limit: Number(Amount) })) : fault('Unknown address');
    case 'GetParcelShopsInZipcode':
      return write(simulatedPoints({}));
    case 'GetOneParcelShop':
      return write(simulatedPoints({ id: ParcelShopNumber ?? 'none' }));
    default:
      return text('Not found', 404);
  }
}

function fault(message: string): Reply {
  return text(`System.Web.Services.Protocols.SoapException: ${message}`, 500);
}

function shops(points: readonly SimulatedPoint[], zipcode: string, country: string): Reply {
  const data = points.map(
    ({ id, name, street, city, distanceM }) =>
      `<PakkeshopData><Number>${id}</Number><CompanyName>${name} &amp; co</CompanyName><Streetname>${street}</Streetname>` +
      `<Streetname2>Pakkeshop</Streetname2><ZipCode>${zipcode}</ZipCode><CityName>${city}</CityName>` +
      `<CountryCodeISO3166A2>${country}</CountryCodeISO3166A2>` +
      `<DistanceMetersAsTheCrowFlies>${distanceM}</DistanceMetersAsTheCrowFlies><OpeningHours><Weekday><day>Monday</day>` +
      '<openAt><From>08:00</From><To>20:00</To></openAt></Weekday></OpeningHours></PakkeshopData>',
  );
  const list = `<parcelshops>${data.join('')}</parcelshops>`;
  const xml = `<?xml version="1.0" encoding="utf-8"?><ParcelShopSearchResult>${list}</ParcelShopSearchResult>`;
  return content('application/xml; charset=utf-8', xml);
}
