import type { BookingRequest, PickupPoint, PickupPointQuery, Quote } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { type PointFields, type QuoteFields, centimetresOf, listAt, neededList, notOffered } from '../toolkit/index.js';
import { plainPostalCode, readPoints, readProblems, readQuote, streetQuery } from '../toolkit/index.js';
import { textAt, textIn, timeOfSending, valueAt } from '../toolkit/index.js';
import { type BringApi, ERROR } from './api.js';
import type { BringContext } from './booking.js';
import { productOf } from './services.js';

/** Shipping Guide API, version 2: prices and working days of products. */
export function toShippingGuide(request: BookingRequest, { config, now }: BringContext) {
  const [from, to] = [request.sender.address, request.recipient.address];
  const [year = '', month = '', day = ''] = timeOfSending(request, now).slice(0, 10).split('-');
  const consignment = {
    id: '1',
    ...{ fromCountryCode: from.countryCode ?? '', fromPostalCode: plainPostalCode(from) ?? '' },
    ...{ toCountryCode: to.countryCode ?? '', toPostalCode: plainPostalCode(to) ?? '' },
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

/** The price of the agreement where the user may see it, else the one of the list. */
const PRICES = ['price.netPrice', 'price.listPrice'];
const QUOTE: QuoteFields = {
  amount: PRICES.map((price) => `${price}.priceWithAdditionalServices.amountWithoutVAT`),
  currency: [...PRICES.map((price) => `${price}.currencyCode`), 'price.currencyCode', 'currencyCode'],
  workingDays: 'expectedDelivery.workingDays',
  dayOf: (product) => {
    const date = valueAt(product, 'expectedDelivery', 'expectedDeliveryDate');
    return ['year', 'month', 'day'].map((part) => textAt(date, part)?.padStart(2, '0')).join('-');
  },
};

/**
 * @throws CarrierRejected Bring has no such product on this way
 * @throws Error the answer has no price that can be read
 */
export function fromShippingGuide(json: unknown): Quote {
  const [product] = neededList(json, 'consignments', 0, 'products');
  if (product === undefined) throw notOffered('Bring');
  const errors = [...listAt(product, 'errors'), valueAt(product, 'error')].flatMap((error) => error ?? []);
  if (textIn(product, QUOTE.amount) === null && errors.length > 0)
    throw new CarrierRejected(readProblems(errors, ERROR));
  return readQuote(product, QUOTE);
}

export const POINT: PointFields = {
  ...{ list: 'pickupPoint', id: 'id', name: 'name', countryCode: 'countryCode' }, // `unitId` may differ: `id` is booked
  street: ['visitingAddress', 'address'],
  postalCode: ['visitingPostalCode', 'postalCode'],
  city: ['visitingCity', 'city'],
  kilometres: 'distanceInKm',
  // of Denmark, Sweden, Norway and Finland
  kinds: {
    at: 'type',
    manned: ['85', '34', '4', '19', '21', '32', 'Posti', 'Noutopiste'],
    locker: ['43', '39', '37', 'LOCKER'],
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
