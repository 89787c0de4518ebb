import { describe, expect, it } from '@jest/globals';
import type { Consignment, Effect, Part } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { nextStep } from '../../src/consignment/machine/next-step.js';
import { withLateNumbers } from '../../src/consignment/machine/late-numbers.js';
import { NotPossible, applyResolution, requireAbsence, resume } from '../../src/consignment/machine/operator.js';
import type { Fact } from '../../src/consignment/machine/facts.js';
import { parcel } from '../carriers/sample-request.js';
import { bookedPart, transitionContext, consignment, effect, part, plan } from '../support/consignments.js';

const ITS_OWN = { carrierNumber: 'C-9', labelSource: 'L-9' };
const NOTHING = { carrierNumber: null, labelSource: null };
const NUMBERED = { kind: 'booked', trackingUrl: null } as const;
const WISH = { eventId: 'e-2', userId: null, deviceName: null, by: 'document' } as const;
const PROBLEM = { code: null, text: 'postcode does not exist', parcelId: null };
const TOO_LATE = transitionContext({ now: new Date('2030-03-04T13:00:00Z') });
const sending = (n: number, changes: Partial<Part> = {}) => part(n, { state: 'sending', attempt: 1, ...changes });
const booking = (containers: number, ...parts: readonly Part[]): Consignment =>
  consignment({
    state: 'booking',
    claimed: true,
    plan: plan(Array.from({ length: containers }, (_none, index) => `box-${index + 1}`)),
    parts,
  });

function messageKeys({ effects }: Consignment): readonly string[] {
  return effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message.key] : []));
}

function statuses({ effects }: Consignment): readonly string[] {
  return effects.flatMap(({ call }) => (call.kind === 'work-status' ? [call.status] : []));
}

