import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CarrierRejected } from '../../carriers/contract/errors.js';
import type { Account } from '../../src/accounts/account.js';
import type { Area } from '../../src/areas/area.js';
import { pollDue } from '../../src/tracking/polling/poll.js';
import { bookedPart, plan } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, recordingLog, trackingStage } from './tracking-stage.js';

const DAY_MS = 24 * 3_600_000;

let stage: Stage;
let asked: (readonly string[])[];
/** `null`: the carrier answers. */
let failure: Error | null;
let lines: { readonly level: string; readonly event: string }[];

beforeEach(async () => {
  asked = [];
  failure = null;
  lines = [];
  const track = async (numbers: readonly string[]) => {
    asked.push([...numbers].sort());
    if (failure !== null) throw failure;
    return [];
  };
  stage = await trackingStage(track, { trackAtOnce: 10 });
});
afterEach(() => stage.database.close());

/** @param customer `undefined`: the settings were in the configuration */
async function book(box: number, customer: string | undefined): Promise<void> {
  const of = { ...plan([`box-${box}`]), ...(customer === undefined ? {} : { seller: 'seller-7', customer }) };
  await endBooked(stage, await insertReceived(stage), { plan: of, parts: [bookedPart(box)] });
}

function account(): Account {
  const found = stage.tracking.booking.accounts.get('main');
  if (!found) throw new Error('no account');
  return found;
}

/** Polls with the settings in the IMS. @param customer of the settings of every seller */
async function poll(customer: string): Promise<void> {
  const settle = () => ({ kind: 'settled', account: account(), customer }) as const;
  const loadSeller = async (id: string) => ({ id, sellerNumber: id, dataDocument: null });
  const loadShipment = async () => ({ sellerId: 'seller-7' });
  const imsBackground = { loadSeller, loadShipment, listCarriers: async () => [] };
  const areas = new Map([['1', { imsBackground } as unknown as Area]]);
  const booking = { ...stage.tracking.booking, log: recordingLog(lines), areas };
  stage.clock.forward(DAY_MS);
  await pollDue({ ...stage.tracking, booking }, { ...account(), settle }, () => false);
}

it('parcels that were booked for another customer of the carrier are polled with the login of now', async () => {
  await book(1, 'before');
  await book(2, 'now');
  await book(3, undefined);
  await poll('now');
  expect(asked.flat().sort()).toEqual(['T-box-1', 'T-box-2', 'T-box-3']);
  expect(lines).toEqual([]);
});

it('a login that the carrier refuses is logged with the seller whose login it is', async () => {
  failure = new CarrierRejected([{ code: '401', text: 'wrong login', parcelId: null }], 'credentials');
  await book(1, 'now');
  await poll('now');
  expect(lines).toMatchObject([{ event: 'tracking login refused', account: 'main', seller: 'seller-7' }]);
});
