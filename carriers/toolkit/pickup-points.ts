import type { BookingRequest, PickupPoint, PickupPointQuery } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import type { Place } from './json.js';
import { textAt, unexpected } from './json.js';
import { readBefore } from './json-client.js';
import { inWords, refuseFor, when } from './preflight.js';
import { metresOf } from './units.js';

/** Where a carrier's answer has the parts of a pick-up point. Its simulator writes them to the same places. */
export interface PointFields {
  readonly id: string;
  readonly name: string;
  readonly street: Place;
  readonly postalCode: Place;
  readonly city: Place;
  /** Missing: all points are in `country`. */
  readonly countryCode?: string;
  readonly country?: string;
  /** The distance, in one of the two units. */
  readonly metres?: string;
  readonly kilometres?: string;
  /** Missing: the carrier does not say it in words that are known. */
  kindOf?(point: unknown, countryCode: string): PickupPoint['kind'];
  /** One text for each day. */
  hoursOf?(point: unknown): readonly (string | null)[];
}

/**
 * A pick-up point of an answer.
 * @param read finds a text in it; `textAt` of JSON when not given
 * @throws Error it has no id, name or country
 */
export function readPoint<Point>(
  point: Point,
  fields: PointFields,
  read: (point: Point, ...path: readonly string[]) => string | null = textAt,
): PickupPoint {
  const text = (place: Place | undefined): string | null => {
    const texts = [place ?? []].flat().map((path) => read(point, ...path.split('.')));
    return texts.find((each) => each !== null) ?? null;
  };
  const needed = (path: string): string => {
    const found = text(path);
    if (found === null) throw unexpected(point, path);
    return found;
  };
  const countryCode = fields.countryCode === undefined ? (fields.country ?? '') : needed(fields.countryCode);
  const metres = metresOf(text(fields.metres));
  return {
    ...{ id: needed(fields.id), name: needed(fields.name), countryCode },
    ...{ street: text(fields.street), postalCode: text(fields.postalCode), city: text(fields.city) },
    distanceM: metres === null ? metresOf(text(fields.kilometres)) : Math.round(metres / 1000),
    kind: fields.kindOf?.(point, countryCode) ?? null,
    openingHours: fields.hoursOf?.(point).filter(Boolean).join(', ') || null,
  };
}

/**
 * The pick-up points of a carrier that has them in some countries: outside these it is not asked. Of what it answers, at
 * most `limit` near an address, and by an id those in the country that was asked for.
 */
export function pickupPointsIn(
  countries: readonly string[],
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): (query: PickupPointQuery) => Promise<readonly PickupPoint[]> {
  return async (query) => {
    const country = 'near' in query ? query.near.countryCode : query.countryCode;
    if (!countries.includes(country)) return [];
    return pointsFor(query, await ask(query));
  };
}

/** Of the points that a carrier answers, at most `limit` near an address, and by an id those in the country that was asked for. */
export function pointsFor(query: PickupPointQuery, points: readonly PickupPoint[]): readonly PickupPoint[] {
  if ('near' in query) return points.slice(0, query.limit);
  return points.filter(({ countryCode }) => countryCode === query.countryCode);
}

/** As `pointsFor`, of a carrier that may answer other points than the one that was asked for by its id. */
export function pointsAmong(query: PickupPointQuery, points: readonly PickupPoint[]): readonly PickupPoint[] {
  return pointsFor(query, points).filter(({ id }) => 'near' in query || id === query.id);
}

/**
 * The pick-up point that a booking names, asked for before it is booked.
 * @param id `null`: it names none
 * @param ask `pickupPoints` of the account
 * @throws CarrierRejected it has none with this id in the recipient's country @throws CarrierUnavailable it cannot be asked
 */
export async function namedPoint(
  id: string | null,
  { recipient }: BookingRequest,
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): Promise<PickupPoint | null> {
  if (id === null) return null;
  const countryCode = recipient.address.countryCode ?? '';
  const [point] = await readBefore(ask({ id, countryCode }));
  const text = `The carrier has no pick-up point ${id} in ${countryCode}: choose the pick-up point again.`;
  if (point === undefined) throw new CarrierRejected(inWords(text, when(true, 'pick-up-point-missing')));
  return point;
}

/** The carrier may sort them otherwise. */
const NEAR = 50;

/**
 * The request with the pick-up point that is nearest to the recipient, where it names none.
 * @param request goes to a pick-up point
 * @param ask `pickupPoints` of the account
 * @throws CarrierRejected there is none near @throws CarrierUnavailable the carrier cannot be asked
 */
export async function withNearestPoint(
  request: BookingRequest,
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): Promise<BookingRequest> {
  if (request.pickUpPointId) return request;
  const { countryCode, postalCode, street } = request.recipient.address;
  const near = { countryCode: countryCode ?? '', postalCode: postalCode ?? '', street };
  const points = await readBefore(ask({ near, limit: NEAR }));
  const [nearest] = [...points].sort((a, b) => (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity));
  refuseFor(when(nearest === undefined, 'pick-up-point-missing'));
  return { ...request, pickUpPointId: nearest?.id ?? null };
}