describe('answers of the carrier', () => {
  it('does not go on to labels when a part was refused beside one whose answer was lost', () => {
    const lost = apply(
      booking(3, bookedPart(1), sending(2), sending(3)),
      {
        kind: 'sent',
        results: [
          { n: 2, kind: 'rejected', problems: [PROBLEM], because: 'data' },
          { n: 3, kind: 'unknown', because: 'timed out' },
        ],
      },
      transitionContext(),
    );
    expect(lost.state).toBe('in-doubt');
    const { booking: found } = bookedPart(3);
    if (!found) throw new Error('it is booked');
    const after = apply(
      lost,
      { kind: 'looked-up', n: 3, result: { kind: 'found', booking: found, unmatched: [] } },
      transitionContext(),
    );
    expect(after).toMatchObject({ state: 'cancelling', compensating: true });
    expect(after.shortfalls.map((one) => one.key)).toEqual(['refused-parcel']);
  });

  it.each([
    ['it has this reference already', 'duplicate', { attempt: 2 }],
    ['our access, after an answer was lost', 'credentials', { attempt: 2, quietFrom: '2030-03-04T12:00:00.000Z' }],
  ] as const)('asks a person, who can say so, when the carrier refuses because of %s', (_case, because, changes) => {
    const result = { n: 1, kind: 'rejected', problems: [PROBLEM], because } as const;
    const asked = apply(booking(1, sending(1, changes)), { kind: 'sent', results: [result] }, transitionContext());
    expect(asked.needsOperator).toBe(true);
    expect(messageKeys(asked)).toEqual(['person-needed']);
    const numbers = { carrierNumber: 'C-1', trackingNumbers: { 'box-1': 'T-1' } };
    const settled = applyResolution(asked, { answer: 'booked', ...numbers }, transitionContext().now);
    expect(settled.parts[0]).toMatchObject({ state: 'booked', booking: { carrierNumber: 'C-1' } });
  });

  it('gives the carrier time to end its work before a person can say "not booked", where the sender died', () => {
    const fact: Fact = { kind: 'looked-up', n: 1, result: { kind: 'person' } };
    const context = transitionContext();
    const asked = apply(booking(1, sending(1)), fact, context);
    const endsAt = new Date(context.now.getTime() + context.bookingEndsWithinMs).toISOString();
    expect(asked).toMatchObject({ needsOperator: true, parts: [{ state: 'in-doubt', quietFrom: endsAt }] });
  });

  it('names the number to look for once, where the reference is the number of the shipment', () => {
    const ofNumber = (reference: string) => {
      const before = sending(1, { request: { ...sending(1).request, reference } });
      const results = [{ n: 1, kind: 'rejected', problems: [PROBLEM], because: 'duplicate' }] as const;
      const of = { ...booking(1, { ...before, attempt: 2 }), shipmentNumber: '10045' };
      return messageKeys(apply(of, { kind: 'sent', results }, transitionContext()));
    };
    expect(ofNumber('10045')).toEqual(['person-needed-by-number']);
    expect(ofNumber('10045.2')).toEqual(['person-needed']);
  });

  it('never says that nothing is booked while something may be', () => {
    const postponed: Fact = {
      kind: 'postponed',
      waitingFor: 'carrier',
      because: 'down',
      retryAfterMs: null,
      claimed: true,
    };
    const after = apply(booking(1, part(1, { state: 'in-doubt', attempt: 1 })), postponed, TOO_LATE);
    expect(after).toMatchObject({ needsOperator: true, state: 'in-doubt' });
    expect(messageKeys(after)).toEqual(['person-needed']);
  });

  it('asks at once after the first lost answer, and slower after each further one', () => {
    const delays = [1, 2, 3, 4].map((attempt) => {
      const before = booking(1, sending(1, { attempt }));
      const after = apply(
        before,
        { kind: 'sent', results: [{ n: 1, kind: 'unknown', because: 'reset' }] },
        transitionContext(),
      );
      return (after.dueAt?.getTime() ?? 0) - transitionContext().now.getTime();
    });
    expect(delays[0]).toBe(0);
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(new Set(delays).size).toBe(4);
  });

  it('does not pass over a container that the carrier did not mention', () => {
    const before = { ...booking(2, bookedPart(1)), state: 'booked' as const };
    const after = apply(
      before,
      { kind: 'labels', results: [{ n: 1, kind: 'stored' }], file: { kind: 'stored', pages: 99 } },
      transitionContext(),
    );
    expect(after.shortfalls).toEqual([
      { key: 'incomplete-parcels', values: expect.objectContaining({ booked: '#1 (box-1)', missing: '#2 (box-2)' }) },
    ]);
  });

  it('does not book again what was found without saying which number is whose', () => {
    const found = bookedPart(1, {
      unmatched: ['T-1'],
      booking: { carrierNumber: 'C-1', parcels: [], labelSource: null },
    });
    const before = consignment({ parts: [found], run: 2 });
    const requests = [
      { n: 2, request: part(1).request },
      { n: 3, request: part(2).request },
    ];
    const prepared: Fact = {
      kind: 'prepared',
      plan: plan(['box-1', 'box-2']),
      reference: '10045',
      shipmentId: 's-1',
      shipmentNumber: '10045',
      requests,
      claimed: true,
      takenOver: [],
      snapshot: { shipmentId: 's-1', others: '' },
    };
    const after = apply(before, prepared, transitionContext());
    expect(after.parts.map(({ n, state }) => [n, state])).toEqual([
      [1, 'booked'],
      [3, 'planned'],
    ]);
  });
});

describe('a booking that an earlier run has made', () => {
  it.each<[string, Fact]>([
    ['the document is not ours any more', { kind: 'skipped', because: 'the document is DONE' }],
    ['the shipment cannot be booked any more', { kind: 'unusable', messages: [], claimed: true, shipmentNumber: null }],
  ])('stays ours to cancel when %s', (_case, fact) => {
    const after = apply(consignment({ parts: [bookedPart(1)], run: 2 }), fact, transitionContext());
    expect(after.outcome ?? after.state).toBe('incomplete');
  });
});

describe('a wish to cancel', () => {
  it('is met although it came while the end was being written', () => {
    const last = effect('work-status:1', { wave: 9, call: { kind: 'work-status', status: 'DONE' } });
    const notice: Effect = effect('afterwards:1:not-allowed', { wave: 10, state: 'done' });
    const before = consignment({ state: 'labelled', outcome: 'closed', effects: [last, notice], cancelRequest: WISH });
    const results = [{ key: last.key, state: 'done', note: null }] as const;
    const after = apply(before, { kind: 'written', results, retryAfterMs: null }, transitionContext());
    expect(after).toMatchObject({ state: 'closed', cancelRequest: WISH });
    expect(after.dueAt).not.toBeNull();
  });

  it('is tried for a while, however long ago the booking was made', () => {
    const closed = consignment({ state: 'closed', cancelRequest: WISH, parts: [bookedPart(1)] });
    const down: Fact = {
      kind: 'cancelled',
      results: [{ n: 1, kind: 'unavailable', because: 'down', retryAfterMs: null }],
    };
    const days = transitionContext({ now: new Date('2030-03-09T12:00:00Z') });
    const first = apply(closed, down, days);
    expect(first).toMatchObject({ cancelRequest: WISH, attempts: 1 });
    const last = apply({ ...first, attempts: 100 }, down, days);
    expect(last.cancelRequest).toBeNull();
    expect(messageKeys(last)).toEqual(['cancel-unanswered']);
  });
});

