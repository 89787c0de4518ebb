import { describe, expect, it } from '@jest/globals';
import { drawLabels } from '../../carriers/toolkit/simulator/label.js';
import type { ConsignmentView, PartView } from './child/protocol.js';
import { pagesOf, readsLabels } from './label-pages.js';
import { type CarrierBooking, type FinalState, checkFinalState } from './crash-stage.js';

const DOCUMENT = 501;
const BOXES = ['71', '72'];

function part(changes: Partial<PartView> = {}): PartView {
  return { n: 1, state: 'booked', reference: '10045', containers: BOXES, trackingNumbers: ['P1', 'P2'], ...changes };
}

function consignment(changes: Partial<ConsignmentView> = {}): ConsignmentView {
  return {
    ...{ id: 'c-1', documentId: String(DOCUMENT), shipmentId: '601', eventId: 'e-1', state: 'closed', run: 1 },
    ...{ carrier: 'pretend', needsOperator: false, dueAt: null, leaseUntil: null, own: false },
    ...{ parts: [part()], effects: [] },
    ...changes,
  };
}

function booking(changes: Partial<CarrierBooking> = {}): CarrierBooking {
  return {
    ...{ carrier: 'pretend', reference: '10045', carrierNumber: 'B1', state: 'booked' },
    ...{ trackingNumbers: ['P1', 'P2'], parcelIds: BOXES },
    ...changes,
  };
}

interface Scene {
  readonly consignments?: readonly ConsignmentView[];
  readonly bookings?: readonly CarrierBooking[];
  /** What the IMS has for each container. */
  readonly numbers?: readonly string[];
  /** What stands on the pages of the attached label. */
  readonly pages?: readonly string[];
  readonly status?: string;
  readonly documents?: number;
  /** How often its error sheet was printed. */
  readonly sheets?: number;
  readonly messages?: readonly { readonly messageType: string; readonly messageText: string }[];
}

/** A shipment of two containers that was booked as it should be, but for what the scene says. */
function complaints(scene: Scene): readonly string[] {
  const { numbers = ['P1', 'P2'], pages = ['no P1', 'no P2'], consignments = [consignment()] } = scene;
  const documents = Array.from({ length: scene.documents ?? 1 }, (_none, index) => ({
    ...{ id: DOCUMENT + index, documentType: 'TRANSPORT_BOOKING', workStatus: scene.status ?? 'DONE' },
    shipmentIds: [601],
  }));
  const state = {
    documents,
    shipments: [{ id: 601, shipmentNumber: '10045', carriersShipmentNumber: 'B1' }],
    shippingContainers: BOXES.map((id, index) => ({ id: Number(id), shipmentId: 601, trackingNumber: numbers[index] })),
    messages: (scene.messages ?? []).map((message) => ({ ...message, eventId: 'e-1' })),
    ...{ events: [], attachments: [] },
    prints: Array.from({ length: scene.sheets ?? 0 }, () => ({ body: { fileName: `NO_LABEL_${DOCUMENT}.pdf` } })),
  } as unknown as FinalState['state'];
  const file = Buffer.from('a label');
  const context: FinalState = {
    ...{ state, requests: [], stalls: [], output: '' },
    bookings: scene.bookings ?? [booking()],
    fileOf: (id) => (id === DOCUMENT ? file : null),
    pagesOf: () => pages,
    rows: { events: [], consignments, tasks: [], labels: [], nowMs: 0 },
  };
  // The file here is no label that anybody has stored.
  return checkFinalState(context).filter((line) => !line.includes('another label than we'));
}

const failed = { status: 'FAILED', bookings: [], consignments: [consignment({ state: 'refused', parts: [] })] };
const again = consignment({
  ...{ id: 'c-2', documentId: null, eventId: 'e-2' },
  parts: [part({ reference: '10045.2', trackingNumbers: ['P3', 'P4'] })],
});
const second = booking({ reference: '10045.2', trackingNumbers: ['P3', 'P4'] });

describe('the check of a world', () => {
  it('finds nothing where all is well', () => {
    expect(complaints({})).toEqual([]);
  });

  it.each<readonly [string, Scene, RegExp]>([
    [
      'one shipment booked under two references for one document',
      { consignments: [consignment(), again], bookings: [booking(), second] },
      /^\(2\) shipment 10045 is booked as pretend 10045, pretend 10045\.2/,
    ],
    [
      'a refusal of which the worker only heard that it takes longer',
      { ...failed, messages: [{ messageType: 'WARNING', messageText: 'it takes longer' }] },
      /^\(3\) nobody was told/,
    ],
    ['numbers that two containers have exchanged', { numbers: ['P2', 'P1'] }, /^\(4\) 501: .* container 71/],
    [
      'numbers exchanged where the carrier is not told which parcel is which',
      { numbers: ['P2', 'P1'], bookings: [{ ...booking(), parcelIds: undefined as never }] },
      /^\(4\) 501: .* container 72/,
    ],
    ['one number for both', { numbers: ['P1', 'P1'] }, /^\(4\) 501 has one number twice/],
    ['labels in another order', { pages: ['no P2', 'no P1'] }, /^\(9\) the label of 501 has another number/],
    ['an error sheet that was printed twice', { sheets: 2 }, /^\(9\) the error sheet of 501 was printed 2 times/],
    ['a page that is missing', { pages: ['no P1'] }, /^\(9\) the label of 501 has 1 pages for 2 containers/],
  ])('notices %s', (_what, scene, complaint) => {
    expect(complaints(scene).filter((line) => complaint.test(line))).not.toEqual([]);
  });

  it('lets each run, which a person may begin, print an error sheet of its own', () => {
    expect(complaints({ consignments: [consignment({ run: 2 })], sheets: 2 })).toEqual([]);
  });

  it('lets a second document have a booking of its own', () => {
    const scene = { documents: 2, consignments: [consignment(), again], bookings: [booking(), second] };
    expect(complaints(scene).filter((line) => line.startsWith('(2)'))).toEqual([]);
  });

  it('takes an error for an answer', () => {
    expect(complaints({ ...failed, messages: [{ messageType: 'ERROR', messageText: 'no' }] })).toEqual([]);
  });

  (readsLabels ? it : it.skip)(
    `reads what carriers print${readsLabels ? '' : ' (skipped: no pdftotext)'}`,
    async () => {
      const about = { carrierName: 'GLS', service: 'parcel', sender: ['A'], recipient: ['B'], weightGrams: 1_000 };
      const labels = ['T0000001', 'T0000002'].map((trackingNumber) => ({
        ...about,
        trackingNumber,
        reference: '10045',
      }));
      const pages = pagesOf(Buffer.from(await drawLabels(labels, { widthMm: 100, heightMm: 150 })));
      expect(pages).toEqual([expect.stringContaining('T0000001'), expect.stringContaining('T0000002')]);
    },
  );
});
