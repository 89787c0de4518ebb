import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import {
  type Answer,
  type Config,
  type Ending,
  type Service,
  parcels,
  startService,
  until,
} from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** Of area 1. */
const WAREHOUSE = 'Nordhavn Lager A/S';
const RETURNS = '/returns$';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(() => service.control.clearFaults());

const book = (carrierName: string, sample = oneParcel, changes: object = {}) =>
  service.run(sample, { carrierName, ...changes });

const pathOf = ({ consignment }: Ending, parcel?: unknown) =>
  `/consignments/${consignment.id}/return-label${parcel === undefined ? '' : `?parcel=${String(parcel)}`}`;
const make = (booked: Ending, parcel?: unknown) => service.operator(pathOf(booked, parcel), { method: 'POST' });
const look = (booked: Ending, parcel?: unknown) => service.operator(pathOf(booked, parcel));
const resolve = (booked: Ending, body: object) =>
  service.operator(`${pathOf(booked)}/resolve`, { method: 'POST', body });

const madeBy = (carrier: string, { consignment }: Ending) =>
  (service.control.returns(carrier) ?? []).filter(({ reference }) => reference.startsWith(`${consignment.reference}-`));

const pagesOf = async ({ bytes }: Answer) => (await PDFDocument.load(bytes)).getPageCount();

function expectProblem({ status, type, body }: Answer, expected: number, words: RegExp): void {
  expect([status, type]).toEqual([expected, expect.stringContaining('application/problem+json')]);
  expect(body.detail).toMatch(words);
}

describe('a return label', () => {
  it('is made from the customer to the warehouse, with a number and a PDF of its own', async () => {
    const booked = await book('Pretend');
    const { status, body } = await make(booked);
    expect(status).toBe(200);
    const [made, ...more] = madeBy('pretend', booked);
    expect(more).toEqual([]);
    expect(body).toMatchObject({
      state: 'made',
      reference: made?.reference,
      trackingNumber: made?.trackingNumber,
      carrier: 'Pretend',
      whatToDo: null,
    });
    expect(booked.trackingNumbers).not.toContain(body.trackingNumber);
    const { addressee } = oneParcel.shipment.deliveryAddress as { addressee: string };
    expect(made?.sender[0]).toBe(addressee);
    expect(made?.recipient[0]).toBe(WAREHOUSE);
    const label = await service.operator(body.label.replace('/api/v1', ''));
    expect([label.type, await pagesOf(label)]).toEqual(['application/pdf', 1]);
  });

  it('is shown by a GET, which asks the carrier for nothing', async () => {
    const booked = await book('Pretend');
    const { body } = await make(booked);
    const mark = service.mark();
    expect(await look(booked)).toMatchObject({ status: 200, body });
    expect(service.requestsSince(mark, 'pretend')).toEqual([]);
  });

  it('is one for a parcel, however often it is asked for', async () => {
    const booked = await book('Pretend');
    const { body } = await make(booked);
    expect(await make(booked)).toMatchObject({ status: 200, body });
    expect(madeBy('pretend', booked)).toHaveLength(1);
  });

  it('is one for a parcel, when two ask at the same time', async () => {
    const booked = await book('Pretend');
    // Long enough for the other one to come meanwhile.
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'delay', ms: 1_000 });
    const both = await Promise.all([make(booked), make(booked)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 202]);
    expect(madeBy('pretend', booked)).toHaveLength(1);
    expect(await look(booked)).toMatchObject({ status: 200, body: { state: 'made' } });
  });

  it('of one of several parcels is for the parcel that is named, by its container or tracking number', async () => {
    const booked = await book('Pretend', parcels(2));
    const [first, second] = booked.consignment.parcels;
    expectProblem(await make(booked), 400, new RegExp(`${first.containerId}.*${second.containerId}`));
    const { body } = await make(booked, second.trackingNumber);
    expect(body).toMatchObject({ state: 'made', containerId: second.containerId });
    expect(await look(booked, second.containerId)).toMatchObject({ body });
    expectProblem(await look(booked, first.containerId), 404, /POST/);
    expect((await make(booked, first.containerId)).body.reference).not.toBe(body.reference);
    expect(madeBy('pretend', booked)).toHaveLength(2);
  });

  it('stays when the booking is cancelled, and no other can be made then', async () => {
    const booked = await book('Pretend', parcels(2));
    const [first, second] = booked.consignment.parcels;
    const { body } = await make(booked, first.containerId);
    await service.act(booked.consignment, 'cancel');
    await until(
      'it is cancelled',
      async () => (await service.look(booked.documentId)).consignment.state === 'cancelled',
    );
    expect(await look(booked, first.containerId)).toMatchObject({ status: 200, body });
    expectProblem(await make(booked, second.containerId), 409, /is cancelled/);
    expect(madeBy('pretend', booked)).toHaveLength(1);
  });

  it('stands in the history of the consignment', async () => {
    const booked = await book('Pretend');
    const { body } = await make(booked);
    const { body: consignment } = await service.operator(`/consignments/${booked.consignment.id}`);
    expect(consignment.history).toContainEqual(
      expect.objectContaining({
        what: 'return label made',
        fields: { reference: body.reference, trackingNumber: body.trackingNumber },
      }),
    );
  });

  it('has a reference that no later shipment gets', async () => {
    const booked = await book('Pretend');
    const { body } = await make(booked);
    const other = await book('Pretend', oneParcel, { shipmentNumber: body.reference });
    expect(other.consignment.reference).toBe(`${body.reference}.2`);
  });

  it('gets its label later, where that cannot be fetched at first', async () => {
    const booked = await book('Pretend');
    service.control.addFault({ target: 'pretend', path: '/labels$', kind: 'status', status: 500, times: 'always' });
    expect((await make(booked)).body).toMatchObject({ state: 'made', label: null, whatToDo: /[Aa]sk for it again/ });
    service.control.clearFaults();
    const { body } = await make(booked);
    expect(body).toMatchObject({ state: 'made', label: expect.any(String), whatToDo: null });
    expect(madeBy('pretend', booked)).toHaveLength(1);
  });
});

