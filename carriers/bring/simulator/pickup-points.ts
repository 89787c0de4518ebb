import type { Reply, RouteContext, SimulatedPoint } from '../../toolkit/simulator/index.js';
import { json, pointRow, simulatedPoints, text } from '../../toolkit/simulator/index.js';
import { COUNTRIES, KINDS, POINT } from '../pickup-points.js';

const FILE = /\.json$/;

export function answerPointsNear({ params: { countryCode = '', file = '' }, query }: RouteContext): Reply {
  if (!COUNTRIES.includes(countryCode) || !FILE.test(file)) return text('Not found', 404);
  const near = simulatedPoints({ limit: Number(query.numberOfResponses ?? '10') });
  return json({ pickupPoint: near.map((point) => toBringPoint(point, countryCode, file.replace(FILE, ''))) });
}

export function answerPoint({ params: { countryCode = '', file = '' } }: RouteContext): Reply {
  const [point] = simulatedPoints({ id: file.replace(FILE, '') || 'none' });
  if (!COUNTRIES.includes(countryCode) || !point) return text('Not found', 404);
  return json({ pickupPoint: [toBringPoint(point, countryCode, '2600')] });
}

function toBringPoint(point: SimulatedPoint, countryCode: string, postalCode: string): unknown {
  const types = [...KINDS].flatMap(([type, kind]) => (kind === point.kind ? [type.split(' ')] : []));
  const [, type = ''] = types.find(([country]) => country === countryCode) ?? [];
  return {
    ...pointRow(point, POINT, { postalCode, countryCode }),
    ...{ unitId: point.id, openingHoursEnglish: 'Mon - Fri: 1100-1800' },
    ...{ distanceInKm: String(point.distanceM / 1000), type: type.padStart(3, '0') },
  };
}
