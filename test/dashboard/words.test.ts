import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { duration, percent, plural, timesIn } from '../../src/dashboard/format.js';
import { addressOf, askedIn, chipsOf } from '../../src/dashboard/list-query.js';
import { shownState } from '../../src/dashboard/shapes.js';

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
    ['is coloured when it is refused', { state: 'refused', needsOperator: false, dueAt: null }, 'Refused', 'danger'],
    ['is grey when it is done', { state: 'closed', needsOperator: false, dueAt: null }, 'Closed', 'quiet'],
  ] as const)('%s', (_what, given, ...[word, tone]) => {
    expect(shownState(given, now)).toMatchObject({ word, tone });
  });
});

describe('the address of a list', () => {
  const asked = (address: string) =>
    askedIn({ query: Object.fromEntries(new URL(address, 'http://own.invalid').searchParams) } as unknown as Request);

  it.each([
    '/consignments',
    '/consignments?state=refused%2Cin-doubt&area=1&account=gls&needsOperator=true',
    '/consignments?since=2026-03-04T12%3A00%3A00.000Z&q=Lund%2C+Signe',
  ])('says the whole filter: %s', (address) => {
    const { filter } = asked(address);
    expect(asked(addressOf(filter)).filter).toEqual(filter);
  });

  it('with values that cannot be read shows more, never less', () => {
    expect(asked('/consignments?state=lost&since=yesterday&cursor=x&area=')).toEqual(asked('/consignments'));
  });

  it('leads to the list without one part of its filter', () => {
    const chips = chipsOf(asked('/consignments?state=refused&account=gls&needsOperator=true').filter);
    expect(chips.map(({ name, without }) => [name, without])).toEqual([
      ['Account', '/consignments?state=refused&needsOperator=true'],
      ['Needs a person', '/consignments?state=refused&account=gls'],
    ]);
  });
});
