import type { BookingRequest, PickupPointQuery, Quote } from '../contract/index.js';
import { notOffered } from '../toolkit/answers/quote.js';
import { listAt, numberAt, textAt, unexpected, valueAt } from '../toolkit/json.js';
import { onlyParcel } from '../toolkit/parcels/one-parcel.js';
import type { PointFields } from '../toolkit/pickup-points.js';
import { pointsFor, readPoint, readPoints, withNearestPoint } from '../toolkit/pickup-points.js';
import type { HomerunnerApi } from './api.js';
import type { HomerunnerConfig } from './config.js';
import { isToPoint, productOf } from './services.js';

export const POINT: PointFields = {
  ...{ list: 'servicepoints', id: 'id', name: 'name', metres: 'distance', address: 'address' },
  ...{ street: 'street', postalCode: 'zip_code', city: 'city', countryCode: 'country_code' },
  hoursOf: (point) => {
    const days = Object.entries(Object(valueAt(point, 'opening_hours')));
    return days.map(([day, open]) => `${day} ${textAt(open, 'from')}-${textAt(open, 'to')}`);
  },
};

export async function pointsOf(api: HomerunnerApi, carrier: string, query: PickupPointQuery) {
  if ('id' in query) {
    const point = await api.point({ params: { carrier, id: query.id } });
    return point === null ? [] : pointsFor(query, [readPoint(point, POINT)]);
  }
  const { countryCode, postalCode, street } = query.near;
  const near = { country_code: countryCode, zip_code: postalCode, ...(street && { street }) };
  return readPoints(query, await api.pointsNear({ params: { carrier }, query: near }), POINT);
}

/** @throws CarrierRejected there is no pick-up point near @throws CarrierUnavailable HomeRunner cannot be asked */
export async function withPoint(api: HomerunnerApi, request: BookingRequest, config: HomerunnerConfig) {
  if (!isToPoint(request, config)) return request;
  return withNearestPoint(request, (query) => pointsOf(api, productOf(request, config).carrier, query));
}

/** The price in the list of products of the country, of the first one that takes the weight and has the service. */
export async function quoteAt(api: HomerunnerApi, request: BookingRequest, config: HomerunnerConfig): Promise<Quote> {
  const { carrier, carrier_product: product, carrier_service: service } = productOf(request, config);
  const { weightGrams } = onlyParcel(request);
  const [from, to] = [request.sender, request.recipient].map(({ address }) => address.countryCode ?? '');
  const countries = await api.products({ params: { from: from ?? '' } });
  if (Object.keys(Object(countries)).length === 0) throw unexpected(countries, 'a country');
  const offers = listAt(valueAt(countries, to ?? ''), carrier, product).filter((offer) => {
    const [least, most] = ['from', 'to'].map((end) => numberAt(offer, 'weight', end));
    const hasService = listAt(offer, 'services').some((each) => textAt(each, 'code') === service);
    return hasService && weightGrams >= (least ?? 0) && weightGrams <= (most ?? Infinity);
  });
  if (offers[0] === undefined) throw notOffered('HomeRunner');
  const price = numberAt(offers[0], 'prices', 'excl_tax');
  if (price === null || price < 0) throw unexpected(offers[0], 'prices.excl_tax');
  return { amount: price.toFixed(2), currency: config.currency, workingDays: null, estimatedDelivery: null };
}
