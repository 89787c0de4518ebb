import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { bookingsChart, labelsChart } from '../../src/dashboard/today/charts.js';
import { todayOf } from '../../src/dashboard/today/today.js';
import { areaChoiceOf, hrefOf } from '../../src/dashboard/area-choice.js';
import { deedsOf, resultOf } from '../../src/dashboard/consignments/deeds.js';
import { resolutionIn } from '../../src/dashboard/consignments/actions.js';
import {
  type ListedConsignment,
  type WholeConsignment,
  rowOf,
  wholeOf,
} from '../../src/dashboard/consignments/view.js';
import { age, duration, percent, plural, timesIn } from '../../src/dashboard/format.js';
import { listAddress, askedIn, chipsOf, viewsOf } from '../../src/dashboard/consignments/list-query.js';
import { healthRow, carriersSentence } from '../../src/dashboard/carriers/view.js';
import { answersIn, judge, outdatedIn } from '../../src/dashboard/needs-a-person/answers.js';
import { answerRows } from '../../src/dashboard/needs-a-person/list-view.js';
import { fillIn } from '../../src/dashboard/needs-a-person/answers-table.js';
import { decisionOf, groupsOf } from '../../src/dashboard/needs-a-person/causes.js';
import { refusedIn } from '../../src/dashboard/needs-a-person/became.js';
import { parcelShown } from '../../src/dashboard/inbox/parcel-view.js';
import { shownState } from '../../src/dashboard/shapes.js';
import { inShort } from '../../src/dashboard/short-reason.js';
import type { AccountHistory } from '../../src/operator/carriers/history.js';
import type { Cause } from '../../src/operator/overview/causes.js';
import type { Overview } from '../../src/operator/overview/overview.js';
import type { ParcelView } from '../../src/tracking/parcels/tracking-queries.js';
import type { OpenBooking } from '../../src/operator/needs-a-person/bookings.js';
import { isSentSince } from '../../src/consignment/machine/operator.js';

describe('numbers and times', () => {
  it.each([
    ['71 ms', 71],
    ['1.4 s', 1_400],
    ['52 s', 52_000],
    ['52 min', 52 * 60_000],
    ['1 h 05 min', 65 * 60_000],
    ['3 d', 75 * 3_600_000],
  ])('%s', (words, ms) => expect(duration(ms)).toBe(words));

  it.each([
    ['1 s', 12],
    ['9 s', 9_400],
    ['52 min', 52 * 60_000],
  ])('%s ago', (words, ms) => expect(age(ms)).toBe(words));

  it.each([
    ['—', null],
    ['0 %', 0],
    ['0.2 %', 0.002],
    ['100 %', 1],
  ])('%s', (words, share) => expect(percent(share)).toBe(words));

  it.each([
    ['1 booking', 1],
    ['0 bookings', 0],
    ['1,820 bookings', 1_820],
  ])('%s', (words, value) => expect(plural(value, 'booking')).toBe(words));

  it('times are in the zone of the area; of another day they have the day', () => {
    const { time, moment } = timesIn('Europe/Copenhagen', new Date('2026-11-27T16:04:00Z'));
    expect(time(new Date('2026-11-27T15:42:07Z'))).toBe('16:42:07');
    expect(time(new Date('2026-11-26T23:42:07Z'))).toBe('00:42:07');
    expect(time(new Date('2026-11-26T15:42:07Z'))).toBe('26 Nov 16:42');
    expect(moment(new Date('2026-11-27T16:04:00Z'))).toBe('Fri 27 Nov, 17:04 Copenhagen');
  });
});