describe('the return label of a carrier', () => {
  it.each([
    ['Bring', 'bring'],
    ['GLS', 'gls-dk'],
    ['DAO', 'dao'],
  ])('is made by one request to %s, from the customer to the warehouse, and has its label', async (name, carrier) => {
    const booked = await book(name);
    const mark = service.mark();
    const { body } = await make(booked);
    const [made, ...more] = madeBy(carrier, booked);
    expect(more).toEqual([]);
    expect(body).toMatchObject({ state: 'made', reference: made?.reference, trackingNumber: made?.trackingNumber });
    const { addressee } = oneParcel.shipment.deliveryAddress as { addressee: string };
    expect(made?.sender[0]).toContain(addressee);
    expect(made?.recipient[0]).toContain(WAREHOUSE);
    const orders = service
      .requestsSince(mark, carrier)
      .filter(({ path }) => /api\/booking|CreateShipment|ordre\.php/.test(path));
    expect(orders).toHaveLength(1);
    expect(await pagesOf(await service.operator(body.label.replace('/api/v1', '')))).toBe(1);
  });

  it('that has one order a parcel is for that parcel', async () => {
    const booked = await book('DAO', parcels(2));
    const [, second] = booked.consignment.parcels;
    const { body } = await make(booked, second.containerId);
    expect(body).toMatchObject({ state: 'made', reference: `${booked.consignment.reference}-2-R1` });
  });
});

describe('a return label that is not made', () => {
  it('because the carrier refuses it says so in the words of the carrier, and may be asked for again', async () => {
    const booked = await book('Pretend');
    const errors = [{ code: 'no-returns', text: 'we drive one way only' }];
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'status', status: 422, body: { errors } });
    expectProblem(await make(booked), 422, /we drive one way only.*portal of Pretend/);
    expectProblem(await look(booked), 404, /POST/);
    expect(await make(booked)).toMatchObject({ status: 200, body: { state: 'made' } });
  });

  it('because the carrier is closed may be asked for again, under the same reference', async () => {
    const booked = await book('Pretend', oneParcel, { termsOfDelivery: 'down:1' });
    expectProblem(await make(booked), 503, /closed.*[Aa]sk for it again/);
    const { status, body } = await make(booked);
    expect([status, body.reference]).toEqual([200, `${booked.consignment.reference}-R1`]);
    expect(madeBy('pretend', booked)).toHaveLength(1);
  });

  it('of a shipment that was refused says why', async () => {
    expectProblem(await make(await book('GLS', sampleShipments.withoutPostalCode)), 409, /it is refused/);
  });

  it.each<readonly [string, string, RegExp]>([
    ['a parcel that does not exist', '?parcel=999', /"999"/],
    ['a parameter that does not exist', '?container=1', /container/],
    ['a parcel given twice', '?parcel=1&parcel=2', /parcel/],
  ])('is refused for %s', async (_what, query, words) => {
    const booked = await book('Pretend');
    expectProblem(await service.operator(`${pathOf(booked)}${query}`, { method: 'POST' }), 400, words);
  });

  it('is for operators alone, and of consignments that exist', async () => {
    const answer = await fetch(`${service.url}/api/v1/consignments/x/return-label`, { method: 'POST' });
    expect(answer.status).toBe(401);
    expect((await service.operator('/consignments/x/return-label', { method: 'POST' })).status).toBe(404);
  });
});

