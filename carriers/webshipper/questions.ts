import type { BookingRequest, PickupPointQuery, Quote } from '../contract/index.js';
import { notOffered } from '../toolkit/answers/quote.js';
import { neededAt, neededList, numberAt, textAt, unexpected } from '../toolkit/json.js';
import { readBefore } from '../toolkit/json-client.js';
import type { PointFields } from '../toolkit/pickup-points.js';
import { pointsAmong, readPoints } from '../toolkit/pickup-points.js';
import { refuseFor, when } from '../toolkit/preflight.js';
import { kilograms } from '../toolkit/units.js';
import type { WebshipperApi } from './api.js';
import { toAddress } from './booking.js';
import { productIn } from './services.js';

const DROP_POINT = 'drop_point_id name address_1 address_2 zip city country_code state routing_code'.split(' ');

/** Webshipper does not say how it writes opening hours. */
export const POINT: PointFields = {
  ...{ id: 'drop_point_id', name: 'name', street: 'address_1', postalCode: 'zip', city: 'city' },
  countryCode: 'country_code',
};

async function dropPoints(api: WebshipperApi, service: string, delivery_address: object): Promise<readonly unknown[]> {
  const attributes = { ...productIn(service), delivery_address };
  const answer = await api.dropPoints({ json: { data: { type: 'drop_point_locators', attributes } } });
  return neededList(answer, 'data', 'attributes', 'drop_points');
}

/** The locator cannot search by an id: a point is sought among those that it has in the country. */
export async function pickupPointsAt(api: WebshipperApi, service: string, query: PickupPointQuery) {
  const { countryCode: country_code, ...near } = 'near' in query ? query.near : query;
  const place = 'street' in near ? { address_1: near.street ?? undefined, zip: near.postalCode } : {};
  return pointsAmong(query, readPoints(query, await dropPoints(api, service, { ...place, country_code }), POINT));
}

/**
 * The drop point that the shipment names, or else the nearest, as the locator has it. One that is not near the recipient is
 * sent by its id alone.
 * @throws CarrierRejected there is none @throws CarrierUnavailable the locator cannot be asked
 */
export async function dropPointOf(api: WebshipperApi, service: string, request: BookingRequest): Promise<object> {
  const { address_1, zip, city, country_code } = toAddress(request.recipient);
  const points = await readBefore(dropPoints(api, service, { address_1, zip, city, country_code }));
  const id = request.pickUpPointId || null;
  const found = points.find((point) => id === null || textAt(point, 'drop_point_id') === id);
  refuseFor(when(found === undefined && id === null, 'pick-up-point-missing'));
  const fields = DROP_POINT.map((name) => [name, textAt(found, name) ?? undefined]);
  return found === undefined ? { drop_point_id: id } : (Object.fromEntries(fields) as object);
}

/** What the agreement with the carrier costs. A shipping rate is asked first for its carrier and service. */
export async function quoteAt(api: WebshipperApi, service: string, request: BookingRequest): Promise<Quote> {
  const product = productIn(service);
  const own = product.shipping_rate_id === undefined ? product : await carrierOf(api, product.shipping_rate_id);
  const packages = request.parcels.map(({ weightGrams }) => ({ weight: kilograms(weightGrams), weight_unit: 'kg' }));
  const places = { delivery_address: toAddress(request.recipient), sender_address: toAddress(request.sender) };
  const data = { type: 'service_quotes', attributes: { ...own, packages, ...places } };
  const answer = await api.quote({ json: { data } });
  const services = neededList(answer, 'data', 'attributes', 'services');
  const offer = services.find((each) => textAt(each, 'service_code') === own.service_code);
  if (offer === undefined) throw notOffered('Webshipper');
  const price = numberAt(offer, 'cost_price');
  if (price === null || price < 0) throw unexpected(offer, 'cost_price');
  const [day = null] = /^\d{4}-\d\d-\d\d/.exec(textAt(offer, 'estimated_delivery_date_to') ?? '') ?? [];
  return { amount: price.toFixed(2), currency: neededAt(offer, 'currency'), workingDays: null, estimatedDelivery: day };
}

async function carrierOf(api: WebshipperApi, rateId: string) {
  const rate = neededList(await api.rates(), 'data').find((each) => textAt(each, 'id') === rateId);
  if (rate === undefined) throw notOffered('Webshipper');
  const at = (name: string) => neededAt(rate, 'attributes', name);
  return { carrier_id: at('carrier_id'), service_code: at('carrier_service_code') };
}