describe('the charts of Today', () => {
  const times = timesIn('Europe/Copenhagen', new Date('2026-11-27T16:04:00Z'));
  const none = { booked: 0, incomplete: 0, refused: 0, inDoubt: 0, underWay: 0, cancelled: 0, skipped: 0 };
  const hour = (from: string, byOutcome: Partial<typeof none>) => ({
    ...{ from: new Date(from), total: 0, byOutcome: { ...none, ...byOutcome } },
  });

  it('stack what is booked, what is not sure, and what was refused, with totals: what is under way is none of these', () => {
    const hours = [
      hour('2026-11-27T15:00:00Z', { booked: 1_000, incomplete: 2, inDoubt: 1, refused: 5, cancelled: 7 }),
      hour('2026-11-27T16:00:00Z', { booked: 4, underWay: 3 }),
    ];
    const { rows, totals } = bookingsChart(hours, [], times);
    expect(rows.map(({ hour: of, cells }) => [of, ...cells.map(({ value }) => value)])).toEqual([
      ['16', 1_000, 3, 5],
      ['17', 4, 0, 0],
    ]);
    expect(totals).toEqual({ booked: '1,004', warn: '3', refused: '5' });
  });

  it('name outages in the hour in which they began, each carrier once', () => {
    const since = new Date('2026-11-27T15:08:00Z');
    const down = (carrier: string, at = since) => ({ carrier, lastOutage: { since: at, until: null } });
    const hours = [hour('2026-11-27T14:00:00Z', {}), hour('2026-11-27T15:00:00Z', {})];
    const accounts = [
      down('DAO', new Date('2026-11-27T15:30:00Z')),
      down('GLS'),
      down('GLS'),
      { carrier: 'Bring', lastOutage: null },
    ];
    expect(bookingsChart(hours, accounts, times).rows.map(({ note }) => note)).toEqual([
      '',
      'GLS down 16:08, DAO down 16:30',
    ]);
  });

  it('have no value where no label was made', () => {
    const [row] = labelsChart([{ from: new Date('2026-11-27T15:00:00Z'), medianMs: 900, p95Ms: null }], times).rows;
    expect(row?.cells).toEqual([
      { value: 900, words: '900 ms' },
      { value: null, words: '—' },
    ]);
  });
});

describe('the sentence of Today', () => {
  const at = new Date('2026-03-04T12:00:00Z');
  const none = { bookings: 0, count: 0, more: false, parcelsCannotLeave: [], notTold: [] };
  const today = (waitingFor: Readonly<Record<string, number>>, bookings = 0) => {
    const underWay = { count: 9, oldestAt: at, waitingFor };
    const timeToLabel = { medianMs: null, p95Ms: null, labels: 0, perHour: [] };
    const rest = { at, area: null, bookingsPerHour: [], timeToLabel, carriers: [], limits: [] };
    const history = { at, since: at, reachesTo: null, accounts: [] };
    return todayOf({ ...rest, needsPerson: { ...none, bookings }, underWay }, history, timesIn('UTC', at));
  };

  it.each([
    ['Everything ships', {}, '0', false],
    ['Nothing needs a person', { carrier: 4, limit: 1 }, '5', false],
    ['The IMS does not accept us', { carrier: 4, 'ims-key': 2 }, '4', true],
  ] as const)('is “%s”', (...[sentence, waitingFor, waiting, isRefused]) => {
    const { figures, refusedUs, ...shown } = today(waitingFor);
    expect([shown.sentence, figures.at(-1)?.value, refusedUs !== null]).toEqual([sentence, waiting, isRefused]);
  });

  it('stands above figures with names of their own: a view of the list that is called alike would count other bookings', () => {
    const { filter } = askedIn({ url: '/consignments', originalUrl: '/consignments', query: {} } as Request);
    const views = viewsOf(filter).map(({ name }) => name);
    const figures = today({}).figures.map(({ name }) => name);
    expect(figures.filter((name) => views.includes(name))).toEqual([]);
    expect(views).toContain('Refused');
  });

  it('is about bookings first, and says below it what to do about a key', () => {
    expect(today({ 'ims-client': 1 }, 3)).toMatchObject({
      sentence: '3 bookings need a person',
      refusedUs: { text: expect.stringMatching(/^1 booking waits, since .*Get a new one/) },
    });
  });
});

