import type { AuditEntry } from '../../access/audit-rows.js';
import type { Abilities } from '../../operator/carriers/abilities.js';
import type { AccountHistory, CarriersHistory } from '../../operator/carriers/history.js';
import { type Times, age, count, duration, percent, plural } from '../format.js';
import { CAUSES, CIRCUITS, GOOD, SOME_FAIL, type Shown } from '../shapes.js';
import { type Strip, stripOf } from './strip.js';

const MAY_FAIL = 0.05;

export interface HealthRow {
  readonly carrier: string;
  readonly account: string;
  /** The account, where it is not called as the carrier. */
  readonly ownName: string;
  readonly circuit: Shown;
  readonly strip: Strip;
  /** The same in words, for readers of screens. */
  readonly said: string;
  readonly note: string;
  readonly tone: Shown['tone'];
  readonly errors: string;
  readonly median: string;
  readonly p95: string;
  readonly callback: string;
  readonly waiting: string;
  readonly unconfirmed: string;
}

export function healthRow(history: AccountHistory, at: Date, times: Times): HealthRow {
  const { carrier, account, circuit, bars, recentErrors, medianMs, p95Ms, waiting, unconfirmed } = history;
  const time = (ms: number | null) => (ms === null ? '—' : duration(ms));
  const some = (value: number) => (value === 0 ? '—' : count(value));
  const mayWarn = recentErrors !== null && recentErrors > MAY_FAIL;
  return {
    ownName: account === plainName(carrier) ? '' : account,
    ...{
      carrier,
      account,
      circuit: failsSome(history) ? SOME_FAIL : CIRCUITS[circuit],
      strip: stripOf(bars),
      note: noteOf(history, times),
    },
    said: saidOf(history),
    tone: circuit === 'open' ? 'danger' : mayWarn || failsSome(history) ? 'warn' : 'quiet',
    ...{ errors: percent(recentErrors), median: time(medianMs), p95: time(p95Ms) },
    callback: heardOf(history, at),
    ...{ waiting: some(waiting), unconfirmed: some(unconfirmed) },
  };
}

/** As folders are called: `danske-fragtmaend`. */
function plainName(carrier: string): string {
  return carrier.toLowerCase().replaceAll('æ', 'ae').replaceAll('ø', 'oe').replaceAll('å', 'aa').replaceAll(' ', '-');
}

/** Carriers that call nobody are polled. */
function heardOf({ lastCallbackAt, lastPolledAt, refusesPolls }: AccountHistory, at: Date): string {
  // In a narrow column a line ends before the number, not behind it.
  const ago = (then: Date) => `${age(at.getTime() - then.getTime())} ago`.replaceAll(' ', '\u00a0');
  if (refusesPolls) return 'refuses the login';
  if (lastCallbackAt !== null) return ago(lastCallbackAt);
  return lastPolledAt === null ? '—' : `polled ${ago(lastPolledAt)}`;
}

function saidOf({ bars }: AccountHistory): string {
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  const calls = failed + bars.reduce((sum, bar) => sum + bar.answered, 0);
  return `${plural(calls, 'booking')} sent, ${count(failed)} without an answer`;
}

function failsSome({ circuit, waiting }: AccountHistory): boolean {
  return circuit === 'closed' && waiting > 0;
}

function noteOf(history: AccountHistory, times: Times): string {
  const { outage, answersSince, waiting } = history;
  if (failsSome(history))
    return `${plural(waiting, 'booking')} wait${waiting === 1 ? 's' : ''}; ${waiting === 1 ? 'it is tried again by itself' : 'they are tried again by themselves'}`;
  if (outage === null) return answersSince === null ? '' : `Answers again since ${times.time(answersSince)}`;
  const next = outage.nextTry === null ? 'Is being tried' : `Next try ${times.time(outage.nextTry)}`;
  return `Since ${times.time(outage.since)}. ${next}; bookings wait`;
}

/** `3 of 4 answer. PostNord does not; its 9 bookings wait by themselves.` */
export function carriersSentence({ accounts }: CarriersHistory): string {
  const down = accounts.filter(({ circuit }) => circuit !== 'closed');
  if (down.length === 0) return allAnswer(accounts);
  const waiting = down.reduce((sum, account) => sum + account.waiting, 0);
  const names = [...new Set(down.map(({ carrier }) => carrier))].join(', ');
  const wait = waiting === 1 ? '1 booking waits by itself.' : `${count(waiting)} bookings wait by themselves.`;
  return `${count(accounts.length - down.length)} of ${count(accounts.length)} accounts answer. Not ${names}${waiting === 0 ? '.' : `; ${wait}`}`;
}