describe('a return label whose answer was lost', () => {
  it('is looked up at the carrier by the next POST, and never asked for twice', async () => {
    const booked = await book('Pretend');
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'drop-after' });
    expectProblem(await make(booked), 409, /not known.*[Aa]sk for it again in a minute/);
    expect((await look(booked)).body).toMatchObject({ state: 'in-doubt', trackingNumber: null, label: null });
    let found = await make(booked);
    await until('the carrier finds it', async () => (found = await make(booked)).status === 200);
    const { body } = found;
    const [made, ...more] = madeBy('pretend', booked);
    expect(more).toEqual([]);
    expect([body.state, body.trackingNumber]).toEqual(['made', made?.trackingNumber]);
    expect(body.label).toEqual(expect.any(String));
  });

  it('stays in doubt while the carrier may still make it', async () => {
    const booked = await book('Pretend');
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'drop-before', times: 'always' });
    expectProblem(await make(booked), 409, /not known/);
    const mark = service.mark();
    expectProblem(await make(booked), 409, /may still make it. Ask for it again after 20/);
    expect(service.requestsSince(mark, 'pretend').map(({ method }) => method)).toEqual(['GET']);
  });

  it('is found in the list of consignments by its reference, its number and its tracking number', async () => {
    const booked = await book('Pretend');
    const { body: made } = await make(booked);
    for (const q of [made.reference, made.trackingNumber, made.carrierNumber]) {
      const { body } = await service.operator(`/consignments?q=${q}`);
      expect([q, body.consignments.map(({ id }: { id: string }) => id)]).toEqual([q, [booked.consignment.id]]);
    }
  });

  it('is resolved by what a person found at the carrier', async () => {
    const booked = await book('Pretend');
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'drop-after' });
    expectProblem(await make(booked), 409, /not known/);
    expectProblem(await resolve(booked, { answer: 'perhaps' }), 400, /booked/);
    const [made] = madeBy('pretend', booked);
    const { status, body } = await resolve(booked, { answer: 'booked', trackingNumber: made?.trackingNumber });
    expect([status, body.state, body.trackingNumber]).toEqual([200, 'made', made?.trackingNumber]);
    expectProblem(await resolve(booked, { answer: 'not-booked' }), 409, /not in doubt/);
  });

  it('is resolved by the first of two persons; the other one is told, and the history names only the first', async () => {
    const booked = await book('Pretend');
    service.control.addFault({ target: 'pretend', path: RETURNS, kind: 'drop-after' });
    expectProblem(await make(booked), 409, /not known/);
    const [made] = madeBy('pretend', booked);
    const answer = { answer: 'booked', trackingNumber: made?.trackingNumber };
    const answers = await Promise.all([resolve(booked, answer), resolve(booked, answer)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { body } = await service.operator(`/consignments/${booked.consignment.id}`);
    const resolved = body.history.filter(({ what }: { what: string }) => what.startsWith('return label resolved'));
    expect(resolved).toHaveLength(1);
  });
});

it('a return label in doubt at a carrier that cannot be searched waits for a person, who is told what to do', async () => {
  const booked = await book('DAO');
  service.control.addFault({ target: 'dao', path: 'returordre', kind: 'drop-after' });
  const words = new RegExp(`${booked.consignment.reference}-R1 in the portal of DAO.*return-label/resolve`);
  expectProblem(await make(booked), 409, words);
  const mark = service.mark();
  expectProblem(await make(booked), 409, words);
  // After the lost answer a probe may come in between.
  expect(service.requestsSince(mark, 'dao').filter(({ path }) => !path.endsWith('/FejlKoder.php'))).toEqual([]);
  expectProblem(await resolve(booked, { answer: 'booked', trackingNumber: 'no number of DAO' }), 422, /look it up/);
  const [made] = madeBy('dao', booked);
  const { body } = await resolve(booked, { answer: 'booked', trackingNumber: made?.trackingNumber });
  expect(body).toMatchObject({ state: 'made', trackingNumber: made?.trackingNumber });
  await until('its label is fetched', async () => typeof (await make(booked)).body.label === 'string');
});

describe('a return label of a carrier that makes none', () => {
  let without: Service;

  beforeAll(async () => {
    without = await startService({ config: withoutReturns });
  });
  afterAll(() => without.stop());

  it('says so, and sends nothing', async () => {
    const booked = await without.run(oneParcel, { carrierName: 'Bring' });
    const mark = without.mark();
    const answer = await without.operator(pathOf(booked), { method: 'POST' });
    expectProblem(answer, 409, /Bring makes no return labels .* portal of Bring/);
    expect(without.requestsSince(mark, 'bring')).toEqual([]);
  });
});

/** Bring makes them under an agreement, which its setting says. */
function withoutReturns(config: Config): object {
  const { bring } = config.accounts;
  const settings = { ...(bring?.['config'] as object), returnService: undefined };
  return { ...config, accounts: { ...config.accounts, bring: { ...bring, config: settings } } };
}