describe('the sentence below that of Today', () => {
  const at = new Date('2026-03-04T12:00:00Z');
  const below = (bookings: number, first: number, more = false) => {
    const cause = { ...{ kind: 'refused', reason: 'no', area: '1', account: 'gls', count: first }, named: [], ids: [] };
    const needsPerson = { bookings, more, parcelsCannotLeave: [{ ...cause, id: 'x', oldestAt: at }], notTold: [] };
    const timeToLabel = { medianMs: null, p95Ms: null, perHour: [] };
    const rest = { ...{ at, bookingsPerHour: [], carriers: [], limits: [] }, timeToLabel };
    const overview = { ...rest, needsPerson, underWay: { count: 0, waitingFor: {} } } as unknown as Overview;
    return todayOf(overview, { at, since: at, reachesTo: null, accounts: [] }, timesIn('UTC', at)).below;
  };

  it.each([
    ['counts those of the first cause', '4 of them have one cause.', 7, 4, false],
    ['says so when all have one cause', 'All of them have one cause.', 4, 4, false],
    ['counts them where there are more than are sorted', '2,000 of them have one cause.', 2_000, 2_000, true],
    ['says nothing of one booking', '', 1, 1, false],
  ] as const)('%s', (...[, sentence, bookings, first, more]) => {
    expect(below(bookings, first, more)).toBe(sentence);
  });
});

describe('what was left open', () => {
  const at = new Date('2026-03-04T12:00:00Z');
  const cause = (changes: Partial<Cause>): Cause => ({
    ...{
      id: 'x',
      kind: 'given-up-task',
      reason: 'closed for today',
      area: '1',
      account: null,
      carrier: null,
      count: 2,
    },
    ...{ parcels: 0, oldestAt: at, newestAt: at, named: [], ids: [], list: '/' },
    ...changes,
  });
  const named = [
    { id: 'c1', shipment: 's1' },
    { id: 'c2', shipment: 's2' },
  ];

  it('is decided where it can be tried again, or where the consignments are', () => {
    expect(decisionOf(cause({}))).toMatchObject({
      question: '2 tasks were given up',
      pages: [{ href: '/dead-letters?kind=task', words: 'Dead letters' }],
    });
    expect(decisionOf(cause({ kind: 'return-in-doubt', account: 'gls', named }))).toMatchObject({
      question: '2 return labels are in doubt',
      pages: [
        { href: '/consignments/c1', words: 's1' },
        { href: '/consignments/c2', words: 's2' },
      ],
    });
  });

  it('of a booking in doubt does not tell the operator what the worker is told: to ask the operator', () => {
    const reason =
      'We asked GLS to book shipment 7, but got no answer. It may be booked or not. Do not create the transport booking again. ' +
      'Look for 7 in the portal of GLS. Tell the person who runs Waybridge what you find; that person decides what happens next.';
    const { reason: shown, advice } = decisionOf(cause({ kind: 'in-doubt', reason, carrier: 'GLS', count: 1 }));
    expect(`${shown} ${advice}`).toBe(
      'We asked GLS to book shipment 7, but got no answer. It may be booked or not. Nothing is sent again until you answer.',
    );
  });

  it('is a message to a worker that the IMS did not take, which is at its shipment', () => {
    expect(decisionOf(cause({ kind: 'untold-worker', account: 'gls', count: 1, named }))).toMatchObject({
      question: 'Workers were not told about 1 booking',
      pages: [{ href: '/consignments/c1' }, { href: '/consignments/c2' }],
    });
  });

  it('has a heading of its own', () => {
    const notTold = [
      cause({ kind: 'dead-letter' }),
      cause({}),
      cause({ kind: 'return-in-doubt', account: 'gls', named }),
    ];
    const overview = { at, needsPerson: { parcelsCannotLeave: [], notTold } } as unknown as Overview;
    const groups = groupsOf(overview, { area: null, wanted: null, cause: null });
    expect(groups.map(({ heading, causes }) => [heading, causes.map(({ shown }) => shown.word)])).toEqual([
      ['Left open', ['Given up', 'Unconfirmed']],
      ['Somebody was not told', ['Not delivered']],
    ]);
  });
});

