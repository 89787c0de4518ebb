import type { LabelForm } from '../../../carriers/contract/index.js';
import { CAPABILITIES, CAPABILITY_NAMES, type CapabilityName } from './capabilities.js';
import type { CarrierFacts, ServiceFacts } from './carrier-facts.js';

export const NOT_STATED = 'not stated';
const NO = '–';

/** A line of a table with a column for each carrier. */
export interface MatrixRow {
  readonly title: string;
  /** The methods and traits of the adapter that state it. */
  readonly members: readonly string[];
  readonly cells: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly rows: readonly MatrixRow[];
}

type CellOf = (carrier: CarrierFacts) => string;

/** The rows of the comparison of carriers, in words. */
export function matrixOf(carriers: readonly CarrierFacts[]): readonly Section[] {
  const row = ([title, cellOf, ...members]: readonly [string, CellOf, ...string[]]): MatrixRow => ({
    title,
    members,
    cells: carriers.map(cellOf),
  });
  const offers = CAPABILITY_NAMES.map((name) => row([CAPABILITIES[name], (carrier) => offer(carrier, name), name]));
  return [
    { title: 'What it can do', rows: offers },
    { title: 'Limits', rows: limitsFor(routeOf(carriers)).map(row) },
    { title: 'How sure a booking is', rows: SAFETY.map(row) },
  ];
}

const limitsFor = (route: string): readonly (readonly [string, CellOf, ...string[]])[] => [
  ['parcels in a booking', ({ limits }) => String(limits.parcels), 'maxParcels'],
  [`heaviest parcel ${route}`.trim(), weightOf, 'check'],
  ['characters in a reference', ({ limits }) => String(limits.referenceCharacters), 'maxReferenceLength'],
  ['parcels in a tracking call', (each) => (tracks(each) ? String(each.limits.trackedAtOnce) : NO), 'trackAtOnce'],
  [
    'tracking calls a day',
    (each) => (tracks(each) ? String(each.limits.trackingCallsPerDay ?? NOT_STATED) : NO),
    'trackCallsPerDay',
  ],
  ['label formats', ({ labels }) => listed(labels.map(({ format }) => format.toUpperCase())), 'labels'],
  ['label sizes (mm)', ({ labels }) => listed(labels.flatMap(sizeOf)) || NOT_STATED, 'labels'],
  ['return address', ({ takesReturnAddress }) => (takesReturnAddress ? 'yes' : NO), 'takesReturnAddress'],
  ['papers for customs', papersOf, 'customsPapers'],
];

const SAFETY: readonly (readonly [string, CellOf, ...string[]])[] = [
  ['the same reference again', ({ repeatedReference }) => REPEATED[repeatedReference], 'repeatedBooking'],
  ['answer to a booking is lost', ({ lostAnswer }) => LOST_ANSWER[lostAnswer], 'findByReference', 'repeatedBooking'],
  [
    'found by reference after',
    ({ foundAfterMs }) => (foundAfterMs === null ? NO : durationText(foundAfterMs)),
    'bookingVisibleAfterMs',
  ],
  ['confidence in these facts', ({ confidence }) => confidence?.level ?? NOT_STATED, 'confidence'],
];

function offer({ capabilities }: CarrierFacts, name: CapabilityName): string {
  const { offered, needsSetting } = capabilities[name];
  if (name === 'fetchLabels') return offered ? 'can be fetched' : 'with the answer';
  if (!offered) return NO;
  return needsSetting === null ? 'yes' : `with the setting ${needsSetting}`;
}

function tracks({ capabilities }: CarrierFacts): boolean {
  return capabilities.track.offered;
}

const PAPERS = {
  invoice: 'commercial invoice',
  postal: 'CN 22 or CN 23',
} as const satisfies Readonly<Record<NonNullable<CarrierFacts['customsPapers']>, string>>;

function papersOf({ customsPapers, postalServices }: CarrierFacts): string {
  if (customsPapers === null) return NO;
  const letters = postalServices.length > 0 ? `; letters: ${PAPERS.postal}` : '';
  return `${PAPERS[customsPapers]}${letters}`;
}

const REPEATED = {
  'returns-first': 'same booking',
  refused: 'refused',
  'books-again': 'booked again',
} as const satisfies Readonly<Record<CarrierFacts['repeatedReference'], string>>;

const LOST_ANSWER = {
  'looked-up': 'looked up',
  'sent-again': 'sent again',
  'left-to-a-person': 'a person looks',
} as const satisfies Readonly<Record<CarrierFacts['lostAnswer'], string>>;

const MINUTE_MS = 60_000;

function durationText(ms: number): string {
  return ms >= MINUTE_MS ? `${ms / MINUTE_MS} min` : `${ms / 1000} s`;
}

/** The route of the samples, when all of them have the same; otherwise no route is named. */
function routeOf(carriers: readonly CarrierFacts[]): string {
  const routes = new Set(carriers.map(({ limits }) => route(limits)));
  const [only = ''] = routes;
  return routes.size === 1 ? only : '';
}

function route({ weightsFrom, weightsTo }: CarrierFacts['limits']): string {
  return `(${weightsFrom} to ${weightsTo})`;
}

function weightOf({ limits, services }: CarrierFacts): string {
  const weights = services === null ? [limits.heaviestKg] : services.map(({ heaviestKg }) => heaviestKg);
  const known = [...new Set(weights.filter((weight) => weight !== null))].sort((a, b) => a - b);
  if (known.length === 0) return NOT_STATED;
  const isForAll = known.length === 1 && !weights.includes(null);
  return `${known.join(' or ')} kg${isForAll ? '' : ', by service'}`;
}

/** Each once. */
function listed(words: readonly string[]): string {
  return [...new Set(words)].join(', ');
}

function sizeOf({ widthMm, heightMm }: LabelForm): readonly string[] {
  return widthMm === undefined ? [] : [`${widthMm}×${heightMm}`];
}

/** For example `PDF, 100×150 mm`. */
export function formText(form: LabelForm): string {
  const [size] = sizeOf(form);
  return [
    form.format.toUpperCase(),
    size === undefined ? `size ${NOT_STATED}` : `${size} mm`,
    ...(form.dpi === undefined ? [] : [`${form.dpi} dpi`]),
    ...(form.services === undefined ? [] : [`only ${form.services.join(', ')}`]),
  ].join(', ');
}

/** Its name, with its own limit where the services differ in it. */
export function serviceText({ name, heaviestKg }: ServiceFacts, { services, limits }: CarrierFacts): string {
  const differ = services?.some((other) => other.heaviestKg !== heaviestKg);
  return heaviestKg === null || !differ ? name : `${name}, up to ${heaviestKg} kg ${route(limits)}`;
}

export function otherServices({ unknownServices }: CarrierFacts): string {
  return unknownServices === 'refused'
    ? 'Other codes are refused before anything is sent.'
    : 'Other codes are sent as the rule names them.';
}
