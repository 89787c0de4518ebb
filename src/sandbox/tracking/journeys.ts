import type { TrackingStatus } from '../../../carriers/contract/tracking.js';

interface Step {
  /** Hours of the parcel's simulated time since its booking. */
  readonly hour: number;
  readonly status: TrackingStatus;
  readonly place: string;
}

const SENT: readonly Step[] = [
  { hour: 0, status: 'registered', place: '' },
  { hour: 6, status: 'handed-over', place: 'Warehouse' },
  { hour: 12, status: 'in-transit', place: 'Terminal' },
];

const TAKEN_ROUND: readonly Step[] = [...SENT, { hour: 26, status: 'out-for-delivery', place: 'Depot' }];

const NOBODY_HOME: readonly Step[] = [...TAKEN_ROUND, { hour: 30, status: 'delivery-failed', place: 'Door' }];

/** The journeys that a parcel can take. */
const JOURNEYS = {
  delivered: [...TAKEN_ROUND, { hour: 30, status: 'delivered', place: 'Door' }],
  'second-try': [
    ...NOBODY_HOME,
    { hour: 50, status: 'out-for-delivery', place: 'Depot' },
    { hour: 54, status: 'delivered', place: 'Door' },
  ],
  'pick-up-point': [
    ...SENT,
    { hour: 28, status: 'at-pickup-point', place: 'Shop' },
    { hour: 50, status: 'delivered', place: 'Shop' },
  ],
  customs: [
    ...SENT,
    { hour: 30, status: 'customs', place: 'Border' },
    { hour: 60, status: 'in-transit', place: 'Terminal abroad' },
    { hour: 80, status: 'delivered', place: 'Door' },
  ],
  returned: [...NOBODY_HOME, { hour: 80, status: 'returned', place: 'Terminal' }],
  lost: [...SENT, { hour: 90, status: 'lost-or-damaged', place: 'Terminal' }],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type JourneyName = keyof typeof JOURNEYS;

export const JOURNEY_NAMES: readonly [JourneyName, ...JourneyName[]] = [
  'delivered',
  'second-try',
  'pick-up-point',
  'customs',
  'returned',
  'lost',
];

/** Shares of the journeys, in per cent, among parcels without a planned journey. */
const SHARES: readonly (readonly [JourneyName, number])[] = [
  ['delivered', 60],
  ['pick-up-point', 22],
  ['second-try', 9],
  ['returned', 4],
  ['customs', 4],
  ['lost', 1],
];

/** @param chance from 0 (inclusive) to 1 (exclusive) */
export function journeyBy(chance: number): JourneyName {
  let left = chance * 100;
  for (const [name, share] of SHARES) {
    if (left < share) return name;
    left -= share;
  }
  return 'delivered';
}

/** The random deviation of the time between two steps, as a fraction of it in either direction. */
const SPREAD = 0.25;

/** The steps of a journey with their random times, in hours since the booking. The steps keep their order. */
export function timetable(
  name: JourneyName,
  chance: () => number,
): readonly (Pick<Step, 'status' | 'place'> & { readonly hours: number })[] {
  let hours = 0;
  let before = 0;
  return JOURNEYS[name].map(({ hour, status, place }) => {
    hours += (hour - before) * (1 + SPREAD * (2 * chance() - 1));
    before = hour;
    return { hours, status, place };
  });
}
