import { describe, expect, it, jest } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Consignment, Part } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { aboutToCancel } from '../../src/consignment/machine/cancelling.js';
import type { CancelResult } from '../../src/consignment/machine/facts.js';
import { say } from '../../src/messages/message.js';
import { cancelOwn } from '../../src/consignment/steps/cancel.js';
import { NOON, bookedPart, consignment, plan, transitionContext, bookingContext } from '../support/consignments.js';

const WISH = { eventId: 'e-2', userId: null, deviceName: null, by: 'document' } as const;

const closed = (...parts: readonly Part[]): Consignment =>
  consignment({ state: 'closed', plan: plan(parts.map(({ n }) => `box-${n}`)), parts, cancelRequest: WISH });

const answered = (before: Consignment, ...results: readonly CancelResult[]) =>
  apply(before, { kind: 'cancelled', results }, transitionContext());

const messages = ({ effects }: Consignment) =>
  effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));

/** Its parcel is booked without a number. */
const unnumbered = (n: number, changes: Partial<Part> = {}) =>
  bookedPart(n, { booking: { carrierNumber: null, parcels: [], labelSource: null }, ...changes });

const PROBLEM = { code: null, text: 'it was collected', parcelId: null };

describe('a cancellation of which only a part is cancelled', () => {
  it.each<[string, Part, string]>([
    ['its number', bookedPart(2), 'T-box-2'],
    [
      'a number that was not believed, as it was given',
      unnumbered(2, { unusable: [{ parcelId: 'box-2', given: '12 34', because: 'form' }] }),
      '12 34',
    ],
    ['its reference where no number is known', unnumbered(2), '10045-2'],
  ])('names what is still booked by %s', (_by, left, remaining) => {
    const refused: CancelResult = { n: 2, kind: 'refused', problems: [PROBLEM] };
    const after = answered(closed(bookedPart(1), left), { n: 1, kind: 'cancelled' }, refused);
    expect(messages(after)).toMatchObject([{ key: 'cancel-partly', values: { cancelled: 'T-box-1', remaining } }]);
  });

  it.each<[string, CancelResult, string]>([
    ['refused nothing', { n: 2, kind: 'not-possible' }, 'cancel-partly-unknown'],
    ['was not asked', { n: 2, kind: 'refused', problems: [PROBLEM], unsent: true }, 'cancel-partly-account-gone'],
  ])('quotes nothing as said by a carrier that %s', (_what, left, key) => {
    const after = answered(closed(bookedPart(1), bookedPart(2)), { n: 1, kind: 'cancelled' }, left);
    expect(messages(after)).toMatchObject([{ key, values: { cancelled: 'T-box-1', remaining: 'T-box-2' } }]);
  });
});

describe('a refused cancellation', () => {
  const problems = [{ code: null, text: 'it was collected', parcelId: null }];
  const refused: CancelResult = { n: 1, kind: 'refused', problems };
  const unsent: CancelResult = { n: 1, kind: 'refused', problems, unsent: true };
  const lost: CancelResult = { n: 1, kind: 'unavailable', because: 'no answer', retryAfterMs: null };
  const notDone: CancelResult = { ...lost, because: 'status 429', nothingDone: true };

  /** One cancellation after the other is asked for; what is sent is counted first. */
  const after = (...results: readonly CancelResult[]) =>
    results.reduce(
      (before, result) => {
        const asked = { ...before, cancelRequest: WISH };
        return answered(result === unsent ? asked : aboutToCancel(asked, () => true), result);
      },
      closed(bookedPart(1)),
    );

  it.each<[string, readonly CancelResult[]]>([
    ['it was refused before', [refused, refused]],
    ['nothing was sent before', [unsent, unsent, refused]],
    ['nothing was done before', [notDone, notDone, refused]],
    ['it was refused before, and nothing was done since', [refused, notDone, refused]],
  ])('leaves the booking booked, where %s', (_case, results) => {
    const ended = after(...results);
    expect(ended.parts.map(({ state }) => state)).toEqual(['booked']);
    expect(messages(ended).at(-1)?.key).toBe('cancel-refused');
  });

  it.each<[string, readonly CancelResult[]]>([
    ['an answer was lost before', [lost, refused]],
    ['an answer was lost before nothing was sent, twice', [lost, unsent, unsent, refused]],
    ['an answer was lost before nothing was done', [lost, notDone, refused]],
    ['an answer was lost after nothing was done', [notDone, lost, refused]],
  ])('is perhaps a second one, where %s', (_case, results) => {
    const ended = after(...results);
    expect(ended.parts.map(({ state }) => state)).toEqual(['cancelled']);
    expect(messages(ended).map(({ key }) => key)).toContain('cancel-uncertain');
  });
});

