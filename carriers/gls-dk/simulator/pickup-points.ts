import { elementsOf } from '../../toolkit/index.js';
import type { Reply, RouteContext, SimulatedPoint } from '../../toolkit/simulator/index.js';
import { content, pointRow, simulatedPoints, text } from '../../toolkit/simulator/index.js';
import { SHOP } from '../pickup-points.js';

const DAY = '<Weekday><day>Monday</day><openAt><From>08:00</From><To>20:00</To></openAt></Weekday>';

/** The parcel shop finder. */
export function answerShops({ params: { operation }, query }: RouteContext): Reply {
  const { zipcode, countryIso3166A2: countryCode = 'DK', Amount, street, ParcelShopNumber = 'none' } = query;
  const shopsOf = (points: readonly SimulatedPoint[]) =>
    points.length > 0 ? shops(points, { postalCode: zipcode ?? '2600', countryCode }) : fault('No parcel shop found');
  switch (operation) {
    case 'SearchNearestParcelShops':
      return street && zipcode ? shopsOf(simulatedPoints({ limit: Number(Amount) })) : fault('Unknown address');
    case 'GetParcelShopsInZipcode':
      return shopsOf(simulatedPoints({}));
    case 'GetOneParcelShop':
      return shopsOf(simulatedPoints({ id: ParcelShopNumber }));
    default:
      return text('Not found', 404);
  }
}

function fault(message: string): Reply {
  return text(`System.Web.Services.Protocols.SoapException: ${message}`, 500);
}

function shops(points: readonly SimulatedPoint[], at: Parameters<typeof pointRow>[2]): Reply {
  const data = points.map((point) => {
    const texts = pointRow({ ...point, name: `${point.name} & co` }, SHOP, at);
    return `<PakkeshopData>${elementsOf(texts)}<OpeningHours>${DAY}</OpeningHours></PakkeshopData>`;
  });
  const list = `<ParcelShopSearchResult><parcelshops>${data.join('')}</parcelshops></ParcelShopSearchResult>`;
  return content('application/xml; charset=utf-8', `<?xml version="1.0" encoding="utf-8"?>${list}`);
}
