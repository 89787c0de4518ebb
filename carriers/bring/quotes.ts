import type { BookingRequest, HttpAnswer, Parcel, Problem, Quote } from '../contract/index.js';
import { CarrierRejected, tryParseJson } from '../contract/index.js';
import { centimetresOf, listAt, neededList, problemOf, said, textAt, unexpected, valueAt } from '../toolkit/index.js';
import type { BringContext } from './booking.js';
import { shippingDateTime } from './booking.js';
import { productOf } from './services.js';

/** Shipping Guide API, version 2: prices and working days of products. */
export function toShippingGuideRequest(request: BookingRequest, { config, now }: BringContext) {
  const { sender, recipient } = request;
  const [year = '', month = '', day = ''] = shippingDateTime(request, now).slice(0, 10).split('-');
  const consignment = {
    id: '1',
    fromCountryCode: sender.address.countryCode ?? '',
    fromPostalCode: sender.address.postalCode ?? '',
    toCountryCode: recipient.address.countryCode ?? '',
    toPostalCode: recipient.address.postalCode ?? '',
    shippingDate: { year, month, day },
    packages: request.parcels.map(toPackage),
    products: [{ id: productOf(request).id, customerNumber: config.customerNumber }],
  };
  const wanted = { withPrice: true, withExpectedDelivery: true, withGuiInformation: false };
  return { language: 'en', ...wanted, edi: true, consignments: [consignment] };
}

function toPackage({ id, lengthMm, widthMm, heightMm, weightGrams }: Parcel) {
  const sides = { length: centimetresOf(lengthMm), width: centimetresOf(widthMm), height: centimetresOf(heightMm) };
  return { id, ...sides, grossWeight: Math.max(1, weightGrams) };
}

/**
 * The price of the agreement where the user may see it, else the one of the list; without VAT.
 * @throws CarrierRejected Bring has no such product on this way
 * @throws Error the answer has no price that can be read
 */
export function fromShippingGuide(json: unknown): Quote {
  const [product] = neededList(json, 'consignments', 0, 'products');
  const price = ['netPrice', 'listPrice'].map((kind) => priceIn(product, kind)).find((found) => found !== null);
  if (price) return { ...price, ...timeIn(product) };
  if (product !== undefined && errorsIn(product).length === 0) throw unexpected(product, 'a price');
  throw new CarrierRejected(product === undefined ? [NOT_OFFERED] : errorsIn(product));
}

const NOT_OFFERED = problemOf('not-offered', 'Bring does not offer this service between these places');

function priceIn(product: unknown, kind: string): Pick<Quote, 'amount' | 'currency'> | null {
  const price = valueAt(product, 'price');
  const amount = textAt(price, kind, 'priceWithAdditionalServices', 'amountWithoutVAT');
  const [currency = null] = said(...[valueAt(price, kind), price, product].map((at) => textAt(at, 'currencyCode')));
  if (amount === null || currency === null || !/^\d+(\.\d+)?$/.test(amount)) return null;
  return { amount, currency };
}

function timeIn(product: unknown): Pick<Quote, 'workingDays' | 'estimatedDelivery'> {
  const expected = valueAt(product, 'expectedDelivery');
  const workingDays = textAt(expected, 'workingDays') ?? '';
  const parts = ['year', 'month', 'day'].map((part) => textAt(expected, 'expectedDeliveryDate', part));
  const date = parts.map((part) => part?.padStart(2, '0') ?? '?').join('-');
  return {
    workingDays: /^\d+$/.test(workingDays) ? Number(workingDays) : null,
    estimatedDelivery: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null,
  };
}

/** What Bring says of one product. */
function errorsIn(product: unknown): readonly Problem[] {
  return [...listAt(product, 'errors'), valueAt(product, 'error')].flatMap((error) =>
    problemFrom(error, 'description'),
  );
}

/** `{ fieldErrors: [{ code, message, field }] }`, with status 400. */
export function shippingGuideProblems(answer: HttpAnswer): readonly Problem[] {
  return listAt(tryParseJson(answer.body), 'fieldErrors').flatMap((error) => problemFrom(error, 'message'));
}

function problemFrom(error: unknown, words: string): readonly Problem[] {
  const code = textAt(error, 'code');
  const text = textAt(error, words) ?? textAt(error, 'message') ?? code;
  return text === null ? [] : [problemOf(code, text)];
}