describe('a carrier that has kept bookings waiting, too few to be held for down', () => {
  const at = new Date('2030-03-04T12:30:00Z');
  const gls: AccountHistory = {
    ...{ account: 'gls', carrier: 'GLS', circuit: 'closed', outage: null, answersSince: null, lastOutage: null },
    ...{ bars: [], recentErrors: null, medianMs: null, p95Ms: null, lastCallbackAt: null, lastPolledAt: null },
    ...{ refusesPolls: false, waiting: 0, unconfirmed: 0 },
  };
  const shown = (waiting: number) => healthRow({ ...gls, waiting }, at, timesIn('UTC', at));
  const said = (waiting: number) =>
    carriersSentence({
      at,
      since: at,
      reachesTo: null,
      accounts: [
        { ...gls, waiting },
        { ...gls, carrier: 'DAO' },
      ],
    });

  it('is not said to answer', () => {
    expect(shown(0)).toMatchObject({ circuit: { word: 'Answers' }, note: '', tone: 'quiet' });
    expect(shown(1)).toMatchObject({ circuit: { word: 'Some fail' }, tone: 'warn' });
    expect(shown(1).note).toBe('1 booking waits; it is tried again by itself');
    expect(shown(2).note).toBe('2 bookings wait; they are tried again by themselves');
  });

  it('is named above the table', () => {
    expect(said(0)).toBe('All 2 accounts answer.');
    expect(said(2)).toBe('All 2 accounts answer, but bookings wait for GLS.');
  });
});

describe('a reason for one line', () => {
  it.each([
    [
      'is what the carrier or a check said',
      'Could not book shipment 1 with GLS. GLS says: "no such "place"". Correct the address.',
      { short: '“no such "place"”', rest: 'Correct the address.' },
    ],
    [
      'is what it waits for',
      'The label for shipment 1 takes longer: the warehouse system does not answer us. We keep trying.',
      { short: 'The warehouse system does not answer us.', rest: 'We keep trying.' },
    ],
    [
      'says that a login is not accepted, and not only what the carrier said with it',
      `Could not book shipment 1 with Budbee. Budbee does not accept our login: "status 401". You can't fix this yourself.`,
      { short: 'Budbee does not accept our login: “status 401”', rest: "You can't fix this yourself." },
    ],
    [
      'says that a cancellation was refused, which reads like tracking otherwise',
      'Could not cancel shipment 1 with DAO (number 7). DAO says: "the parcel has left". It is still booked. Call DAO.',
      { short: 'Could not cancel: “the parcel has left”', rest: 'It is still booked. Call DAO.' },
    ],
    [
      'says so too after a trouble that came before',
      'The label was not printed: "no paper". Print it again. Could not cancel shipment 1 with DAO (number 7): "gone". Call DAO.',
      { short: 'Could not cancel: “gone”', rest: 'Call DAO.' },
    ],
    [
      'says that only a part is cancelled, with all that follows',
      'Only a part of shipment 1 is cancelled with DAO. Cancelled: 7. Still booked: 8. DAO says: "no". Call DAO.',
      {
        short: 'Only a part of shipment 1 is cancelled with DAO.',
        rest: 'Cancelled: 7. Still booked: 8. DAO says: "no". Call DAO.',
      },
    ],
    [
      'is a whole sentence where the quoted words are a part of one',
      'Could not book shipment 1. Its carrier is "DHL", and we cannot book there. Choose another.',
      { short: 'Its carrier is "DHL", and we cannot book there.', rest: 'Choose another.' },
    ],
    ['is a sentence that stands alone', 'DAO did not say it.', { short: 'DAO did not say it.', rest: '' }],
    ['is nothing where there is none', '', { short: '', rest: '' }],
  ])('%s', (_what, reason, expected) => expect(inShort(reason)).toEqual(expected));
});

describe('a state', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const later = new Date('2026-03-04T12:01:00Z');
  it.each([
    [
      'is coloured when a person must act',
      { state: 'in-doubt', needsOperator: true, dueAt: null },
      'Unconfirmed',
      'warn',
    ],
    [
      'is grey while the carrier is asked',
      { state: 'in-doubt', needsOperator: false, dueAt: later },
      'Unconfirmed',
      'quiet',
    ],
    [
      'is Waiting while a later try is due',
      { state: 'planned', needsOperator: false, dueAt: later },
      'Waiting',
      'quiet',
    ],
    [
      'is Waiting while it waits for an event, whenever that comes',
      { state: 'planned', needsOperator: false, dueAt: null, reason: 'GLS does not answer.' },
      'Waiting',
      'quiet',
    ],
    ['is coloured when it is refused', { state: 'refused', needsOperator: false, dueAt: null }, 'Refused', 'danger'],
    ['is grey when it is done', { state: 'closed', needsOperator: false, dueAt: null }, 'Closed', 'quiet'],
  ] as const)('%s', (_what, given, ...[word, tone]) => {
    expect(shownState(given, now)).toMatchObject({ word, tone });
  });
});