describe('a cancellation of what is booked beside refused parcels', () => {
  const lost: CancelResult = { n: 1, kind: 'unavailable', because: 'no answer', retryAfterMs: null };
  const problems = [PROBLEM];
  /** Its worker has waited for long. */
  const compensating = (cancelAttempts: number) =>
    consignment({
      ...{ state: 'cancelling', compensating: true, plan: plan(['box-1', 'box-2']), shortfalls: [refusal] },
      ...{ parts: [bookedPart(1, { cancelAttempts })], runStartedAt: new Date(NOON.getTime() - 3 * 3_600_000) },
    });
  const refusal = say('refused', { shipmentNumber: '10045', carrier: 'Test', problems: 'no such postal code' });

  it.each<[string, CancelResult]>([
    ['its answers were lost until it was given up', lost],
    ['its account is gone after an answer was lost', { n: 1, kind: 'refused', problems, unsent: true }],
  ])('leaves the parcel to a person, and prints no label, where %s', (_what, result) => {
    const after = answered(compensating(1), result);
    expect(after).toMatchObject({ outcome: 'incomplete', parts: [{ state: 'booked', leftToPerson: true }] });
    expect(messages(after).map(({ key }) => key)).toEqual(['refused', 'cancel-unanswered']);
    expect(after.effects.map(({ call }) => call.kind)).not.toContain('attachment');
  });

  it('names each parcel that may still be booked', () => {
    const two = { ...compensating(1), plan: plan(['box-1', 'box-2', 'box-3']) };
    const parts = [1, 2].map((n) => bookedPart(n, { cancelAttempts: 1 }));
    const after = answered({ ...two, parts }, lost, { ...lost, n: 2 });
    expect(messages(after).at(-1)).toMatchObject({
      ...{ key: 'cancel-unanswered', values: { carrierNumber: 'T-box-1, T-box-2' } },
    });
  });

  it('goes on with the parcel where the carrier said clearly that it stays booked', () => {
    const after = answered(compensating(1), { n: 1, kind: 'refused', problems });
    expect(after).toMatchObject({ state: 'booked', outcome: null, parts: [{ state: 'booked' }] });
  });
});

describe('a cancellation that is not sent, because the account is gone', () => {
  const problems = [{ code: null, text: 'account "main" is not in the configuration any more', parcelId: null }];
  const unsent: CancelResult = { n: 1, kind: 'refused', problems, unsent: true };

  it('is not told as an answer of the carrier', () => {
    expect(messages(answered(closed(bookedPart(1)), unsent))).toMatchObject([
      { key: 'cancel-account-gone', values: { problems: "account 'main' is not in the configuration any more" } },
    ]);
  });

  it('is no second one that the carrier refuses, although answers to earlier ones were lost', () => {
    const after = answered(closed(bookedPart(1, { cancelAttempts: 2 })), unsent);
    expect(after.parts).toMatchObject([{ state: 'booked', leftToPerson: true }]);
    expect(messages(after).map(({ key }) => key)).toEqual(['cancel-account-gone']);
  });
});

it('is not perhaps a second one for a part that was not sent, because its number was not believed then', async () => {
  const cancel = jest.fn<NonNullable<CarrierAccount['cancel']>>();
  const world = bookingContext({ cancel } as unknown as CarrierAccount, {}, { now: () => NOON });
  const context = { ...world, database: { ...world.database, query: async () => [] } };
  const cancelAll = async (before: Consignment) => {
    let sent = before;
    const intend = async (isSent: (part: Part) => boolean) => (sent = aboutToCancel(before, isSent));
    const fact = await cancelOwn(context, { ...before, cancelRequest: WISH }, intend);
    return apply({ ...sent, cancelRequest: WISH }, fact, transitionContext());
  };
  const unusable = [{ parcelId: 'box-2', given: '12 34', because: 'form' as const }];
  cancel.mockResolvedValueOnce({ kind: 'cancelled' });
  const first = await cancelAll(closed(bookedPart(1), bookedPart(2, { unusable })));
  expect(first.parts.map(({ state }) => state)).toEqual(['cancelled', 'booked']);
  cancel.mockResolvedValueOnce({
    kind: 'refused',
    problems: [{ code: null, text: 'it was collected', parcelId: null }],
  });
  // A person has given the number since.
  const second = await cancelAll({ ...first, parts: first.parts.map((part) => ({ ...part, unusable: [] })) });
  expect(second.parts.map(({ state }) => state)).toEqual(['cancelled', 'booked']);
  expect(messages(second).at(-1)?.key).toBe('cancel-refused');
});
