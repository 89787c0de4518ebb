import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { BookingWithLabels, FoundBooking } from '../../carriers/contract/model.js';
import type { ConfiguredAccount } from '../../src/config/sections/account.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;

/** What becomes of a carrier's answers about returns before we see them; the return has been made by then. */
let bend: (answer: BookingWithLabels) => BookingWithLabels = (answer) => answer;
/** What the search has instead of what it finds; `null`: it is not changed. */
let shown: FoundBooking | null = null;
/** Whether the carrier gives the label of a return with its answer alone. */
let givesItOnce = false;
let service: Service;

beforeAll(async () => {
  service = await startService({ account: bending });
});
afterAll(() => service.stop());
afterEach(() => {
  bend = (answer) => answer;
  shown = null;
  givesItOnce = false;
});

function bending(account: ConfiguredAccount): ConfiguredAccount {
  const { adapter } = account;
  const connect: typeof adapter.connect = (config, tools) => {
    const carrier: CarrierAccount = adapter.connect(config, tools);
    const { returnLabel, fetchLabels, findByReference } = carrier;
    return {
      ...carrier,
      fetchLabels: async (booking) => (givesItOnce ? [] : ((await fetchLabels?.(booking)) ?? [])),
      ...(returnLabel && { returnLabel: async (request) => bend(await returnLabel(request)) }),
      ...(findByReference && { findByReference: async (request) => shown ?? findByReference(request) }),
    };
  };
  return { ...account, adapter: { ...adapter, connect } };
}

const numbered =
  (trackingNumber: string): typeof bend =>
  ({ booking, ...answer }) => ({
    ...answer,
    booking: {
      ...booking,
      parcels: booking.parcels.map((parcel) => (parcel.kind === 'booked' ? { ...parcel, trackingNumber } : parcel)),
    },
  });

const book = (carrierName = 'Pretend') => service.run(oneParcel, { carrierName });
const find = ({ consignment }: Ending) => service.operator(`/consignments/${consignment.id}/return-label`);
const make = ({ consignment }: Ending) =>
  service.operator(`/consignments/${consignment.id}/return-label`, { method: 'POST' });

describe('an answer about a return that cannot be believed', () => {
  it.each<readonly [string, (booked: Ending) => typeof bend]>([
    ['has a number that is none', () => numbered('PP\n1')],
    [
      'has the number of the parcel on its way to the customer',
      (booked) => numbered(String(booked.trackingNumbers[0])),
    ],
    [
      'has no parcel',
      () =>
        ({ booking, ...answer }) => ({ ...answer, booking: { ...booking, parcels: [] } }),
    ],
    ['is about another reference', () => (answer) => ({ ...answer, answersReference: '4711' })],
  ])('leaves it in doubt when it %s, and is not asked for again', async (_what, bent) => {
    const booked = await book('DAO');
    bend = bent(booked);
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await make(booked);
      expect([status, body.detail]).toEqual([409, expect.stringMatching(/not known whether.*portal of DAO/)]);
    }
    const made = service.control
      .returns('dao')
      ?.filter(({ reference }) => reference.startsWith(booked.consignment.reference));
    expect(made).toHaveLength(1);
  });

  it('is looked up again while the search has the return without its parcel', async () => {
    const booked = await book();
    bend = (answer) => ({ ...answer, answersReference: '4711' });
    expect((await make(booked)).status).toBe(409);
    shown = { carrierNumber: '1', parcels: [], labelSource: null };
    const { status, body } = await make(booked);
    expect([status, body.detail]).toEqual([
      409,
      expect.stringMatching(/[Aa]sk for it again in a minute.*without a parcel/),
    ]);
    shown = null;
    await until('it is found', async () => (await make(booked)).status === 200);
    expect((await find(booked)).body).toMatchObject({ state: 'made' });
    const made = service.control
      .returns('pretend')
      ?.filter(({ reference }) => reference.startsWith(booked.consignment.reference));
    expect(made).toHaveLength(1);
  });

  it('that has no readable label is made, and its label is fetched later', async () => {
    const booked = await book();
    bend = (answer) => ({ ...answer, labels: [{ format: 'pdf', bytes: new TextEncoder().encode('<html>') }] });
    expect((await make(booked)).body).toMatchObject({
      state: 'made',
      label: null,
      whatToDo: expect.stringMatching(/[Aa]sk for it again/),
    });
    expect((await make(booked)).body).toMatchObject({ state: 'made', label: expect.any(String) });
  });

  it('keeps a label that the carrier gives only once, when each process that prepares it dies', async () => {
    givesItOnce = true;
    const booked = await book('GLS');
    assemblers().forEach((pid) => process.kill(pid, 'SIGSTOP'));
    const first = make(booked);
    await until('it is made', async () => (await find(booked)).body.state === 'made');
    expect((await find(booked)).body).toMatchObject({ label: null, whatToDo: expect.stringMatching(/not prepared/) });
    expect((await whileAssemblersDie(first)).body).toMatchObject({
      state: 'made',
      label: null,
      whatToDo: expect.stringMatching(/[Aa]sk for it again/),
    });
    const { body } = await make(booked);
    expect(body).toMatchObject({ state: 'made', label: expect.any(String), whatToDo: null });
    const made = service.control
      .returns('gls-dk')
      ?.filter(({ reference }) => reference.startsWith(booked.consignment.reference));
    expect(made).toHaveLength(1);
  });
});

/** Kills each process that prepares labels, before it has started, until there is an answer. */
async function whileAssemblersDie<T>(answer: Promise<T>): Promise<T> {
  let answered = false;
  const end = () => void (answered = true);
  answer.then(end, end);
  while (!answered) {
    assemblers().forEach((pid) => process.kill(pid, 'SIGKILL'));
    await setTimeout(5);
  }
  return answer;
}

/** The processes of this test that prepare labels. */
function assemblers(): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid = 0, parent] = line.trim().split(/\s+/).map(Number);
    return parent === process.pid && line.includes('assembly-process') ? [pid] : [];
  });
}