describe('the reason in a row of the list', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const row = (changes: Partial<ListedConsignment>) => {
    const plain = { id: 'c', area: '1', documentId: null, shipmentId: null, shipmentNumber: '10045', account: 'gls' };
    const none = { reference: null, carrierNumber: null, parcels: [], needsOperator: false, dueAt: null };
    const all = { ...plain, ...none, carrier: 'gls-dk', carrierName: 'GLS', createdAt: now, timeToLabelMs: null };
    return rowOf({ ...all, state: 'closed', ...changes }, timesIn('UTC', now), now);
  };

  it.each([
    ['how long the label took', { timeToLabelMs: 812 }, 'Label in 812 ms', true],
    ['what happens next', { state: 'booking' }, 'Sent to GLS', true],
    [
      'when it is tried again',
      { state: 'planned', reason: 'GLS does not answer.', dueAt: new Date('2026-03-04T12:00:40Z') },
      'GLS does not answer; next try 12:00:40',
      false,
    ],
    ['what went wrong', { state: 'refused', reason: 'GLS says: "no". Correct it.' }, '“no”', false],
  ] as const)('is %s', (...[, changes, short, isCalm]) => {
    expect(row(changes)).toMatchObject({ short, isCalm });
  });
});

describe('the page of one consignment', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const page = (changes: Partial<WholeConsignment>) => {
    const plain = { id: 'c', area: '1', documentId: null, shipmentId: null, shipmentNumber: '10045', account: 'gls' };
    const none = { reference: null, carrierNumber: null, needsOperator: false, dueAt: null, lastAction: null };
    const lists = { parcels: [], parts: [], labels: [], history: [], notDone: [], requests: [] };
    const all = { ...plain, ...none, ...lists, carrier: 'gls-dk', carrierName: 'GLS', createdAt: now };
    const rest = {
      timeToLabelMs: null,
      run: 1,
      rule: null,
      printing: null,
      labelPages: null,
      labelIsVoid: false,
      state: 'closed',
    } as const;
    return wholeOf({ ...all, ...rest, ...changes }, { times: timesIn('UTC', now), now, unconfirmed: [] });
  };

  it.each([
    ['what is wrong with one that is booked and was not cancelled', { state: 'closed' }, 'What is wrong'],
    ['what one under way waits for', { state: 'planned' }, 'What it waits for'],
    ['why one was skipped', { state: 'skipped' }, 'Why'],
  ] as const)('has a heading for %s', (...[, changes, heading]) => {
    expect(page({ reason: 'GLS says: "no".', ...changes })).toMatchObject({ heading });
  });

  it('says where a booking in doubt is answered, in whole sentences', () => {
    const { next } = page({ state: 'in-doubt', needsOperator: true, reason: 'GLS did not say it.' });
    expect(next).toMatch(/Resolve…/);
    expect(next).not.toMatch(/…\./);
  });
});

describe('what operators did', () => {
  const at = new Date('2026-03-04T12:00:00Z');

  it('comes after the event, with why it was done', () => {
    const history = [
      { at, fields: { from: 'received' } },
      ...['unknown', 'done'].map((result) => ({
        ...{ at, fields: { action: 'reprint', by: 'Mette', run: 1, reason: 'the printer jammed', result } },
      })),
    ];
    const deeds = deedsOf({ createdAt: at, documentId: '77', history }, timesIn('UTC', at));
    expect(deeds).toMatchObject([
      { who: 'The IMS', what: 'asked for the booking by document 77', reason: '' },
      { who: 'Mette', what: 'reprint', reason: 'the printer jammed', time: '12:00:00' },
    ]);
  });

  it.each([
    ['retry', 'pending', 'Retry: under way', 'quiet'],
    ['retry', 'refused', 'Retry: refused', 'danger'],
    ['cancel', 'done', 'Cancellation: done', 'ok'],
  ] as const)('a %s that is %s says so', (...[action, result, words, tone]) => {
    expect(resultOf({ action, result, at, by: 'Mette', text: '' })).toEqual({ words, tone, text: '' });
  });
});

