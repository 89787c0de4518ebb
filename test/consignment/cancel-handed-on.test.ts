import { describe, expect, it, jest } from '@jest/globals';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import { CarrierRejected, CarrierUnavailable } from '../../carriers/contract/errors.js';
import { type Consignment, type Part, bookedParcels } from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { aboutToCancel } from '../../src/consignment/machine/cancelling.js';
import { nextStep } from '../../src/consignment/machine/next-step.js';
import { cancelOwn } from '../../src/consignment/steps/cancel.js';
import { bookedPart, consignment, plan, transitionContext, bookingContext } from '../support/consignments.js';
import { rowOf } from '../support/consignment-row.js';
import { ModelClock } from '../support/model-carrier.js';

const WISH = { eventId: 'e-9', userId: null, deviceName: null, by: 'document' } as const;
const START = new Date('2030-03-04T12:00:00Z');
/** More than the attempts at a cancellation. */
const MANY = 100;

type Cancel = NonNullable<CarrierAccount['cancel']>;

const refusal = () => new CarrierRejected([{ code: null, text: 'it was collected', parcelId: null }]);

/** A booking of a shipment, the later one of which has taken over the second parcel of the earlier one. */
function booking(id: string, turn: number, ...parts: readonly Part[]): Consignment {
  const containers = parts.map(({ n }) => `box-${n}`);
  const state = turn === 1 ? 'incomplete' : 'closed';
  return consignment({
    ...{ id, state, documentId: `d-${id}`, plan: { ...plan(containers), turn }, parts },
    ...{ cancelRequest: WISH, reference: `10045-${turn}` },
  });
}

class Shipment {
  readonly clock = new ModelClock(START);
  readonly cancel = jest.fn<Cancel>();
  earlier = booking('earlier', 1, bookedPart(1), bookedPart(2));
  later = booking('later', 2, bookedPart(2), bookedPart(3));
  private readonly world = bookingContext({ cancel: this.cancel } as unknown as CarrierAccount, {}, this.clock);

  /** Cancels the earlier one, as often as it is due. */
  async cancelEarlier(times = 1): Promise<void> {
    for (let count = 0; count < times && nextStep(this.earlier).kind === 'cancel'; count += 1) {
      this.earlier = await this.cancelled(this.earlier, this.later);
      this.clock.pass(Math.max(0, (this.earlier.dueAt?.getTime() ?? 0) - this.clock.now().getTime()));
    }
  }

  async cancelLater(): Promise<void> {
    this.later = await this.cancelled(this.later, this.earlier);
    this.later = { ...this.later, dueAt: null };
  }

  private async cancelled(one: Consignment, other: Consignment): Promise<Consignment> {
    const database = { ...this.world.database, query: async () => [rowOf(other)] as never };
    let sent = one;
    const intend = async (isSent: (part: Part) => boolean) => (sent = aboutToCancel(one, isSent));
    const fact = await cancelOwn({ ...this.world, database }, one, intend);
    return apply(sent, fact, transitionContext({ now: this.clock.now() }));
  }

  /** The numbers of the parcels that the carrier was asked to cancel. */
  asked(): readonly string[] {
    return this.cancel.mock.calls.flatMap(([{ parcels }]) =>
      parcels.flatMap((parcel) => (parcel.kind === 'booked' ? [parcel.trackingNumber] : [])),
    );
  }
}

const told = ({ effects }: Consignment) =>
  effects.flatMap(({ call }) => (call.kind === 'message' ? [call.message] : []));

