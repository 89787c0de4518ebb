import { listAt, numberAt, textAt, valueAt } from '../../toolkit/index.js';
import type { Reply } from '../../toolkit/simulator/index.js';
import { json } from '../../toolkit/simulator/index.js';
import { PRODUCTS } from './rules.js';

const DAY_MS = 86_400_000;

/** The answer of the Shipping Guide as the simulator makes prices: by weight, and dearer across borders. */
export function shippingGuideAnswer(body: unknown): Reply {
  const consignment = valueAt(body, 'consignments', 0);
  const needed = ['fromCountryCode', 'fromPostalCode', 'toCountryCode', 'toPostalCode'];
  const missing = needed.filter((field) => textAt(consignment, field) === null);
  if (missing.length > 0) {
    const fieldErrors = missing.map((field) => ({ code: 'REQUIRED', message: `${field} is required`, field }));
    return json({ fieldErrors }, 400);
  }
  const products = listAt(consignment, 'products').map((product) => toProduct(consignment, product));
  return json({ consignments: [{ products }], traceMessages: [], uniqueId: 'simulated' });
}

function toProduct(consignment: unknown, product: unknown): unknown {
  const id = textAt(product, 'id') ?? '';
  if (!PRODUCTS.has(id)) return { id, errors: [{ code: 'INVALID_PRODUCT', description: `Invalid product ${id}` }] };
  const grams = listAt(consignment, 'packages').reduce<number>(
    (sum, each) => sum + (numberAt(each, 'grossWeight') ?? 0),
    0,
  );
  const abroad = textAt(consignment, 'fromCountryCode') !== textAt(consignment, 'toCountryCode');
  const kroner = 45 + 4 * Math.ceil(grams / 1000) + (abroad ? 60 : 0);
  const amounts = { amountWithoutVAT: `${kroner}.00`, vat: `${kroner / 4}`, amountWithVAT: `${kroner * 1.25}` };
  const workingDays = abroad ? 3 : 1;
  return {
    id,
    price: { netPrice: { priceWithAdditionalServices: amounts, currencyCode: 'DKK' } },
    expectedDelivery: { workingDays: String(workingDays), expectedDeliveryDate: dateAfter(consignment, workingDays) },
  };
}

function dateAfter(consignment: unknown, days: number): unknown {
  const [year, month, day] = ['year', 'month', 'day'].map((part) =>
    Number(textAt(consignment, 'shippingDate', part) ?? ''),
  );
  const date = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1) + days * DAY_MS);
  return {
    year: String(date.getUTCFullYear()),
    month: String(date.getUTCMonth() + 1),
    day: String(date.getUTCDate()),
  };
}
