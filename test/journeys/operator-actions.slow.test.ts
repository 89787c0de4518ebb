import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Answer, type Service, startService, until } from '../support/harness.js';

const { oneParcel, withoutPostalCode } = sampleShipments;

let service: Service;

const start = () =>
  startService({
    config: (config) => ({
      ...config,
      rules: [
        {
          name: 'a carrier that is down',
          when: { carrierName: 'Pretend', termsOfDelivery: 'down' },
          use: { account: 'pretend', service: 'down:1000' },
        },
        ...config.rules,
      ],
    }),
  });

beforeAll(async () => {
  service = await start();
});
afterAll(() => service.stop());

interface Setup {
  readonly id: string;
  readonly documentId: number;
}

async function rested(documentId: number): Promise<Setup> {
  await until('it comes to rest', async () => (await service.consignmentOf(documentId))?.dueAt === null);
  return { id: (await service.consignmentOf(documentId)).id, documentId };
}

const booked = (carrierName: string, changes = {}) =>
  rested(service.book(service.ship(oneParcel, { carrierName, ...changes })));

/** How a consignment gets into each state; named as in the README. */
const STATES = {
  'waiting for a carrier that is down': async () => {
    const documentId = service.book(service.ship(oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'down' }));
    const waits = async () => (await service.look(documentId)).consignment?.parts.length > 0;
    await until('it waits', waits);
    return { id: (await service.consignmentOf(documentId)).id, documentId };
  },
  'in doubt, waiting for a person': async () => {
    // One that knows of no lost answer: after one it would first ask the carrier, which takes the fault.
    await service.stop();
    service = await start();
    service.control.addFault({ target: 'gls-dk', kind: 'drop-after' });
    return booked('GLS');
  },
  'closed, by a carrier that takes no cancellations': () => booked('GLS'),
  'closed, by a carrier that cancels': () => booked('DAO'),
  'closed, by a carrier that will refuse to cancel': async () => {
    const setup = await booked('DAO');
    const body = { status: 'FEJL', fejlkode: 999, fejltekst: 'Pakken er afsendt' };
    service.control.addFault({ target: 'dao', path: 'nnuller', kind: 'status', status: 200, body });
    return setup;
  },
  refused: () => rested(service.book(service.ship(withoutPostalCode, { carrierName: 'GLS' }))),
  incomplete: async () => {
    const body = { messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' };
    // A busy machine may get the answer too late, and attaches the label again.
    const refused = { path: '/attachments', kind: 'status', status: 422, body, times: 'always' } as const;
    service.control.addFault({ target: 'ims', ...refused });
    const setup = await booked('DAO');
    service.control.clearFaults();
    return setup;
  },
  cancelled: async () => {
    const setup = await booked('DAO');
    await service.act(setup, 'cancel');
    await until('it is cancelled', async () => (await shown(setup)).state === 'cancelled');
    return rested(setup.documentId);
  },
  skipped: async () => {
    const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
    const { documentId, eventId } = service.bookQuietly(shipmentId);
    await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'DONE' });
    await service.send({
      ...{ eventType: 'documentCreated', eventId, contextId: 1, documentId, documentType: 'TRANSPORT_BOOKING' },
      ...{ shipmentId, shipmentIds: [shipmentId] },
    });
    return rested(documentId);
  },
} as const satisfies Record<string, () => Promise<Setup>>;

const shown = async ({ id }: Setup) => (await service.operator(`/consignments/${id}`)).body;

type Action = 'cancel' | 'retry' | 'reprint' | 'resolve';
/** What the operator reads, the state afterwards, and what the worker is told. */
type Row = readonly [
  state: keyof typeof STATES,
  action: Action,
  status: 202 | 409,
  words: RegExp,
  after: { readonly result?: string; readonly state: string; readonly told: readonly string[] },
];