describe('something that breaks again and again', () => {
  it('is told once, and comes to rest when telling breaks as well', () => {
    const first = apply(consignment(), { kind: 'broke' }, TOO_LATE);
    expect([messageKeys(first), statuses(first)]).toEqual([['internal-error'], ['FAILED']]);
    const second = apply(first, { kind: 'broke' }, TOO_LATE);
    expect(second).toMatchObject({ state: 'refused', dueAt: null });
    expect(messageKeys(second)).toEqual(['internal-error']);
  });

  it('does not turn what is closed into a failure', () => {
    const closed = consignment({ state: 'closed', attempts: 100, parts: [bookedPart(1)], cancelRequest: WISH });
    const after = apply(closed, { kind: 'broke' }, TOO_LATE);
    expect([after.state, statuses(after), messageKeys(after)]).toEqual(['closed', [], ['cancel-internal-error']]);
  });
});

describe('what a person may do', () => {
  it.each(['closed', 'cancelled'] as const)('does not try again what is %s', (state) => {
    expect(() => resume(consignment({ state, dueAt: null }), transitionContext().now)).toThrow(NotPossible);
  });

  it.each([
    ['transport-booking', /a new transport booking in the IMS books the shipment again/],
    ['delivery-note', /a new delivery note in the IMS books the shipment again/],
  ] as const)('is told to create a new %s for what was booked on one and is cancelled', (bookedOn, words) => {
    const cancelled = consignment({ state: 'cancelled', dueAt: null, bookedOn });
    expect(() => resume(cancelled, transitionContext().now)).toThrow(words);
  });

  it('is told to create a new document of the kind that the area books on, where none asked for the booking', () => {
    const cancelled = consignment({ state: 'cancelled', dueAt: null, bookedOn: 'packing-completed' });
    const tryAgain = () => resume(cancelled, transitionContext().now, { area: { bookOn: 'delivery-note' } });
    expect(tryAgain).toThrow(/a new delivery note in the IMS books the shipment again/);
  });

  it('does not try again what may be booked', () => {
    expect(() => resume(consignment({ state: 'in-doubt', needsOperator: true }), transitionContext().now)).toThrow(
      /resolve/,
    );
  });

  it('wants every number of what a person says is booked', () => {
    const waiting = consignment({ state: 'in-doubt', needsOperator: true, parts: [part(1, { state: 'in-doubt' })] });
    const answer = { answer: 'booked', carrierNumber: null, trackingNumbers: {} } as const;
    expect(() => applyResolution(waiting, answer, transitionContext().now)).toThrow(/box-1 needs its tracking number/);
  });

  it.each([
    [
      'nothing before the carrier certainly shows what it has booked',
      999,
      /^10045 may still appear at .* until 2030-03-04T12:01:01.000Z/,
    ],
    ['"not booked" from then on', 1_000, null],
  ] as const)('is to say %s', (_what, afterMs, words) => {
    const [quietFrom, visibleAfterMs] = ['2030-03-04T12:01:00.000Z', 1_000];
    const waiting = consignment({
      ...{ state: 'in-doubt', needsOperator: true },
      parts: [part(1, { state: 'in-doubt', quietFrom, request: { ...part(1).request, reference: '10045' } })],
    });
    const now = new Date(Date.parse(quietFrom) + afterMs);
    const after = applyResolution(waiting, { answer: 'not-booked' }, now);
    const answered = expect(() => requireAbsence(waiting, after, { now, visibleAfterMs }));
    if (words === null) answered.not.toThrow();
    else answered.toThrow(words);
  });

  it.each([
    ['names another request', { because: 'other-request', believed: [] }, NOTHING],
    ['has only the number of another parcel', { because: 'taken', believed: [] }, NOTHING],
    ['has that of another parcel for one of two', { because: 'taken', believed: ['box-2'] }, ITS_OWN],
    ['has a number that cannot be one', { because: 'form', believed: [] }, ITS_OWN],
  ] as const)('gives true numbers to a booking whose answer %s', (_what, { because, believed }, kept) => {
    const request = { ...part(1).request, parcels: ['box-1', ...believed].map((id) => parcel({ id })) };
    const parcels = believed.map((parcelId) => ({ ...NUMBERED, parcelId, trackingNumber: 'T-2' }));
    const unusable = [{ parcelId: 'box-1', given: 'T-9', because }];
    const answered = { ...ITS_OWN, parcels };
    const wrong = consignment({
      ...{ state: 'incomplete', dueAt: null, plan: plan(['box-1', ...believed]) },
      parts: [bookedPart(1, { request, booking: answered, unusable })],
    });
    const answer = { answer: 'booked', carrierNumber: null, trackingNumbers: { 'box-1': 'T-1' } } as const;
    const { booking } = applyResolution(wrong, answer, transitionContext().now).parts[0] ?? {};
    expect(booking).toMatchObject({ ...kept, parcels: [{ parcelId: 'box-1', trackingNumber: 'T-1' }, ...parcels] });
  });

  it.each(['other-request', 'taken'] as const)(
    'refuses the number of a booking alone where no number of its parcel is known, because the answer was of another one (%s)',
    (because) => {
      const unusable = [{ parcelId: 'box-1', given: 'T-9', because }];
      const wrong = consignment({
        ...{ state: 'incomplete', dueAt: null, plan: plan(['box-1']) },
        parts: [bookedPart(1, { booking: { ...ITS_OWN, parcels: [] }, unusable })],
      });
      const answer = { answer: 'booked', carrierNumber: 'C-1', trackingNumbers: {} } as const;
      expect(() => applyResolution(wrong, answer, transitionContext().now)).toThrow('box-1 needs its tracking number');
    },
  );

  it('still cancels what was wished to be cancelled when a person gives a doubt up', () => {
    const parts = [bookedPart(1), part(2, { state: 'in-doubt' })];
    const waiting = consignment({ state: 'in-doubt', needsOperator: true, parts, cancelRequest: WISH, dueAt: null });
    const after = applyResolution(waiting, { answer: 'give-up' }, transitionContext().now);
    expect(after).toMatchObject({ state: 'incomplete', dueAt: transitionContext().now });
  });
});

