import type { BookingRequest, PickupPoint, PickupPointQuery } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import type { Place } from './json.js';
import { neededList, textAt, unexpected, valueAt } from './json.js';
import { readBefore } from './json-client.js';
import { inWords, plainPostalCode, refuseFor, when } from './preflight.js';
import { said } from './text.js';
import { metresOf } from './units.js';

/** Where a carrier's answer has the parts of a pick-up point. Its simulator writes them to the same places. */
export interface PointFields {
  /** Where an answer has its points; missing: the answer is the list of them. */
  readonly list?: string;
  readonly id: string;
  readonly name: string;
  /** The object of the point that holds its address, of several the first one that is there; missing: the point itself. */
  readonly address?: Place;
  /** The names of the street and of its number with a blank between them, where the carrier has both. */
  readonly street: Place;
  readonly postalCode: Place;
  readonly city: Place;
  /** Missing: all points are in `country`. */
  readonly countryCode?: string;
  readonly country?: string;
  /** The distance, in one of the two units. */
  readonly metres?: string;
  readonly kilometres?: string;
  /** The field with the carrier's code for the kind of a point, and its codes for each kind, without zeros in front. */
  readonly kinds?: Readonly<Record<'manned' | 'locker', readonly string[]>> & { readonly at: string };
  /** The kind of all points. Missing beside `kinds`: the carrier does not say it in words that are known. */
  readonly kind?: 'manned' | 'locker';
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
  const textOf = (part: Place | undefined, within: Point): string | null => {
    const texts = [part ?? []].flat().map((names) => {
      return said(...names.split(' ').map((path) => read(within, ...path.split('.')))).join(' ');
    });
    return texts.find((each) => each !== '') ?? null;
  };
  const needed = (path: string, within: Point): string => {
    const found = textOf(path, within);
    if (found === null) throw unexpected(point, path);
    return found;
  };
  const place = withAddress(point, [fields.address ?? []].flat());
  const countryCode = fields.countryCode === undefined ? (fields.country ?? '') : needed(fields.countryCode, place);
  const metres = metresOf(textOf(fields.metres, point));
  return {
    ...{ id: needed(fields.id, point), name: needed(fields.name, point), countryCode },
    street: textOf(fields.street, place),
    ...{ postalCode: textOf(fields.postalCode, place), city: textOf(fields.city, place) },
    distanceM: metres === null ? metresOf(textOf(fields.kilometres, point)) : Math.round(metres / 1000),
    kind: kindIn(fields, (path) => textOf(path, point)),
    openingHours: fields.hoursOf?.(point).filter(Boolean).join(', ') || null,
  };
}

function kindIn({ kind, kinds }: PointFields, codeAt: (path: string) => string | null): PickupPoint['kind'] {
  const code = kinds && codeAt(kinds.at)?.replace(/^0+(?=\d)/, '');
  return (['manned', 'locker'] as const).find((each) => code && kinds?.[each].includes(code)) ?? kind ?? null;
}

/** The parts of the address beside those of the point. */
function withAddress<Point>(point: Point, paths: readonly string[]): Point {
  if (paths.length === 0) return point;
  const addresses = paths.map((path) => valueAt(point, ...path.split('.')));
  return { ...point, ...Object(addresses.find((each) => each !== undefined && each !== null)) };
}

/**
 * The pick-up points of an answer that `pointsFor` lets through.
 * @param answer `null`: the carrier has none with the id that was asked for
 * @throws Error it has no list of them, or one as `readPoint`
 */
export function readPoints(query: PickupPointQuery, answer: unknown, fields: PointFields): readonly PickupPoint[] {
  if (answer === null && 'id' in query) return [];
  const rows = neededList(answer, ...(fields.list?.split('.') ?? []));
  return pointsFor(
    query,
    rows.map((row) => readPoint(row, fields)),
  );
}

/**
 * The pick-up points of a carrier that has them in some countries: outside these it is not asked. A postal code goes without
 * the country before it. Of what it answers, at most `limit` near an address, and by an id those in the country that was
 * asked for.
 */
export function pickupPointsIn(
  countries: readonly string[],
  ask: (query: PickupPointQuery) => Promise<readonly PickupPoint[]>,
): (query: PickupPointQuery) => Promise<readonly PickupPoint[]> {
  return async (query) => {
    const country = 'near' in query ? query.near.countryCode : query.countryCode;
    if (!countries.includes(country)) return [];
    return pointsFor(query, await ask(withPlainPostalCode(query)));
  };
}

/** The search of a carrier, asked by postal codes without the country before them. */
export function byPlainPostalCode(ask: PointSearch): PointSearch {
  return (query) => ask(withPlainPostalCode(query));
}

type PointSearch = (query: PickupPointQuery) => Promise<readonly PickupPoint[]>;

function withPlainPostalCode(query: PickupPointQuery): PickupPointQuery {
  if ('id' in query) return query;
  const { near } = query;
  return { ...query, near: { ...near, postalCode: plainPostalCode(near) } };
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
  const { countryCode, street } = request.recipient.address;
  const near = { countryCode: countryCode ?? '', postalCode: plainPostalCode(request.recipient.address) ?? '', street };
  const points = await readBefore(ask({ near, limit: NEAR }));
  const [nearest] = [...points].sort((a, b) => (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity));
  refuseFor(when(nearest === undefined, 'pick-up-point-missing'));
  return { ...request, pickUpPointId: nearest?.id ?? null };
}
