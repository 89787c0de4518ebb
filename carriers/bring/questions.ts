import type { BookingRequest, PickupPoint, PickupPointQuery, Quote } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { type PointFields, type QuoteFields, centimetresOf, listAt, neededList, notOffered } from '../toolkit/index.js';
import { readPoints, readProblems, readQuote, streetQuery, textAt, textIn, valueAt } from '../toolkit/index.js';
import { type BringApi, ERROR } from './api.js';
import { type BringContext, shippingDateTime } from './booking.js';
import { productOf } from './services.js';

/** Shipping Guide API, version 2: prices and working days of products. */
export function toShippingGuide(request: BookingRequest, { config, now }: BringContext) {
  const [from, to] = [request.sender.address, request.recipient.address];
  const [year = '', month = '', day = ''] = shippingDateTime(request, now).slice(0, 10).split('-');
  const consignment = {
    id: '1',
    ...{ fromCountryCode: from.countryCode ?? '', fromPostalCode: from.postalCode ?? '' },
    ...{ toCountryCode: to.countryCode ?? '', toPostalCode: to.postalCode ?? '' },
    shippingDate: { year, month, day },
    packages: request.parcels.map(({ id, lengthMm, widthMm, heightMm, weightGrams }) => {
      const [length, width, height] = [lengthMm, widthMm, heightMm].map(centimetresOf);
      return { id, length, width, height, grossWeight: Math.max(1, weightGrams) };
    }),
    products: [{ id: productOf(request).id, customerNumber: config.customerNumber }],
  };
  const wanted = { withPrice: true, withExpectedDelivery: true, withGuiInformation: false };
  return { language: 'en', ...wanted, edi: true, consignments: [consignment] };
}

/** @param kind of price */
const fieldsOf = (kind: string): QuoteFields => ({
  amount: `price.${kind}.priceWithAdditionalServices.amountWithoutVAT`,
  currency: [`price.${kind}.currencyCode`, 'price.currencyCode', 'currencyCode'],
  workingDays: 'expectedDelivery.workingDays',
  dayOf: (product) => {
    const date = valueAt(product, 'expectedDelivery', 'expectedDeliveryDate');
    return ['year', 'month', 'day'].map((part) => textAt(date, part)?.padStart(2, '0')).join('-');
  },
});

/**
 * The price of the agreement where the user may see it, else the one of the list.
 * @throws CarrierRejected Bring has no such product on this way
 * @throws Error the answer has no price that can be read
 */
export function fromShippingGuide(json: unknown): Quote {
  const [product] = neededList(json, 'consignments', 0, 'products');
  if (product === undefined) throw notOffered('Bring');
  const kind = ['netPrice', 'listPrice'].find((each) => textIn(product, fieldsOf(each).amount) !== null);
  const errors = [...listAt(product, 'errors'), valueAt(product, 'error')].flatMap((error) => error ?? []);
  if (kind === undefined && errors.length > 0) throw new CarrierRejected(readProblems(errors, ERROR));
  return readQuote(product, fieldsOf(kind ?? 'listPrice'));
}

/** Of pick-up points: the country, and `type` without zeros in front. */
export const KINDS: Readonly<Record<'manned' | 'locker', readonly string[]>> = {
  manned: ['DK 85', 'SE 34', 'NO 4', 'NO 19', 'NO 21', 'NO 32', 'FI Posti', 'FI Noutopiste'],
  locker: ['DK 43', 'SE 39', 'NO 37', 'FI LOCKER'],
};

export const POINT: PointFields = {
  ...{ list: 'pickupPoint', id: 'id', name: 'name', countryCode: 'countryCode' }, // `unitId` may differ: `id` is booked
  street: ['visitingAddress', 'address'],
  postalCode: ['visitingPostalCode', 'postalCode'],
  city: ['visitingCity', 'city'],
  kilometres: 'distanceInKm',
  kindOf: (point, country) => {
    const type = `${country} ${textAt(point, 'type')?.replace(/^0+/, '')}`;
    return (['manned', 'locker'] as const).find((kind) => KINDS[kind].includes(type)) ?? null;
  },
  hoursOf: (point) => [textAt(point, 'openingHoursEnglish')],
};

/** Pick-up Point API. */
export async function pointsAtBring(api: BringApi, query: PickupPointQuery): Promise<readonly PickupPoint[]> {
  const answer = 'id' in query ? await api.point({ params: query }) : await api.pointsNear(toNear(query));
  return answer === null ? [] : readPoints(query, answer, POINT);
}

function toNear({ near: { street, ...params }, limit }: Extract<PickupPointQuery, { near: object }>) {
  return { params, query: { numberOfResponses: `${limit}`, ...streetQuery(street, ['street', 'streetNumber']) } };
}
