import { type ConsignmentState, isKnownState, traitsOf } from '../consignment/states.js';

/** What a state looks like: a shape, a tone, a word. `quiet`: it goes on by itself, or is done. */
export interface Shown {
  readonly word: string;
  readonly tone: 'quiet' | 'warn' | 'danger' | 'ok';
  /** The inside of an SVG of 16 by 16. */
  readonly shape: string;
}

const RING = '<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5"/>';
const DASHED =
  '<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.4 2.3"/>';
const STROKE = '<path d="M5 11 11 5" stroke="currentColor" stroke-width="1.5"/>';
const QUARTERS = [
  '',
  'M8 8V4a4 4 0 0 1 4 4Z',
  'M8 4a4 4 0 0 1 0 8Z',
  'M8 8V4a4 4 0 1 1-4 4Z',
  'M4 8a4 4 0 1 1 8 0 4 4 0 0 1-8 0Z',
];
const filled = (quarters: number) => `${RING}<path d="${QUARTERS[quarters] ?? ''}" fill="currentColor"/>`;
/** Cut out of what is filled. */
const hole = (path: string) => `<path d="${path}" fill="none" stroke="var(--surface)" stroke-width="1.6"/>`;

export const SHAPES = {
  tick: `<circle cx="8" cy="8" r="7" fill="currentColor"/>${hole('m5 8.2 2.2 2.2L11 6')}`,
  octagon: `<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z" fill="currentColor"/>${hole('m5.5 5.5 5 5m0-5-5 5')}`,
  triangle: `<path d="M8 1 15.5 15H.5Z" fill="currentColor"/>${hole('M8 6v4.4m0 1.4v1.6')}`,
  diamond: `<path d="M8 .5 15.5 8 8 15.5.5 8Z" fill="currentColor"/>${hole('M6.3 6.3a1.7 1.7 0 1 1 2.4 1.6q-.7.4-.7 1.2m0 1.2v1.4')}`,
  diamondOutline:
    '<path d="M8 1.2 14.8 8 8 14.8 1.2 8Z" fill="none" stroke="currentColor" stroke-width="1.4"/>' +
    '<path d="M6.3 6.3a1.7 1.7 0 1 1 2.4 1.6q-.7.4-.7 1.2m0 1.2v1.4" fill="none" stroke="currentColor" stroke-width="1.3"/>',
  waiting: `${RING}<path d="M6.4 5.5v5m3.2-5v5" stroke="currentColor" stroke-width="1.5"/>`,
  tried: `${RING}<path d="M8 4a4 4 0 0 1 0 8Z" fill="currentColor"/>`,
  cancelling: `${DASHED}${STROKE}`,
  cancelled: `${RING}${STROKE}`,
  skipped: `${DASHED}<path d="M5 8h6" stroke="currentColor" stroke-width="1.5"/>`,
} as const;

export const quiet = (word: string, shape: string): Shown => ({ word, tone: 'quiet', shape });

const STATES: Readonly<Record<ConsignmentState, Shown>> = {
  received: quiet('Received', filled(0)),
  planned: quiet('Planned', filled(1)),
  booking: quiet('Booking', filled(2)),
  booked: quiet('Booked', filled(3)),
  labelled: quiet('Labelled', filled(4)),
  'in-doubt': quiet('Unconfirmed', SHAPES.diamondOutline),
  closed: quiet('Closed', SHAPES.tick),
  cancelling: quiet('Cancelling', SHAPES.cancelling),
  cancelled: quiet('Cancelled', SHAPES.cancelled),
  skipped: quiet('Skipped', SHAPES.skipped),
  refused: { word: 'Refused', tone: 'danger', shape: SHAPES.octagon },
  incomplete: { word: 'Incomplete', tone: 'warn', shape: SHAPES.triangle },
};

export function wordOf(state: ConsignmentState): string {
  return STATES[state].word;
}

const WAITING = quiet('Waiting', SHAPES.waiting);
const UNCONFIRMED: Shown = { word: 'Unconfirmed', tone: 'warn', shape: SHAPES.diamond };
const FAILED: Shown = { word: 'Failed', tone: 'danger', shape: SHAPES.octagon };

export interface StateOfConsignment {
  readonly state: ConsignmentState;
  readonly needsOperator: boolean;
  readonly dueAt: Date | null;
  /** Of one that runs: what it waits for. */
  readonly reason?: string | null;
}

export function shownState(of: StateOfConsignment, now: Date): Shown {
  const { state, needsOperator, dueAt, reason = null } = of;
  if (needsOperator) return UNCONFIRMED;
  const isLater = dueAt !== null && dueAt.getTime() > now.getTime();
  const waits = (isLater || (reason !== null && !traitsOf(state).isEnd)) && state !== 'in-doubt';
  if (waits) return WAITING;
  return isKnownState(state) ? STATES[state] : quiet(state, filled(0));
}

/** What needs a person, by the kind of its cause. */
export const CAUSES = {
  'in-doubt': UNCONFIRMED,
  refused: STATES.refused,
  incomplete: STATES.incomplete,
  'failed-manifest': FAILED,
  'dead-letter': { ...FAILED, word: 'Not delivered' },
  'given-up': { ...STATES.incomplete, word: 'Not told' },
  'failed-callback': FAILED,
  'untold-worker': { ...STATES.incomplete, word: 'Not told' },
  'given-up-task': { ...STATES.incomplete, word: 'Given up' },
  'return-in-doubt': UNCONFIRMED,
} as const satisfies Readonly<Record<string, Shown>>;

export const CIRCUITS = {
  closed: quiet('Answers', SHAPES.tick),
  'half-open': { word: 'Being tried', tone: 'warn', shape: SHAPES.tried },
  open: { word: 'Does not answer', tone: 'danger', shape: SHAPES.octagon },
} as const satisfies Readonly<Record<string, Shown>>;

/** The circuit is closed, and bookings wait all the same: too few have failed to open it. */
export const SOME_FAIL: Shown = { word: 'Some fail', tone: 'warn', shape: SHAPES.tried };

export const GOOD: Shown = { word: 'Fine', tone: 'quiet', shape: SHAPES.tick };

/** The heading over the reason of a consignment. */
export function reasonHeading(state: ConsignmentState, { tone }: Shown): string {
  if (state === 'skipped') return 'Why';
  return tone === 'quiet' && !traitsOf(state).isEnd ? 'What it waits for' : 'What is wrong';
}
