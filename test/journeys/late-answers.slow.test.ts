import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';
import { parcels, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
const BOOKING_TAKES_MS = 2_000;

let seamed: SeamedService;

beforeAll(async () => {
  seamed = await openSeamed(null);
});

afterAll(() => seamed.close());

/** A booking that is at the carrier. @returns its document and consignment */
async function atCarrier(
  takesMs = BOOKING_TAKES_MS,
): Promise<{ readonly documentId: number; readonly id: string; readonly shipmentId: number }> {
  const { service } = seamed;
  service.control.addFault({ target: 'gls-dk', path: 'CreateShipment', kind: 'delay', ms: takesMs });
  const shipmentId = service.ship(oneParcel, { carrierName: 'GLS' });
  const documentId = await booked(shipmentId);
  await until('it is at the carrier', async () => (await sentPart(documentId, 0)) !== null);
  const id = (await sentPart(documentId, 0)) ?? '';
  return { documentId, id, shipmentId };
}

/** The consignment whose part in this place is being sent. */
async function sentPart(documentId: number, place: number): Promise<string | null> {
  const rows = await seamed.database.query<{ id: string }>(
    `select id from consignment where document_id = $1 and parts->$2::int->>'state' = 'sending'`,
    [String(documentId), place],
  );
  return rows[0]?.id ?? null;
}

/** @returns the document, of which the service has heard */
async function booked(shipmentId: number): Promise<number> {
  const { documentId, eventId } = seamed.service.bookQuietly(shipmentId);
  const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', shipmentId };
  await seamed.service.send({ ...event, eventId, documentId });
  return documentId;
}

it('an answer is written although another instance has taken the row meanwhile, once that one has let go of it', async () => {
  const { documentId, id } = await atCarrier();
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = 'another', lease_until = now() + interval '5 seconds'
      where id = $1`,
    [id],
  );
  const ending = await seamed.service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
  expect(ending.messages.filter(({ type }) => type === 'ERROR')).toEqual([]);
  expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
});

it('an answer ends the question that another instance has put to a person meanwhile', async () => {
  const { documentId, id } = await atCarrier();
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, due_at = null,
            waits_for_person = true, state = 'in-doubt', parts = jsonb_set(parts, '{0,state}', '"in-doubt"')
      where id = $1`,
    [id],
  );
  await until('it is booked', async () => (await seamed.service.consignmentOf(documentId)).state === 'closed');
  const ending = await seamed.service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
  expect(seamed.service.bookings('gls-dk', seamed.service.numberOf(documentId))).toHaveLength(1);
});

/** A person has given it up. */
async function giveUp(id: string): Promise<void> {
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, due_at = null,
            waits_for_person = false, state = 'refused', parts = jsonb_set(parts, '{0,state}', '"in-doubt"')
      where id = $1`,
    [id],
  );
}

/** Every state that is stored for it from now on, with its run. */
async function statesOf(id: string): Promise<() => Promise<readonly string[]>> {
  const { database } = seamed;
  await database.query('create table if not exists seen_state (n serial, consignment text, state text, run int)');
  await database.query(`create or replace function see_state() returns trigger language plpgsql as $$
    begin insert into seen_state (consignment, state, run) values (new.id::text, new.state, new.run); return new; end $$`);
  await database.query(`create or replace trigger see_state after update on consignment
    for each row execute function see_state()`);
  return async () => {
    const rows = await database.query<{ state: string; run: number }>(
      'select state, run from seen_state where consignment = $1 order by n',
      [id],
    );
    return rows.map(({ state, run }) => `${state} ${run}`);
  };
}

async function lostIn(documentId: number, known: readonly unknown[]): Promise<string> {
  const { service } = seamed;
  const numbers = service.bookings('gls-dk', service.numberOf(documentId)).flatMap((one) => one.trackingNumbers);
  return numbers.find((number) => !known.includes(number)) ?? '-';
}

it('an answer to a booking that a person has ended does not take the place of the newer booking, and is told', async () => {
  const { service } = seamed;
  const { documentId, id, shipmentId } = await atCarrier(4 * BOOKING_TAKES_MS);
  await giveUp(id);
  const second = await service.ending(await booked(shipmentId));
  expect(second.workStatus).toBe('DONE');
  const states = await statesOf(id);
  await until('the answer came', () => lateAnswerSaid(id).length > 0);
  const late = await service.ending(documentId);
  expect(late).toMatchObject({ workStatus: 'FAILED', prints: [] });
  expect(late.messages.at(-1)?.text).toContain(`as ${await lostIn(documentId, second.trackingNumbers)}`);
  expect((await service.look(second.documentId)).trackingNumbers).toEqual(second.trackingNumbers);
  // A process that dies leaves what is stored: nothing of it may write the late numbers past the newer booking.
  expect((await states()).filter((state) => state.startsWith('booked'))).toEqual([]);
});

it('an answer to a booking that a person has ended, and whose document is cancelled by then, is told', async () => {
  const { service } = seamed;
  const { documentId, id } = await atCarrier(4 * BOOKING_TAKES_MS);
  await giveUp(id);
  service.control.cancelDocument(documentId);
  await service.control.eventsDelivered();
  await until('the answer came', () => lateAnswerSaid(id).length > 0);
  await until('it is told', async () => {
    const lost = await lostIn(documentId, []);
    return service.control.state().messages.some((row) => String(row['messageText']).includes(lost));
  });
});

/** Another instance has found out by itself what became of the booking, under these numbers, and has ended it. */
async function knowAs(id: string, trackingNumber: string): Promise<void> {
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, due_at = null, state = 'closed',
            parts = jsonb_set(parts, '{0}', parts->0 || jsonb_build_object('state', 'booked', 'booking', jsonb_build_object(
              'carrierNumber', 'C-1', 'labelSource', null, 'parcels', jsonb_build_array(jsonb_build_object('kind', 'booked',
                'parcelId', parts->0->'request'->'parcels'->0->'id', 'trackingNumber', $2::text, 'trackingUrl', null)))))
      where id = $1`,
    [id, trackingNumber],
  );
}

