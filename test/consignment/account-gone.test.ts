import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.js';
import type { Consignment } from '../../src/consignment/consignment.js';
import { journalEntries } from '../../src/consignment/journal.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { book } from '../../src/consignment/steps/book.js';
import { findOutcome } from '../../src/consignment/steps/find-outcome.js';
import { loadMessages } from '../../src/messages/messages.js';
import {
  NOON,
  bookedPart,
  consignment,
  part,
  plan,
  transitionContext,
  bookingContext,
} from '../support/consignments.js';

const unused = () => Promise.reject(new Error('the carrier is not asked'));
const clock = { now: () => NOON };
const world = bookingContext({ book: unused, findByReference: unused }, {}, clock);

const GONE = new Map<string, Account>();
/** The account is one of another carrier by now. */
const OTHER = new Map(
  [...world.accounts].map(([name, account]) => [
    name,
    { ...account, adapter: { ...account.adapter, id: 'other', name: 'Other Carrier' } },
  ]),
);

const ACCOUNTS: readonly [string, typeof GONE, string][] = [
  ['is not configured any more', GONE, "account 'main' is not in the configuration any more"],
  ['is one of another carrier by now', OTHER, "account 'main' is one of Other Carrier by now"],
];

const messages = ({ effects }: Consignment) =>
  effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));

describe.each(ACCOUNTS)('an account that %s', (_how, accounts, problem) => {
  const context = { ...world, accounts };
  /** Not within a quotation. */
  const asWritten = problem.replaceAll("'", '"');

  it('is told for a booking that was not sent, without a word of a login that the carrier refuses', async () => {
    const planned = consignment({ state: 'planned', claimed: true, plan: plan(['box-1']), parts: [part(1)] });
    const { fact } = await book(context, planned, { numbers: [1], intend: unused });
    const after = apply(planned, fact, transitionContext());
    expect(after.outcome).toBe('refused');
    expect(messages(after)).toEqual([{ key: 'account-gone', values: expect.objectContaining({ problems: problem }) }]);
    expect(journalEntries(planned, fact, after)[0]).toMatchObject({
      what: 'cannot be booked',
      said: { problems: [asWritten] },
    });
    const texts = await loadMessages('templates/ims');
    const about = { shipmentNumber: '10045', carrier: 'Nord Parcel', problems: problem };
    expect(texts.text({ language: 'en', bookOn: 'transport-booking' }, 'account-gone', about)).not.toContain('login');
    expect(texts.text({ language: 'da', bookOn: 'transport-booking' }, 'account-gone', about)).not.toContain('login');
  });

  it('leaves a request in doubt that may have arrived before', async () => {
    const again = part(1, { attempt: 1, sentAt: NOON.toISOString(), quietFrom: NOON.toISOString() });
    const before = consignment({ state: 'booking', claimed: true, plan: plan(['box-1']), parts: [again] });
    const { fact } = await book(context, before, { numbers: [1], intend: unused });
    const after = apply(before, fact, transitionContext());
    expect(after).toMatchObject({ state: 'in-doubt', needsOperator: true });
    expect(messages(after)).toMatchObject([{ key: 'person-needed' }, { key: 'not-looked-up', values: { problem } }]);
  });

  it('is told with the question to a person whether it is booked, which the carrier was not asked', async () => {
    const parts = [bookedPart(1), part(2, { state: 'in-doubt', attempt: 1, quietFrom: NOON.toISOString() })];
    const before = consignment({ state: 'in-doubt', claimed: true, plan: plan(['box-1', 'box-2']), parts });
    const { fact } = await findOutcome(context, before, 2);
    const after = apply(before, fact, transitionContext());
    expect(after).toMatchObject({ state: 'in-doubt', needsOperator: true });
    expect(messages(after)).toMatchObject([
      { key: 'person-needed' },
      { key: 'not-looked-up', values: { shipmentNumber: '10045', carrier: 'Test Carrier', problem } },
    ]);
    expect(journalEntries(before, fact, after)[0]).toMatchObject({
      what: 'not looked up',
      said: { because: asWritten },
    });
  });
});
