import { listAt, numberAt, textAt, valueAt } from '../../toolkit/index.js';
import type { Reply, RouteContext, SimulatedPoint } from '../../toolkit/simulator/index.js';
import { breachesOf, coded, isFilled, json, pointRow, simulatedPoints, text } from '../../toolkit/simulator/index.js';
import { KINDS, POINT } from '../questions.js';
import { NORDIC } from '../services.js';
import { PRODUCTS } from './rules.js';

const PLACES = ['fromCountryCode', 'fromPostalCode', 'toCountryCode', 'toPostalCode'];

/** The answer of the Shipping Guide as the simulator makes prices: by weight, and dearer across borders. */
export function answerQuote({ body }: RouteContext): Reply {
  const consignment = valueAt(body, 'consignments', 0);
  const missing = breachesOf(consignment, [[coded(isFilled, 'REQUIRED', 'is required'), ...PLACES]]);
  const fieldErrors = missing.map(({ rule, field }) => ({ code: rule.code, message: `${field} ${rule.text}`, field }));
  if (fieldErrors.length > 0) return json({ fieldErrors }, 400);
  const products = listAt(consignment, 'products').map((product) => toProduct(consignment, product));
  return json({ consignments: [{ products }], traceMessages: [], uniqueId: 'simulated' });
}

function toProduct(consignment: unknown, product: unknown): unknown {
  const id = textAt(product, 'id') ?? '';
  if (!PRODUCTS.has(id)) return { id, errors: [{ code: 'INVALID_PRODUCT', description: `Invalid product ${id}` }] };
  const weights = listAt(consignment, 'packages').map((each) => numberAt(each, 'grossWeight') ?? 0);
  const grams = weights.reduce((sum, each) => sum + each, 0);
  const abroad = textAt(consignment, 'fromCountryCode') !== textAt(consignment, 'toCountryCode');
  const kroner = 45 + 4 * Math.ceil(grams / 1000) + (abroad ? 60 : 0);
  const amounts = { amountWithoutVAT: `${kroner}.00`, vat: `${kroner / 4}`, amountWithVAT: `${kroner * 1.25}` };
  const days = abroad ? 3 : 1;
  return {
    id,
    price: { netPrice: { priceWithAdditionalServices: amounts, currencyCode: 'DKK' } },
    expectedDelivery: { workingDays: `${days}`, expectedDeliveryDate: dateAfter(consignment, days) },
  };
}

function dateAfter(consignment: unknown, days: number): unknown {
  const partOf = (name: string) => Number(textAt(consignment, 'shippingDate', name));
  const date = new Date(Date.UTC(partOf('year'), partOf('month') - 1, partOf('day') + days));
  return { year: `${date.getUTCFullYear()}`, month: `${date.getUTCMonth() + 1}`, day: `${date.getUTCDate()}` };
}

export function answerPointsNear({ params: { countryCode = '', postalCode = '' }, query }: RouteContext): Reply {
  const points = simulatedPoints({ limit: Number(query.numberOfResponses ?? '10') });
  return answerPoints(points, { countryCode, postalCode });
}

export function answerPoint({ params: { countryCode = '', id = '' } }: RouteContext): Reply {
  return answerPoints(simulatedPoints({ id }), { countryCode, postalCode: '2600' });
}

function answerPoints(points: readonly SimulatedPoint[], at: Parameters<typeof pointRow>[2]): Reply {
  if (!NORDIC.includes(at.countryCode) || points.length === 0) return text('Not found', 404);
  const pickupPoint = points.map((point) => {
    const [, type = ''] = KINDS[point.kind].find((each) => each.startsWith(at.countryCode))?.split(' ') ?? [];
    const own = { unitId: point.id, openingHoursEnglish: 'Mon - Fri: 1100-1800', type: type.padStart(3, '0') };
    return { ...pointRow(point, POINT, at), ...own, distanceInKm: `${point.distanceM / 1000}` };
  });
  return json({ pickupPoint });
}