describe('a cancellation that breaks each time it is tried', () => {
  const broken = (before: Consignment) => {
    let after = before;
    for (let times = 0; times < 200 && after.dueAt !== null && nextStep(after).kind === 'cancel'; times += 1)
      after = apply(after, { kind: 'broke' }, transitionContext());
    return after;
  };

  it('is given up, and the worker is told what may still be booked', () => {
    const before = consignment({ state: 'closed', plan: plan(['box-1']), parts: [bookedPart(1)], cancelRequest: WISH });
    const after = broken(before);
    expect(nextStep(after)).toMatchObject({
      kind: 'write',
      effects: [
        { call: { message: { key: 'cancel-internal-error', values: { numbers: 'T-box-1', reference: 'c-1' } } } },
      ],
    });
    expect(after).toMatchObject({ cancelRequest: null, parts: [{ state: 'booked', leftToPerson: true }] });
  });

  it('ends the booking, and sets no status on a document that is cancelled', () => {
    const before = { ...booking(1, bookedPart(1)), state: 'booked', cancelRequest: WISH } as const;
    const after = apply(before, { kind: 'broke' }, TOO_LATE);
    expect([after.outcome, statuses(after), messageKeys(after)]).toEqual(['incomplete', [], ['cancel-internal-error']]);
  });

  it('comes to rest when telling breaks as well', () => {
    const closed = consignment({ state: 'closed', attempts: 100, parts: [bookedPart(1)], cancelRequest: WISH });
    const told = apply(closed, { kind: 'broke' }, transitionContext());
    const after = apply({ ...told, attempts: 100 }, { kind: 'broke' }, transitionContext());
    expect([after.dueAt, messageKeys(after)]).toEqual([null, ['cancel-internal-error']]);
  });

  it('says why parcels were to be cancelled, where others were refused', () => {
    const refusal = { key: 'refused', values: { shipmentNumber: '10045', carrier: 'Test', problems: 'x' } } as const;
    const before: Consignment = {
      ...booking(2, bookedPart(1)),
      ...{ state: 'cancelling', compensating: true, shortfalls: [refusal] },
    };
    const after = apply(before, { kind: 'broke' }, TOO_LATE);
    expect(after).toMatchObject({ outcome: 'incomplete', compensating: false, parts: [{ leftToPerson: true }] });
    expect([messageKeys(after), statuses(after)]).toEqual([['refused', 'cancel-internal-error'], ['FAILED']]);
    expect(nextStep(after)).toMatchObject({ kind: 'write' });
  });

  it('is told where parcels were refused, also when a message about a late answer is what breaks', () => {
    const refusal = { key: 'refused', values: { shipmentNumber: '10045', carrier: 'Test', problems: 'x' } } as const;
    const compensating: Consignment = {
      ...booking(2, bookedPart(1)),
      ...{ state: 'cancelling', compensating: true, shortfalls: [refusal] },
    };
    const parcel = { kind: 'booked', parcelId: 'box-1', trackingNumber: 'LATE-1', trackingUrl: null } as const;
    const late = { carrierNumber: null, parcels: [parcel], labelSource: null };
    const results = [{ n: 1, kind: 'booked', booking: late, labels: 'missing' }] as const;
    const before = withLateNumbers(compensating, { kind: 'sent', results });
    expect(nextStep(before)).toMatchObject({ effects: [{ call: { message: { key: 'late-answer' } } }] });
    const after = apply(before, { kind: 'broke' }, TOO_LATE);
    expect(nextStep(after)).toMatchObject({
      effects: [{ call: { message: { key: 'refused' } } }, { call: { message: { key: 'cancel-internal-error' } } }],
    });
  });

  it('is answered to the person who asked for it, each time one does', () => {
    const before = consignment({ state: 'closed', plan: plan(['box-1']), parts: [bookedPart(1)], cancelRequest: WISH });
    const first = broken(before);
    const told = { ...first, effects: first.effects.map((one) => ({ ...one, state: 'done' as const })) };
    const { addressee } = before;
    const again = { ...WISH, eventId: 'e-3' };
    const second = broken({ ...told, cancelRequest: again, attempts: 0, dueAt: transitionContext().now });
    const to = (after: Consignment) =>
      after.effects.flatMap(({ call, state }) => (state === 'open' && 'to' in call ? [call.to] : []));
    expect([to(first), to(second)]).toEqual([[WISH], [again]]);
    expect([second.cancelRequest, second.addressee]).toEqual([null, addressee]);
  });

  it('leaves a doubt ended that a person has ended, and is answered to the person who asked for it', () => {
    const doubtful = part(2, { state: 'in-doubt', attempt: 1 });
    const before = consignment({
      ...{ state: 'in-doubt', needsOperator: true, plan: plan(['box-1', 'box-2']), parts: [bookedPart(1), doubtful] },
    });
    const ended = applyResolution(before, { answer: 'give-up' }, transitionContext().now);
    const told = { ...ended, effects: ended.effects.map((one) => ({ ...one, state: 'done' as const })) };
    const after = broken({ ...told, cancelRequest: WISH });
    expect(after).toMatchObject({ state: 'incomplete', needsOperator: false, cancelRequest: null });
    expect(statuses(after)).toEqual([]);
    const open = after.effects.flatMap(({ call, state }) =>
      state === 'open' && call.kind === 'message' ? [call] : [],
    );
    expect(open).toMatchObject([
      { to: WISH, message: { key: 'cancel-internal-error' } },
      { to: WISH, message: { key: 'ended-by-hand', values: { reference: '10045-2' } } },
    ]);
  });
});

it('leaves a doubt ended that a person has ended, when telling so breaks each time it is tried', () => {
  const before = consignment({ state: 'in-doubt', needsOperator: true, parts: [part(1, { state: 'in-doubt' })] });
  const ended = applyResolution(before, { answer: 'give-up' }, transitionContext().now);
  const after = apply({ ...ended, attempts: 100 }, { kind: 'broke' }, transitionContext());
  expect(after).toMatchObject({ state: 'refused', needsOperator: false });
  expect([messageKeys(after), statuses(after)]).toEqual([['ended-by-hand', 'internal-error'], []]);
});