function lateAnswerSaid(id: string) {
  return seamed
    .lines()
    .filter(({ event, fields }) => event === 'late answer of a carrier' && fields['consignment'] === id);
}

it('an answer with other numbers than are known is told, since one of two bookings may be too many', async () => {
  const { documentId, id } = await atCarrier();
  await knowAs(id, '99900000000000000017');
  const { service } = seamed;
  const messages = () => service.messages(service.eventOf(documentId));
  await until('a person is told', () => messages().length > 0);
  const [late] = service.bookings('gls-dk', service.numberOf(documentId));
  const [told, ...more] = messages();
  expect(more).toEqual([]);
  expect(told?.type).toBe('ERROR');
  for (const word of [service.numberOf(documentId), '99900000000000000017', String(late?.trackingNumbers[0])])
    expect(told?.text).toContain(word);
  expect(told?.text).toContain('cancel');
  await until('it is logged', () => lateAnswerSaid(id).length > 0);
  expect(lateAnswerSaid(id)).toMatchObject([{ level: 'error', fields: { outcome: 'other numbers are known' } }]);
  const { state } = await service.consignmentOf(documentId);
  expect(state).toBe('closed');
});

it('an answer with the numbers that are known already is told to nobody', async () => {
  const { documentId, id } = await atCarrier();
  const { service } = seamed;
  await until('it is booked', () => service.bookings('gls-dk', service.numberOf(documentId)).length > 0);
  const [booked] = service.bookings('gls-dk', service.numberOf(documentId));
  await knowAs(id, String(booked?.trackingNumbers[0]));
  await until('it is logged', () => lateAnswerSaid(id).length > 0);
  expect(lateAnswerSaid(id)).toMatchObject([{ level: 'warn', fields: { outcome: 'known already' } }]);
  expect(service.messages(service.eventOf(documentId))).toEqual([]);
});

