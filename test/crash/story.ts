import { setTimeout as pause } from 'node:timers/promises';
import { carriers } from '../../carriers/index.js';
import { type SampleShipment, sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Death } from './child/protocol.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';

const { oneParcel, threeParcels, toNorway, withoutPostalCode } = sampleShipments;
const CANCELS_WITHIN_MS = 20_000;
const POLL_MS = 15;

const twoParcels: SampleShipment = { ...oneParcel, containers: [...oneParcel.containers, ...oneParcel.containers] };

/** It leaves the customs area, so that papers are made for it. */
const declared: SampleShipment = {
  ...toNorway,
  shipment: {
    ...toNorway.shipment,
    shipmentLines: [
      {
        ...{ stockKeepingUnit: 'CRASH-TENT', productName: 'Tent', numItemsOrdered: 1, salesPrice: 1299, weight: 2.4 },
        ...{ countryOfOriginCode: 'CN', harmonizedSystemCode: '630622' },
      },
    ],
  },
};

/** What happens in the warehouse while the service lives and dies. */
export type Story = (sandbox: Sandbox) => Promise<void>;

/** Of every kind one: what is booked part by part, what can be asked, what cannot, what is refused, what is cancelled. */
export async function tellStory(sandbox: Sandbox): Promise<void> {
  const { control } = sandbox;
  ship(sandbox, twoParcels, 'DAO');
  ship(sandbox, threeParcels, 'Pretend');
  ship(sandbox, oneParcel, 'GLS');
  ship(sandbox, withoutPostalCode, 'GLS');
  ship(sandbox, declared, 'GLS');
  const regretted = ship(sandbox, oneParcel, 'Pretend');
  control.createShipment({ area: 1, shipment: { ...oneParcel.shipment }, containers: [], event: 'send' });
  await cancelOnceBooked(sandbox, regretted);
}

/** `tellStory` books with these; a fleet of one's own has no books but ours. */
const IN_THE_STORY = ['pretend', 'dao', 'gls-dk', 'own-fleet'];

export const otherCarriers = carriers.filter(({ adapter }) => !IN_THE_STORY.includes(adapter.id));

/** Two parcels with each of the other carriers. */
export const tellOfOtherCarriers = tellOf(otherCarriers);

function tellOf(some: typeof carriers): Story {
  return async (sandbox) => {
    for (const { adapter } of some) ship(sandbox, twoParcels, adapter.name);
  };
}

/** Two parcels with each of the other carriers at which the service shall die. */
export function tellOfCarriersIn(deaths: readonly Death[]): Story {
  return tellOf(otherCarriers.filter(({ adapter }) => deaths.some(({ moment }) => moment.includes(`/${adapter.id}/`))));
}

interface Order {
  readonly carrierName: string;
  /** 1 when not given. */
  readonly area?: number;
  /** By which rules choose; the sample's when not given. */
  readonly termsOfDelivery?: string;
}

/** A shipment whose labels are asked for. @returns the document that asks for its labels, and the shipment's number */
export function ship({ control }: Sandbox, sample: SampleShipment, to: string | Order) {
  const { area = 1, ...changes } = typeof to === 'string' ? { carrierName: to } : to;
  const { containers } = sample;
  const { id } = control.createShipment({ area, shipment: { ...sample.shipment, ...changes }, containers });
  const shipmentNumber = String(control.state().shipments.find((row) => row.id === id)?.shipmentNumber);
  return { documentId: control.createTransportBooking(id).id, shipmentNumber };
}

async function cancelOnceBooked(
  { control }: Sandbox,
  { documentId, shipmentNumber }: ReturnType<typeof ship>,
): Promise<void> {
  const end = Date.now() + CANCELS_WITHIN_MS;
  const isBooked = () => control.bookings('pretend')?.some(({ reference }) => reference === shipmentNumber) === true;
  while (!isBooked() && Date.now() < end) await pause(POLL_MS);
  control.cancelDocument(documentId);
}