describe('the choice of an area', () => {
  const areas = [
    { contextId: '1', timeZone: 'UTC' },
    { contextId: '2', timeZone: 'UTC' },
  ];
  const asked = (path: string, query: object) => ({ path, query, method: 'GET' }) as unknown as Request;

  it('keeps the rest of the address, but not a place in the list of another area', () => {
    const request = asked('/consignments', { area: '2', state: ['refused', 'closed'], cursor: 'x' });
    expect(areaChoiceOf(areas, request)).toEqual({
      ...{ path: '/consignments', chosen: '2', areas: ['1', '2'] },
      kept: [
        { name: 'state', value: 'refused' },
        { name: 'state', value: 'closed' },
      ],
    });
    expect([hrefOf('/parcels', areas, request), hrefOf('/rules', areas, request)]).toEqual([
      '/parcels?area=2',
      '/rules',
    ]);
  });

  it('is not offered where there is one area, or the page is about all', () => {
    expect(areaChoiceOf(areas.slice(1), asked('/', {}))).toBeNull();
    expect(areaChoiceOf(areas, asked('/carriers', {}))).toBeNull();
  });
});

describe('the address of a list', () => {
  const asked = (address: string, zone = 'UTC') => {
    const query: Record<string, string[]> = {};
    for (const [name, value] of new URL(address, 'http://own.invalid').searchParams) (query[name] ??= []).push(value);
    return askedIn({ query } as unknown as Request, () => zone);
  };

  it.each([
    '/consignments',
    '/consignments?state=refused&state=in-doubt&area=1&area=2&account=gls&carrier=dao&needsOperator=true',
    '/consignments?since=2026-03-04T12%3A00%3A00.000Z&q=Lund%2C+Signe',
  ])('says the whole filter: %s', (address) => {
    const { filter, problem } = asked(address);
    expect([asked(listAddress(filter)).filter, problem]).toEqual([filter, null]);
  });

  it('with values that cannot be read says which', () => {
    expect(asked('/consignments?state=lost').problem).toMatch(/^state is one of/);
    expect(asked('/consignments?since=yesterday').problem).toMatch(/^since is a time/);
    expect(asked('/consignments?acount=gls').problem).toMatch(/^"acount" is not a parameter here: .*"account"/);
    expect(asked('/consignments?area=&state=')).toEqual(asked('/consignments'));
  });

  it('means midnight in the time zone by a date, also on the days when clocks change', () => {
    const since = (day: string, zone: string) => asked(`/consignments?since=${day}`, zone).filter.since?.toISOString();
    expect(since('2026-03-04', 'Europe/Copenhagen')).toBe('2026-03-03T23:00:00.000Z');
    expect(since('2026-03-29', 'Europe/Copenhagen')).toBe('2026-03-28T23:00:00.000Z');
    expect(since('2026-03-30', 'Europe/Copenhagen')).toBe('2026-03-29T22:00:00.000Z');
    expect(since('2026-11-01', 'America/New_York')).toBe('2026-11-01T04:00:00.000Z');
  });

  it('leads to the list without one value of its filter', () => {
    const { filter, sort } = asked('/consignments?state=refused&state=closed&account=gls&sort=oldest');
    const chips = chipsOf(filter, sort, String);
    expect(chips.map(({ name, values }) => [name, values.map(({ without }) => without)])).toEqual([
      [
        'State',
        ['/consignments?state=refused&account=gls&sort=oldest', '/consignments?state=closed&account=gls&sort=oldest'],
      ],
      ['Account', ['/consignments?state=closed&state=refused&sort=oldest']],
    ]);
  });
});