describe('a booking of which a later one, that is being cancelled too, has taken over a parcel', () => {
  it('has its own parcels cancelled at once', async () => {
    const shipment = new Shipment();
    shipment.cancel.mockResolvedValue({ kind: 'cancelled' });
    await shipment.cancelEarlier();
    expect(shipment.asked()).toEqual(['T-box-1']);
    expect(bookedParcels(shipment.earlier).map(({ parcelId }) => parcelId)).toEqual(['box-2']);
  });

  it('waits for as long as the later one is not answered, and says then what became of all its parcels', async () => {
    const shipment = new Shipment();
    shipment.cancel.mockResolvedValue({ kind: 'cancelled' });
    await shipment.cancelEarlier(MANY);
    expect(shipment.earlier).toMatchObject({ cancelRequest: WISH, attempts: 0 });
    expect(told(shipment.earlier)).toEqual([]);
    expect(shipment.earlier.parts.filter(({ leftToPerson }) => leftToPerson)).toEqual([]);
    await shipment.cancelLater();
    await shipment.cancelEarlier();
    expect(shipment.earlier).toMatchObject({ cancelRequest: null, outcome: 'cancelled' });
    expect(told(shipment.earlier)).toMatchObject([{ key: 'cancelled' }]);
  });

  it('names its own cancelled parcels beside those that the later one keeps', async () => {
    const shipment = new Shipment();
    shipment.cancel.mockResolvedValueOnce({ kind: 'cancelled' });
    await shipment.cancelEarlier(MANY);
    shipment.cancel.mockRejectedValue(refusal());
    await shipment.cancelLater();
    await shipment.cancelEarlier();
    expect(told(shipment.earlier)).toMatchObject([
      { key: 'cancel-handed-on-refused', values: { carrierNumber: 'C-2' } },
      { key: 'cancelled', values: { carrierNumber: 'C-1' } },
    ]);
  });

  it('asks for a refused parcel once more when the later one is answered, not at every look', async () => {
    const shipment = new Shipment();
    shipment.cancel.mockRejectedValue(refusal());
    await shipment.cancelEarlier(MANY);
    expect(shipment.asked()).toEqual(['T-box-1']);
    await shipment.cancelLater();
    await shipment.cancelEarlier();
    expect(shipment.asked()).toEqual(['T-box-1', 'T-box-2', 'T-box-3', 'T-box-1']);
    expect(told(shipment.earlier).map(({ key }) => key)).toEqual(['cancel-handed-on-refused', 'cancel-refused']);
  });

  it('keeps its attempts for its own parcels', async () => {
    const shipment = new Shipment();
    shipment.earlier = booking('earlier', 1, bookedPart(2));
    await shipment.cancelEarlier(MANY);
    expect(shipment.cancel).not.toHaveBeenCalled();
    expect(shipment.earlier).toMatchObject({ cancelRequest: WISH, attempts: 0 });
  });

  it('is told of its own parcels that the carrier did not answer about, with the others', async () => {
    const shipment = new Shipment();
    shipment.cancel.mockRejectedValue(new CarrierUnavailable('status 503'));
    await shipment.cancelEarlier(MANY);
    expect(told(shipment.earlier)).toEqual([]);
    shipment.later = { ...shipment.later, cancelRequest: null, dueAt: null };
    shipment.later = {
      ...shipment.later,
      parts: shipment.later.parts.map((part) => ({ ...part, leftToPerson: true })),
    };
    await shipment.cancelEarlier();
    expect(told(shipment.earlier).map(({ key }) => key)).toEqual(['cancel-handed-on-refused', 'cancel-unanswered']);
    expect(shipment.earlier.parts.map(({ leftToPerson = false }) => leftToPerson)).toEqual([true, false]);
  });

  it('is told to cancel them at the carrier where the later one waits for a person', async () => {
    const shipment = new Shipment();
    shipment.earlier = booking('earlier', 1, bookedPart(2));
    shipment.later = { ...shipment.later, needsOperator: true, dueAt: null };
    await shipment.cancelEarlier();
    expect(told(shipment.earlier)).toMatchObject([{ key: 'cancel-handed-on-open', values: { carrierNumber: 'C-2' } }]);
    expect(shipment.earlier.parts.map(({ leftToPerson = false }) => leftToPerson)).toEqual([false]);
  });
});

it('a booking whose parcels are cancelled one after the other is told of all of them', async () => {
  const shipment = new Shipment();
  shipment.earlier = { ...booking('earlier', 1, bookedPart(1), bookedPart(4)), state: 'closed' };
  shipment.cancel.mockResolvedValueOnce({ kind: 'cancelled' });
  shipment.cancel.mockRejectedValueOnce(new CarrierUnavailable('status 503'));
  await shipment.cancelEarlier();
  shipment.cancel.mockRejectedValueOnce(refusal());
  await shipment.cancelEarlier();
  expect(told(shipment.earlier)).toMatchObject([
    { key: 'cancel-partly', values: { cancelled: 'T-box-1', remaining: 'T-box-4' } },
  ]);
});

it('a booking with a document is cancelled where an early version, which did not number plans, had it take over a packing event that came after it', async () => {
  const shipment = new Shipment();
  shipment.cancel.mockResolvedValue({ kind: 'cancelled' });
  const unnumbered = (one: Consignment) => ({ ...one, plan: plan(one.plan?.containers ?? []) });
  const createdAt = new Date(START.getTime() + 60_000);
  shipment.earlier = { ...unnumbered(shipment.earlier), documentId: null, createdAt };
  shipment.later = unnumbered(shipment.later);
  await shipment.cancelLater();
  expect(shipment.asked()).toEqual(['T-box-2', 'T-box-3']);
  await shipment.cancelEarlier();
  expect(told(shipment.earlier)).toMatchObject([{ key: 'cancelled' }]);
});
