import type { Place } from '../json.js';
import type { PointFields } from '../pickup-points.js';
import { streetAndNumber } from '../text.js';
import { withValue } from './answer-rows.js';

/** A pick-up point of a simulated carrier. */
export interface SimulatedPoint {
  readonly id: string;
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly kind: 'manned' | 'locker';
  readonly distanceM: number;
  readonly postalCode: string;
  readonly countryCode: string;
}

const PLACE = { city: 'Testby', postalCode: '2600', countryCode: 'DK' };

/** Nearest first; they are the same near every address. */
export const SIMULATED_POINTS: readonly SimulatedPoint[] = [
  { id: '700001', name: 'Testkiosken', street: 'Butiksvej 3', ...PLACE, kind: 'manned', distanceM: 640 },
  { id: '700002', name: 'Pakkeboks 7', street: 'Stationsvej 1', ...PLACE, kind: 'locker', distanceM: 1_100 },
  { id: '700003', name: 'Prøvehandel', street: 'Torvet 12', ...PLACE, kind: 'manned', distanceM: 2_350 },
];

/** What a question for pick-up points says. */
interface PointsQuery {
  readonly id?: string | undefined;
  readonly limit?: number | string | undefined;
  readonly postalCode?: string | undefined;
  readonly countryCode?: string | undefined;
}

/** The point with an id, or the nearest ones, with the postal code and the country that were asked for. */
export function simulatedPoints({ id, limit = Infinity, ...near }: PointsQuery): readonly SimulatedPoint[] {
  const { postalCode = PLACE.postalCode, countryCode = PLACE.countryCode } = near;
  const found = id ? SIMULATED_POINTS.filter((point) => point.id === id) : SIMULATED_POINTS.slice(0, Number(limit));
  return found.map((point) => ({ ...point, postalCode, countryCode }));
}

/** A simulated point as the carrier writes it, with its parts where `readPoint` looks for them. */
export function pointRow(
  { id, name, street, distanceM, city, postalCode, countryCode, kind }: SimulatedPoint,
  fields: PointFields,
): Readonly<Record<string, unknown>> {
  const ofPoint = { id, name, metres: distanceM, kilometres: distanceM / 1000 };
  const ofAddress = { street, city, postalCode, countryCode };
  const within = [fields.address ?? []].flat().map((path) => `${path}.`);
  const { kinds } = fields;
  const places: readonly (readonly [path: string, value: unknown])[] = [
    ...(kinds ? [[kinds.at, kinds[kind][0]] as const] : []),
    ...placesOf(ofPoint, fields),
    ...(within.length === 0 ? [''] : within).flatMap((address) => placesOf(ofAddress, fields, address)),
  ];
  return places.reduce((row, [path, value]) => withValue(row, path.split('.'), value), {});
}

/** Pairs each path of a part with its value; a place of two names takes the street and its number. */
function placesOf(parts: Readonly<Partial<Record<keyof PointFields, unknown>>>, fields: PointFields, within = '') {
  return Object.entries(parts).flatMap(([part, value]) =>
    [(fields[part as keyof PointFields] as Place | undefined) ?? []].flat().flatMap((place) => {
      const names = place.split(' ');
      const values = names.length === 1 ? [value] : streetAndNumber(String(value));
      return names.map((name, index) => [within + name, values[index]] as const);
    }),
  );
}