function allAnswer(accounts: CarriersHistory['accounts']): string {
  const all = accounts.length === 1 ? 'It answers' : `All ${count(accounts.length)} accounts answer`;
  const failing = [...new Set(accounts.filter(failsSome).map(({ carrier }) => carrier))];
  return failing.length === 0 ? `${all}.` : `${all}, but bookings wait for ${failing.join(', ')}.`;
}

export interface AccountRow {
  readonly name: string;
  readonly carrier: string;
  readonly testable: boolean;
  /** `null`: it was not tested lately. */
  readonly lastTest: {
    readonly shown: Shown;
    readonly text: string;
    readonly time: string;
    readonly at: string;
  } | null;
}

/** @param tests the latest of each account */
export function accountRow(
  { account, carrier }: AccountHistory,
  testable: boolean,
  { tests, times }: { readonly tests: readonly AuditEntry[]; readonly times: Times },
): AccountRow {
  const test = tests.find(({ target }) => target === `accounts/${account}`);
  return { name: account, carrier, testable, lastTest: test === undefined ? null : testShown(test, times) };
}

function testShown({ result, detail, at, operator }: AuditEntry, times: Times): NonNullable<AccountRow['lastTest']> {
  const when = { time: `${times.time(at)}, ${operator ?? 'not known'}`, at: at.toISOString() };
  if (result === 'done') return { shown: { ...GOOD, word: 'Answers' }, text: detail ?? '', ...when };
  if (result === 'begun')
    return { shown: { ...CIRCUITS['half-open'], word: 'Begun' }, text: 'It did not end.', ...when };
  return { shown: { ...CAUSES.refused, word: 'Does not work' }, text: detail ?? '', ...when };
}

export interface AbilityRow {
  readonly title: string;
  /** One for each carrier; `null` of `can`: it is neither good nor bad. */
  readonly cells: readonly { readonly can: boolean | null; readonly words: string }[];
}

type Cell = AbilityRow['cells'][number];

const yesOrNo = (can: boolean): Cell => ({ can, words: can ? '' : 'no' });
const yes = (words: string): Cell => ({ can: true, words });
const no = (words = 'no'): Cell => ({ can: false, words });

const TWICE: Readonly<Record<Abilities['sameBookingTwice'], Cell>> = {
  'returns-first': yes('books once'),
  refused: yes('is refused'),
  'books-again': no('books twice'),
};

const ROWS: readonly (readonly [title: string, cell: (of: Abilities) => Cell])[] = [
  [
    'Parcels in one booking',
    ({ parcelsInBooking: many }) => ({ can: null, words: many === 1 ? '1 at a time' : count(many) }),
  ],
  [
    'Find by reference',
    ({ foundAfterMs }) => (foundAfterMs === null ? no('no: portal only') : yes(foundIn(foundAfterMs))),
  ],
  ['Same booking sent twice', ({ sameBookingTwice }) => TWICE[sameBookingTwice]],
  ['Label', ({ label }) => yes(label === 'fetched' ? 'can be fetched' : 'only in the answer')],
  ['Cancel', ({ cancels }) => yesOrNo(cancels)],
  ['Return label', ({ returnLabels }) => yesOrNo(returnLabels)],
  ['Price before booking', ({ quotes }) => yesOrNo(quotes)],
  ['Checks before packing', ({ checks }) => yesOrNo(checks)],
  ['Tracking by polling', ({ polled }) => (polled === null ? no() : yes(polledIn(polled)))],
  ['Tracking by callback', ({ callsBack }) => yesOrNo(callsBack)],
  ['Manifest close-out', ({ closesOut }) => yesOrNo(closesOut)],
];

export function abilityRows(carriers: readonly Abilities[]): readonly AbilityRow[] {
  return ROWS.map(([title, cell]) => ({ title, cells: carriers.map(cell) }));
}

function foundIn(ms: number): string {
  return ms === 0 ? 'at once' : `after ${duration(ms)}`;
}

function polledIn({ atOnce, perDay }: NonNullable<Abilities['polled']>): string {
  const words = [
    atOnce === 1 ? '1 at a time' : `${count(atOnce)} at a time`,
    perDay === null ? '' : `${count(perDay)} a day`,
  ];
  return words.filter((each) => each !== '').join(', ');
}
