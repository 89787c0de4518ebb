import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { allTexts, bookingsOf, cancelAnswered, toldOf } from '../support/endings.js';
import { type Ending, type Service, parcels, startService, until } from '../support/harness.js';

const CANCEL = '/AnnullerePakke\\.php$';
const ORDER = '/DAODirekte/leveringsordre';
const NO = { status: 'FEJL', fejlkode: '42', fejltekst: 'Pakken er afhentet' };
const refuses = { target: 'dao', kind: 'status', status: 200, body: NO } as const;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(() => {
  service.control.clearFaults();
});

const statesOf = (ending: Ending) => bookingsOf(service, ending).map(({ state }) => state);

describe('a cancellation that the carrier has refused', () => {
  it('leaves the booking booked, however often it is asked for', async () => {
    service.control.addFault({ ...refuses, path: CANCEL, times: 'always' });
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'DAO' });
    const first = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(first.documentId);
    expect((await cancelAnswered(service, first, 1)).consignment.state).toBe('closed');
    await service.act(first.consignment, 'cancel');
    expect((await cancelAnswered(service, first, 2)).consignment.state).toBe('closed');
    expect(statesOf(first)).toEqual(['booked']);
    expect(allTexts(service).filter((text) => text.includes('answer was lost'))).toEqual([]);
  });

  it('leaves the booking booked after a status 429, which did nothing', async () => {
    service.control.addFault({ target: 'dao', kind: 'status', status: 429, path: CANCEL });
    service.control.addFault({ ...refuses, path: CANCEL, after: 1 });
    const shipmentId = service.ship(sampleShipments.oneParcel, { carrierName: 'DAO' });
    const { documentId } = await service.ending(service.book(shipmentId));
    service.control.cancelDocument(documentId);
    const told = () => toldOf(service, { documentId }).filter((text) => text.includes(NO.fejltekst));
    await until('its worker is told', () => told().length > 0);
    expect(told()).toEqual([expect.stringContaining('Could not cancel')]);
    const ending = await service.ending(documentId);
    expect([ending.consignment.state, ...statesOf(ending)]).toEqual(['closed', 'booked']);
  });

  it('is shown to the operator when the IMS does not take the message to the worker', async () => {
    service.control.addFault({ ...refuses, path: CANCEL });
    const ending = await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' });
    const body = { messageCode: 'invalid_Message', messageText: 'The event is too old.' };
    // A busy machine may get the answer too late, and sends the message again.
    const refused = { path: '/messages', kind: 'status', status: 422, body, times: 'always' } as const;
    service.control.addFault({ target: 'ims', ...refused });
    service.control.cancelDocument(ending.documentId);
    const untold = async () => {
      const { needsPerson } = (await service.operator('/overview')).body as {
        readonly needsPerson: { readonly notTold: readonly { kind: string }[] };
      };
      return needsPerson.notTold.filter(({ kind }) => kind === 'untold-worker');
    };
    await until('the operator sees it', async () => (await untold()).length > 0);
    service.control.clearFaults();
    const { id } = ending.consignment;
    expect(await untold()).toMatchObject([{ account: 'dao', count: 1, list: `/consignments/${id}` }]);
    const { body: shown } = await service.operator(`/consignments/${id}`);
    expect(JSON.stringify(shown)).toContain(NO.fejltekst);
    expect(JSON.stringify(shown)).toContain('The worker was not told');
  });

  it('is not taken for one without an answer when the next document takes back what it took over', async () => {
    const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
    service.control.addFault({ ...refuses, path: ORDER, after: 1 });
    service.control.addFault({ ...refuses, path: CANCEL, times: 2 });
    const first = await service.ending(service.book(shipmentId));
    expect(first.consignment.state).toBe('incomplete');
    service.control.addFault({ ...refuses, path: ORDER });
    const second = await service.ending(service.book(shipmentId));
    expect(second.consignment.state).toBe('incomplete');
    expect((await service.ending(service.book(shipmentId))).workStatus).toBe('DONE');
    expect(statesOf(first)).toEqual(['booked', 'booked']);
  });
});