describe('answers for a booking in doubt', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const one = (reference: string, certainFrom: Date | null = null) => ({
    ...{ reference, containers: [`box-${reference}`], sentAt: null as Date | null, certainFrom },
  });
  const booking = (...unconfirmed: readonly ReturnType<typeof one>[]) =>
    ({ id: 'c', shipment: '10045', to: null, unconfirmed }) as unknown as OpenBooking;
  const judged = (of: OpenBooking, fields: Readonly<Record<string, string>>) =>
    judge(of, answersIn(fields, [of]), { now, time: (at) => at.toISOString().slice(11, 16) });

  it.each([
    ['are open without an answer', [one('r1')], {}, { kind: 'open' }],
    [
      'have a number for each parcel',
      [one('r1')],
      { 'outcome:c:r1': 'booked' },
      { kind: 'wrong', because: 'r1 lacks its tracking number' },
    ],
    [
      'are for each reference',
      [one('r1'), one('r2')],
      { 'outcome:c:r1': 'not-booked' },
      { kind: 'wrong', because: 'r2 is not answered: answer for each reference of the shipment' },
    ],
    [
      'give up the whole shipment',
      [one('r1'), one('r2')],
      { 'outcome:c:r1': 'give-up', 'outcome:c:r2': 'not-booked' },
      { kind: 'wrong', because: 'giving up is about the whole shipment: answer the same for each reference' },
    ],
    [
      'are not "not there" before the carrier certainly shows it',
      [one('r1', new Date('2026-03-04T12:05:00Z'))],
      { 'outcome:c:r1': 'not-booked' },
      { kind: 'wrong', because: 'r1 may still appear at the carrier until 12:05: look again then' },
    ],
    [
      'are taken with their numbers',
      [one('r1', new Date('2026-03-04T11:55:00Z')), one('r2')],
      { 'outcome:c:r1': 'not-booked', 'outcome:c:r2': 'booked', 'number:c:r2:box-r2': ' 123 ' },
      {
        kind: 'answered',
        resolution: {
          answer: 'parts',
          parts: [
            { reference: 'r1', outcome: 'not-booked' },
            { reference: 'r2', outcome: 'booked', carrierNumber: null, trackingNumbers: { 'box-r2': '123' } },
          ],
        },
      },
    ],
  ])('%s', (...[, unconfirmed, fields, expected]) => {
    expect(judged(booking(...unconfirmed), fields)).toMatchObject(expected);
  });

  const sentAt = new Date('2026-03-04T11:00:00Z');

  it.each([
    ['taken for the request that was looked up', '2026-03-04T11:00:00.000Z', false],
    ['not taken for one that was sent since', '2026-03-04T10:00:00.000Z', true],
    ['not taken for one that was sent since, where the earlier one was not by us', '', true],
  ])('are %s, on the page that reviews them too', (_case, sent, isOutdated) => {
    const of = booking({ ...one('r1'), sentAt });
    const answers = answersIn({ 'outcome:c:r1': 'not-booked', 'sent:c:r1': sent }, [of]);
    const judgement = judge(of, answers, { now, time: String });
    const resolution = judgement.kind === 'answered' ? judgement.resolution : null;
    expect(resolution && isSentSince({ reference: 'r1', sentAt }, resolution)).toBe(isOutdated);
    const [shown] = answerRows([of], answers, { now, times: timesIn('UTC', now) });
    expect(shown?.seen).toEqual({ name: 'sent:c:r1', value: sent });
    expect(outdatedIn(answers, [of])).toHaveLength(isOutdated ? 1 : 0);
  });

  it('name the request of now in a list without answers', () => {
    const of = booking({ ...one('r1'), sentAt });
    const [shown] = answerRows([of], new Map(), { now, times: timesIn('UTC', now) });
    expect(shown?.seen.value).toBe(sentAt.toISOString());
  });

  it.each([
    ['a request that was looked up', { 'sent:r1': '2026-03-04T11:00:00.000Z' }, false],
    ['one that was sent since', { 'sent:r1': '2026-03-04T10:00:00.000Z' }, true],
    ['another reference', { 'sent:r9': '2026-03-04T11:00:00.000Z' }, true],
  ])('of the page of one booking are about %s', (_case, fields, isOutdated) => {
    const inDoubt = { n: 1, state: 'in-doubt', reference: 'r1', containers: ['box-1'], sentAt: sentAt.toISOString() };
    const whole = { parts: [inDoubt] } as unknown as WholeConsignment;
    for (const answer of [{ answer: 'give-up' }, { 'outcome:r1': 'not-booked' }]) {
      const resolution = resolutionIn({ ...fields, ...answer }, whole);
      expect(isSentSince({ reference: 'r1', sentAt }, resolution)).toBe(isOutdated);
    }
  });

  it('of a table fill the list, and what is not in doubt any more is named', () => {
    const of = booking(one('r1'), one('r2'));
    const table = 'id,reference,container,answer,trackingNumber\nc,r1,box-r1,booked,7\nc,r9,,not-booked,\n';
    const { answers, problems } = fillIn(answersIn({}, [of]), table, [of]);
    expect(answers.get('c:r1')).toMatchObject({ outcome: 'booked', numbers: { 'box-r1': '7' } });
    expect(answers.get('c:r2')).toMatchObject({ outcome: null });
    expect(problems).toEqual(['Shipment 10045: r9 is not in doubt.']);
    const sent = 'id,reference,answer,sent\nc,r1,not-booked,2026-03-04T12:00:00.000Z\nc,r2,not-booked,\n';
    const sentSince = booking({ ...one('r1'), sentAt: new Date('2026-03-04T12:30:00Z') }, one('r2'));
    const ofTable = fillIn(answersIn({}, [sentSince]), sent, [sentSince]);
    expect(ofTable.answers.get('c:r1')).toMatchObject({ outcome: null });
    expect(ofTable.answers.get('c:r2')).toMatchObject({ outcome: 'not-booked' });
    expect(ofTable.problems).toEqual([
      'Shipment 10045: r1 was sent again since it was listed: open the list or export the table again, and look it up once more.',
    ]);
    expect(fillIn(answers, 'no table', [of])).toMatchObject({
      answers,
      problems: [expect.stringContaining('The table cannot be read')],
    });
  });
});