/** Another instance has got this far with the booking meanwhile, and has let go of it. */
async function change(id: string, row: { readonly state: string; readonly dueIn: string | null }, part: object) {
  await seamed.database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, state = $2,
            due_at = now() + $3::interval, parts = jsonb_set(parts, '{0}', parts->0 || $4::text::jsonb)
      where id = $1`,
    [id, row.state, row.dueIn, JSON.stringify(part)],
  );
}

it.each<readonly [string, string, object]>([
  ['refused after a person said that it is not booked', 'refused', { state: 'refused', problems: [] }],
  ['cancelled while the carrier showed no booking', 'cancelled', { state: 'refused', problems: [] }],
])('an answer for what was %s tells its numbers, and of no second booking', async (_what, state, part) => {
  const { documentId, id } = await atCarrier();
  await change(id, { state, dueIn: null }, part);
  const { service } = seamed;
  const messages = () => service.messages(service.eventOf(documentId));
  await until('a person is told', () => messages().length > 0);
  const [late] = service.bookings('gls-dk', service.numberOf(documentId));
  const [told] = messages();
  expect(told?.type).toBe('ERROR');
  expect(told?.text).toContain(`is booked with GLS after all, as ${String(late?.trackingNumbers[0])}`);
  expect(told?.text).not.toMatch(/twice|the other one| -[,.]/);
  await until('it is logged', () => lateAnswerSaid(id).length > 0);
  expect(messages()).toHaveLength(1);
  expect((await service.consignmentOf(documentId)).state).toBe(state);
});

it('a booking that is being sent again goes on when the first answer comes late, and a person is told once', async () => {
  const { documentId, id } = await atCarrier();
  await change(id, { state: 'booking', dueIn: '1 hour' }, { state: 'planned', attempt: 2 });
  const { service } = seamed;
  await until('it is booked', async () => (await service.consignmentOf(documentId)).state === 'closed');
  const ending = await service.ending(documentId);
  const [first, second] = service.bookings('gls-dk', service.numberOf(documentId));
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: second?.trackingNumbers });
  const errors = ending.messages.filter(({ type }) => type === 'ERROR');
  expect(errors).toHaveLength(1);
  expect(errors[0]?.text).toContain(`says that it is booked as ${String(first?.trackingNumbers[0])}.`);
});

it('an answer to a request that a later run has sent once more leaves the doubt about that one, and is told', async () => {
  const { documentId, id } = await atCarrier();
  const sentAt = new Date(Date.now() + 60_000).toISOString();
  await change(id, { state: 'in-doubt', dueIn: null }, { state: 'in-doubt', sentAt });
  await seamed.database.query('update consignment set waits_for_person = true where id = $1', [id]);
  await until('the answer came', () => lateAnswerSaid(id).length > 0);
  const ending = await seamed.service.ending(documentId);
  expect(ending).toMatchObject({ prints: [], consignment: { state: 'in-doubt', needsOperator: true } });
  expect(ending.messages.at(-1)?.text).toContain(`says that it is booked as ${await lostIn(documentId, [])}.`);
});

it('a booking that was not found, and is about to be sent again, is not sent when its answer comes late', async () => {
  const { documentId, id } = await atCarrier();
  await change(id, { state: 'booking', dueIn: '1 hour' }, { state: 'planned' });
  const { service } = seamed;
  await until('it is booked', async () => (await service.consignmentOf(documentId)).state === 'closed');
  const ending = await service.ending(documentId);
  expect(ending).toMatchObject({ workStatus: 'DONE', pages: 1, trackingNumbers: [expect.any(String)] });
  expect(ending.messages.filter(({ type }) => type === 'ERROR')).toEqual([]);
  expect(service.bookings('gls-dk', service.numberOf(documentId))).toHaveLength(1);
});

it('an answer for a cancelled document names no parcel that a newer booking has taken over', async () => {
  const { service, database } = seamed;
  const shipmentId = service.ship(parcels(2), { carrierName: 'DAO' });
  const ms = 4 * BOOKING_TAKES_MS;
  service.control.addFault({ target: 'dao', path: '/DAODirekte/leveringsordre', kind: 'delay', ms, after: 1 });
  const documentId = await booked(shipmentId);
  await until('its second parcel is at the carrier', async () => (await sentPart(documentId, 1)) !== null);
  const id = (await sentPart(documentId, 1)) ?? '';
  await database.query(
    `update consignment set version = version + 1, lease_owner = null, lease_until = null, due_at = null,
            state = 'incomplete', parts = jsonb_set(parts, '{1,state}', '"in-doubt"')
      where id = $1`,
    [id],
  );
  const second = await service.ending(await booked(shipmentId));
  expect(second.workStatus).toBe('DONE');
  service.control.setEventTargets([]);
  service.control.cancelDocument(documentId);
  service.listenAgain();
  await until('the answer came', () => lateAnswerSaid(id).length > 0);
  const told = (await service.ending(documentId)).messages.at(-1)?.text;
  const numbers = service.bookings('dao', service.numberOf(documentId)).flatMap((one) => one.trackingNumbers);
  const lost = numbers.find((number) => !second.trackingNumbers.includes(number));
  expect(told).toContain(`is still booked with DAO, as ${lost}.`);
});
