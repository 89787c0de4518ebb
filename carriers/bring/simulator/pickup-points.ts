import type { Reply, RouteContext, SimulatedPoint } from '../../toolkit/simulator/index.js';
import { json, simulatedPoints, text } from '../../toolkit/simulator/index.js';
import { COUNTRIES, KINDS } from '../pickup-points.js';

const DEFAULT_RESPONSES = '10';
const FILE = /\.json$/;

export function answerPointsNear({ params: { countryCode = '', file = '' }, query }: RouteContext): Reply {
  const { numberOfResponses = DEFAULT_RESPONSES } = query;
  if (!COUNTRIES.includes(countryCode) || !FILE.test(file)) return text('Not found', 404);
  const near = simulatedPoints({ limit: Number(numberOfResponses) });
  return json({ pickupPoint: near.map((point) => toBringPoint(point, countryCode, file.replace(FILE, ''))) });
}

export function answerPoint({ params: { countryCode = '', file = '' } }: RouteContext): Reply {
  const [point] = simulatedPoints({ id: file.replace(FILE, '') || 'none' });
  if (!COUNTRIES.includes(countryCode) || !point) return text('Not found', 404);
  return json({ pickupPoint: [toBringPoint(point, countryCode, '2600')] });
}

function toBringPoint(point: SimulatedPoint, countryCode: string, postalCode: string): unknown {
  const { id, name, street, city, kind, distanceM } = point;
  const types = [...KINDS].flatMap(([type, each]) => (each === kind ? [type.split(' ')] : []));
  const [, type = ''] = types.find(([country]) => country === countryCode) ?? [];
  return {
    ...{ id, unitId: id, name, address: street, postalCode, city, countryCode },
    ...{ visitingAddress: street, visitingPostalCode: postalCode, visitingCity: city },
    openingHoursEnglish: 'Mon - Fri: 1100-1800',
    distanceInKm: String(distanceM / 1000),
    type: type.padStart(3, '0'),
  };
}
