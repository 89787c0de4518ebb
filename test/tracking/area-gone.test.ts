import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.js';
import type { Area } from '../../src/areas/area.js';
import type { TrackingContext } from '../../src/tracking/context.js';
import { deliver } from '../../src/tracking/ims-updates/deliver-updates.js';
import { dueOutboxEntries } from '../../src/tracking/ims-updates/outbox-rows.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { bookedPart, plan } from '../support/consignments.js';
import { event } from './callers.js';
import { type Stage, endBooked, insertReceived, recordingLog, trackingStage } from './tracking-stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let asked: string[];
let told: string[];
let lines: { readonly level: string; readonly event: string }[];

beforeEach(async () => {
  asked = [];
  told = [];
  lines = [];
  const track = async (numbers: readonly string[]) => {
    asked.push(...numbers);
    return numbers.map((trackingNumber) => event({ trackingNumber, status: 'customs' }));
  };
  stage = await trackingStage(track, { trackAtOnce: 10 });
  await endBooked(stage, await insertReceived(stage), {
    plan: { ...plan(['box-1']), seller: 'seller-7' },
    parts: [bookedPart(1)],
  });
});
afterEach(() => stage.database.close());

const listCarriers = async () => [];
const postEventMessage = async (eventId: string) => void told.push(eventId);
const imsBackground = {
  listCarriers,
  postEventMessage,
  loadSeller: async (id: string) => ({ id, sellerNumber: id, dataDocument: null }),
};
const area = { contextId: '1', imsBackground, text: () => 'a text' } as unknown as Area;

/** The room of tracking while the area of the parcel is, or is not, in the configuration. */
function tracking(areas: 'configured' | 'gone'): TrackingContext {
  const booking = { ...stage.tracking.booking, log: recordingLog(lines) };
  return { ...stage.tracking, booking: { ...booking, areas: new Map(areas === 'gone' ? [] : [['1', area]]) } };
}

function account(): Account {
  const found = stage.tracking.booking.accounts.get('main');
  if (!found) throw new Error('no account');
  return found;
}

describe('a parcel whose area is not configured any more', () => {
  /** Polls with the settings that are in the IMS of the area. */
  async function poll(areas: 'configured' | 'gone') {
    const settle = () => ({ kind: 'settled', account: account(), customer: 'customer-1' }) as const;
    return pollDue(tracking(areas), { ...account(), settle }, () => false);
  }

  it('is polled later where its login is in the IMS of the area, and the log says why', async () => {
    stage.clock.forward(DAY_MS);
    expect(await poll('gone')).toMatchObject({ parcels: 1, answered: 0 });
    expect(asked).toEqual([]);
    expect(lines).toMatchObject([{ level: 'warn', event: 'tracking not answered', account: 'main' }]);
    expect(JSON.stringify(lines.map((line) => String(Object(line).error)))).toContain('area 1 is not configured');
    stage.clock.forward(DAY_MS);
    expect(await poll('configured')).toMatchObject({ parcels: 1, answered: 1 });
    expect(asked).toEqual(['T-box-1']);
  });

  it('counts no call to its carrier', async () => {
    stage = { ...stage, tracking: { ...stage.tracking, callsPerDay: new Map([['main', 1]]) } };
    stage.clock.forward(DAY_MS);
    for (let times = 0; times < 3; times += 1) {
      await poll('gone');
      stage.clock.forward(HOUR_MS);
    }
    await poll('configured');
    expect(asked).toEqual(['T-box-1']);
  });
});

describe('an update about a parcel whose area is not configured any more', () => {
  async function deliverDue(areas: 'configured' | 'gone'): Promise<number> {
    const due = await dueOutboxEntries(stage.database, stage.clock.now(), 10);
    for (const id of due) await deliver(tracking(areas), id);
    return due.length;
  }

  const messages = () =>
    stage.database.query<{ state: string }>("select state from tracking_outbox where kind = 'message'");

  beforeEach(async () => {
    stage.clock.forward(DAY_MS);
    await pollDue(tracking('configured'), account(), () => false);
  });

  it('waits until the area is configured again', async () => {
    expect(await deliverDue('gone')).toBeGreaterThan(0);
    expect(await messages()).toEqual([{ state: 'open' }]);
    expect(await deliverDue('gone')).toBe(0);
    stage.clock.forward(HOUR_MS);
    await deliverDue('configured');
    expect(told).toEqual(['e-1']);
    expect(await messages()).toEqual([{ state: 'done' }]);
  });

  it('is given up after a day, with an error in the log that names the area', async () => {
    await deliverDue('gone');
    stage.clock.forward(DAY_MS + HOUR_MS);
    lines = [];
    await deliverDue('gone');
    expect(await messages()).toEqual([{ state: 'given-up' }]);
    const [line] = lines.filter(({ level }) => level === 'error');
    expect(line).toMatchObject({ event: 'tracking update not delivered', kind: 'message', area: '1', again: false });
    expect(String(Object(line).error)).toContain('area 1 is not configured');
    expect(told).toEqual([]);
  });
});