const notInDoubt = /not in doubt/;
const TABLE: readonly Row[] = [
  [
    'waiting for a carrier that is down',
    'cancel',
    202,
    /Nothing was booked yet/,
    { result: 'done', state: 'cancelled', told: [] },
  ],
  ['waiting for a carrier that is down', 'retry', 202, /being worked on/, { result: 'pending', state: '', told: [] }],
  ['waiting for a carrier that is down', 'reprint', 409, /no label/, { state: '', told: [] }],
  ['waiting for a carrier that is down', 'resolve', 409, notInDoubt, { state: '', told: [] }],
  [
    'in doubt, waiting for a person',
    'cancel',
    202,
    /use "resolve"/,
    { result: 'pending', state: 'in-doubt', told: [] },
  ],
  ['in doubt, waiting for a person', 'retry', 409, /use "resolve"/, { state: 'in-doubt', told: [] }],
  ['in doubt, waiting for a person', 'reprint', 409, /no label/, { state: 'in-doubt', told: [] }],
  [
    'in doubt, waiting for a person',
    'resolve',
    202,
    /has ended the booking.*may still be booked/,
    { result: 'refused', state: 'refused', told: ['WARNING'] },
  ],
  [
    'closed, by a carrier that takes no cancellations',
    'cancel',
    409,
    /takes no cancellations.*still booked as number \w+.*portal/,
    { state: 'closed', told: [] },
  ],
  ['closed, by a carrier that takes no cancellations', 'retry', 409, /"reprint" prints/, { state: 'closed', told: [] }],
  [
    'closed, by a carrier that takes no cancellations',
    'reprint',
    202,
    /handed to the printer/,
    { result: 'done', state: 'closed', told: [] },
  ],
  ['closed, by a carrier that takes no cancellations', 'resolve', 409, notInDoubt, { state: 'closed', told: [] }],
  [
    'closed, by a carrier that cancels',
    'cancel',
    202,
    /is cancelled with DAO/,
    { result: 'done', state: 'cancelled', told: ['INFO'] },
  ],
  [
    'closed, by a carrier that will refuse to cancel',
    'cancel',
    202,
    /Pakken er afsendt.*still booked/,
    { result: 'refused', state: 'closed', told: ['ERROR'] },
  ],
  ['refused', 'cancel', 409, /nothing is booked/, { state: 'refused', told: [] }],
  ['refused', 'retry', 202, /Could not book/, { result: 'refused', state: 'refused', told: [] }],
  ['refused', 'reprint', 409, /no label/, { state: 'refused', told: [] }],
  ['refused', 'resolve', 409, notInDoubt, { state: 'refused', told: [] }],
  ['incomplete', 'cancel', 202, /is cancelled with DAO/, { result: 'done', state: 'cancelled', told: ['INFO'] }],
  ['incomplete', 'retry', 202, /All parcels are booked/, { result: 'done', state: 'closed', told: [] }],
  ['incomplete', 'reprint', 409, /not attached in the IMS.*labels\/0/, { state: 'incomplete', told: [] }],
  ['incomplete', 'resolve', 409, notInDoubt, { state: 'incomplete', told: [] }],
  ['cancelled', 'cancel', 409, /cancelled already/, { state: 'cancelled', told: [] }],
  ['cancelled', 'retry', 409, /new transport booking/, { state: 'cancelled', told: [] }],
  ['cancelled', 'reprint', 409, /must not be used/, { state: 'cancelled', told: [] }],
  ['cancelled', 'resolve', 409, notInDoubt, { state: 'cancelled', told: [] }],
  ['skipped', 'cancel', 409, /nothing is booked/, { state: 'skipped', told: [] }],
  [
    'skipped',
    'retry',
    202,
    /done or taken by another program or person, or the shipment is of another area/,
    { result: 'refused', state: 'skipped', told: [] },
  ],
  ['skipped', 'reprint', 409, /no label/, { state: 'skipped', told: [] }],
  ['skipped', 'resolve', 409, notInDoubt, { state: 'skipped', told: [] }],
];

function act(setup: Setup, action: Action): Promise<Answer> {
  return service.act(setup, action, action === 'resolve' ? { answer: 'give-up' } : {});
}

describe('an action of an operator ends in a result that is seen', () => {
  it.each(TABLE)('%s: %s is answered %i', async (...[state, action, status, words, after]: Row) => {
    const setup = await STATES[state]();
    const before = await service.look(setup.documentId);
    const earlier = before.consignment.lastAction;
    const answer = await act(setup, action);
    expect([answer.status, answer.status === 409 ? answer.body.detail : '']).toEqual([status, expect.anything()]);
    if (status === 409) {
      expect(answer.body.detail).toMatch(words);
      expect((await shown(setup)).lastAction).toEqual(earlier);
    } else {
      expect(answer.body.lastAction).toMatchObject({ action, by: 'operator', at: expect.any(String) });
      const ended = async () => (await shown(setup)).lastAction.result === after.result;
      await until(`${action} is ${String(after.result)}`, ended);
      expect((await shown(setup)).lastAction.text).toMatch(words);
    }
    if (after.state !== '') {
      await until('it rests', async () => (await shown(setup)).dueAt === null);
      expect((await shown(setup)).state).toBe(after.state);
    }
    const told = (await service.look(setup.documentId)).messages.slice(before.messages.length);
    expect(told.map(({ type }) => type)).toEqual(after.told);
  });
});

describe('what is seen afterwards', () => {
  it('keeps the numbers of what was booked and is cancelled', async () => {
    const setup = await booked('DAO');
    const { parcels, carrierNumber } = await shown(setup);
    expect(parcels).toMatchObject([{ state: 'booked', trackingNumber: expect.stringMatching(/^\d+$/) }]);
    await service.act(setup, 'cancel');
    await until('it is cancelled', async () => (await shown(setup)).state === 'cancelled');
    const after = await shown(setup);
    expect(after.parcels).toEqual(parcels.map((parcel: object) => ({ ...parcel, state: 'cancelled' })));
    expect(after.carrierNumber).toBe(carrierNumber);
    const found = await service.operator(`/consignments?q=${carrierNumber}`);
    expect(found.body.consignments).toMatchObject([{ id: setup.id, parcels: after.parcels }]);
  });

  it('tells the worker after a retry what is new, and says what stands there already once', async () => {
    const setup = await STATES.refused();
    const [shipmentId] = service.document(setup.documentId).shipmentIds;
    const messages = async () => (await service.look(setup.documentId)).messages;
    expect(await messages()).toHaveLength(1);
    await service.act(setup, 'retry');
    await until('it is refused again', async () => (await shown(setup)).lastAction.result === 'refused');
    await rested(setup.documentId);
    expect(await messages()).toHaveLength(1);
    await service.ims(`PATCH /shipments/${shipmentId}`, { deliveryAddress_cityTownOrVillage: '' });
    await service.act(setup, 'retry');
    await until('it is told anew', async () => (await messages()).length === 2);
  });

  it('says of a print without an answer that nobody knows', async () => {
    const setup = await booked('DAO');
    service.control.addFault({ target: 'ims', path: 'printResource', kind: 'drop-after' });
    const answer = await service.act(setup, 'reprint');
    expect([answer.status, answer.body.lastAction]).toEqual([
      202,
      expect.objectContaining({
        action: 'reprint',
        result: 'unknown',
        text: expect.stringContaining('look at the printer'),
      }),
    ]);
  });
});
