import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Area } from '../../src/areas/area.js';
import { advance } from '../../src/consignment/advance.js';
import type { Effect } from '../../src/consignment/consignment.js';
import type { BookingContext } from '../../src/consignment/context.js';
import { insertConsignment, loadConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import type { Database } from '../../src/db/database.js';
import { asJsonb } from '../../src/db/json.js';
import { printedOf } from '../../src/operator/not-done.js';
import { bookedPart, effect, plan, bookingContext } from '../support/consignments.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

let database: Database;

beforeEach(async () => {
  database = await openEmptyDatabase();
});
afterEach(() => database.close());

interface Case {
  /** The settings that the service goes on with. */
  readonly printing: BookingContext['printing'];
  readonly effects: readonly Effect[];
  readonly outcome: 'closed' | null;
  readonly documentId?: null;
}

/** A labelled booking of box-1 that the service goes on with. @returns what the worker and an operator see */
async function ended({ printing, effects, outcome, documentId }: Case) {
  const clock = new HandClock();
  const messages: string[] = [];
  const requests: string[] = [];
  const area = {
    giveUpAfterMs: 1_800_000,
    text: ({ key, values }: { readonly key: string; readonly values: Readonly<Record<string, string>> }) =>
      `${key}: ${values['problem'] ?? '-'}`,
    ims: {
      can: () => true,
      setWorkStatus: async () => undefined,
      printResource: async () => void requests.push('printResource'),
      printDocument: async () => void requests.push('printDocument'),
      postEventMessage: async (_event: string, sent: { readonly messageText: string }) =>
        void messages.push(sent.messageText),
    },
  } as unknown as Area;
  const unused = () => Promise.reject(new Error('the carrier is not asked'));
  const world = bookingContext({ book: unused }, {}, clock);
  const context: BookingContext = { ...world, database, areas: new Map([['1', area]]), printing };
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const id = await insertConsignment(database, {
    ...{ area: '1', bookedOn: 'transport-booking', shipmentId: '601', addressee, now: clock.now() },
    documentId: documentId === null ? null : '501',
  });
  const own = { plan: plan(['box-1']), outcome, claimed: true, compensating: false };
  await database.query(
    `update consignment set state = 'labelled', plan = $2::jsonb, parts = $3::jsonb, effects = $4::jsonb where id = $1`,
    [id, asJsonb(own), asJsonb([bookedPart(1)]), asJsonb(effects)],
  );
  await advance(context, String(id));
  const consignment = await loadConsignment(database, String(id));
  return { state: consignment.state, printed: printedOf(consignment), messages, requests };
}

const attached = effect('attachment:1', {
  call: { kind: 'attachment', fileName: 'label.pdf', pages: 1 },
  state: 'done',
});
const print = effect('print:1', { wave: 9 });

describe('a label that was to be printed before the settings changed', () => {
  it('is not printed where printing is switched off by now, and the worker is told once', async () => {
    const copies = [attached, print, effect('print:copy-2:1', { wave: 9 })];
    const { messages, ...seen } = await ended({ printing: { mode: 'none' }, effects: copies, outcome: 'closed' });
    expect(seen).toEqual({ state: 'closed', printed: 'no', requests: [] });
    expect(messages).toEqual(['print-failed: printing is switched off in Waybridge by now']);
  });

  it('is not printed where documents are printed by now and it has none, and the worker is told', async () => {
    const given = { effects: [attached, print], outcome: 'closed', documentId: null } as const;
    const { messages, ...seen } = await ended({ printing: { mode: 'document' }, ...given });
    expect(seen).toEqual({ state: 'closed', printed: 'no', requests: [] });
    expect(messages).toEqual([expect.stringMatching(/^print-failed: Waybridge prints transport bookings only by now/)]);
  });

  it('is printed where documents are printed by now and it has one', async () => {
    const seen = await ended({ printing: { mode: 'document' }, effects: [attached, print], outcome: 'closed' });
    expect(seen).toEqual({ state: 'closed', printed: 'yes', requests: ['printDocument'], messages: [] });
  });
});

it('tells the worker of no print where printing was switched off from the beginning', async () => {
  const seen = await ended({ printing: { mode: 'none' }, effects: [attached], outcome: null });
  expect(seen).toEqual({ state: 'closed', printed: 'no', requests: [], messages: [] });
});