it('what was not done says why, and which operator acted before', () => {
  const now = new Date('2026-03-04T12:00:00Z');
  const lastAction = {
    action: 'resolve',
    by: 'Anders',
    at: new Date('2026-03-04T11:59:00Z'),
    result: 'done',
    text: '',
  };
  const before = { id: 'c', shipment: '10045', lastAction } as unknown as OpenBooking;
  const about = { startsAt: null, resultAt: '' };
  const results = [
    { ...about, id: 'c', outcome: 'not-possible', because: 'it is not in doubt' },
    { ...about, id: 'gone', outcome: 'unknown', because: 'no consignment gone' },
    { ...about, id: 'taken', outcome: 'accepted', because: null },
  ] as const;
  expect(refusedIn(results, [before], { now, times: timesIn('UTC', now) })).toEqual([
    {
      href: '/consignments/c',
      shipment: '10045',
      because: 'it is not in doubt (last: resolve by Anders, 11:59:00)',
    },
    { href: '/consignments/gone', shipment: 'gone', because: 'no consignment gone' },
  ]);
});

describe('a late parcel', () => {
  const at = new Date('2026-03-04T12:00:00Z');
  const quiet = {
    ...{ trackingNumber: '1', consignmentId: 'c', shipmentNumber: 's', carrierName: 'GLS', account: 'gls', area: '1' },
    ...{ status: 'in-transit', late: 'quiet', statusAt: at, registeredAt: at, estimatedDelivery: null, place: null },
  } as unknown as ParcelView;
  const reason = (refused: readonly string[]) =>
    parcelShown(quiet, timesIn('Europe/Copenhagen', at), new Set(refused)).reason;

  it('is asked for at its carrier, unless that one refuses the login for tracking', () => {
    expect(reason(['dao'])).toMatch(/^GLS has said nothing since .*: ask it\.$/);
    expect(reason(['gls'])).toMatch(/GLS refuses the login for tracking: correct the settings of account gls\.$/);
  });
});
