import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeptRequest, KeptTexts } from '../../src/consignment/requests/kept-request.js';
import { insertRequests } from '../../src/consignment/requests/request-rows.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { HIDDEN, withoutPersonalData } from '../../src/operator/requests/personal-data.js';
import { requestQueries } from '../../src/operator/requests/request-queries.js';
import { bookingRequest } from '../carriers/sample-request.js';
import { bookedPart, plan } from '../support/consignments.js';
import { type Stage, endBooked, insertReceived, trackingStage } from '../tracking/tracking-stage.js';

/** Of a carrier whose adapter declares nothing. */
const names = fieldNames({});

function texts(sent: object, answered: object): KeptTexts {
  const side = (value: object) => ({ headers: {}, body: { kind: 'json', value } }) as const;
  return { query: {}, request: side(sent), answer: side(answered) };
}

function shown(value: object): unknown {
  const { request } = withoutPersonalData(texts(value, {}), { names, known: [] });
  return 'value' in request.body ? request.body.value : null;
}

describe('without personal data, a field of an adapter that declares nothing', () => {
  it.each([
    ['a telephone number', { telefon: '22334455', telefonNo: '22334455', tlf: 22334455, telefon_no: 312345 }],
    ['a street', { gade: 'Birkevej 12', gade_text: 'Birkevej 12', vejNo: 12, adress1: 'Birkevej 12' }],
    ['a place on the map', { latitude: 55.67612, longitude: 12.56833 }],
    ['a house', { houseNumber: 12, floor: 2 }],
    ['words that nobody knows', { paino: 'Signe Lund' }],
  ])('is hidden where it holds %s', (_case, value) => {
    expect(shown(value)).toEqual(Object.fromEntries(Object.keys(value).map((name) => [name, HIDDEN])));
  });

  it('is shown where an operator needs it: states, codes, ids, numbers, measures', () => {
    const needed = {
      status: 'OK',
      errorCode: 'E12',
      shipmentId: 4711,
      pakkeNumber: '57000',
      weight: 2400,
      paino: 2400,
    };
    expect(shown(needed)).toEqual(needed);
  });
});

describe('a link in a kept request', () => {
  const link = 'https://labels.example/l/key-0001';

  it.each([
    ['in a field of its own', { labelUrl: link }, { labelUrl: `https://labels.example/${HIDDEN}` }],
    ['with a query', { href: `${link}?id=key-0001` }, { href: `https://labels.example/${HIDDEN}` }],
    ['with a query and no path', { uri: 'https://labels.example?id=1' }, { uri: `https://labels.example/${HIDDEN}` }],
    ['in a text', { message: `See "${link}".` }, { message: `See "https://labels.example/${HIDDEN}".` }],
    ['without a path', { url: 'https://labels.example' }, { url: 'https://labels.example' }],
  ])('is shown with its host only, since it may open a label: %s', (_where, value, seen) => {
    expect(shown(value)).toEqual(seen);
  });

  it('is shown with its host only in a header of an answer', () => {
    const kept = { ...texts({}, {}), answer: { headers: { location: link }, body: { kind: 'none' } as const } };
    expect(withoutPersonalData(kept, { names, known: [] }).answer?.headers).toEqual({
      location: `https://labels.example/${HIDDEN}`,
    });
  });
});

describe('a message in a kept request', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await trackingStage({});
  });
  afterAll(() => stage.database.close());

  async function answerTo(sent: object, message: string): Promise<unknown> {
    const { database, clock } = stage;
    const id = await insertReceived(stage);
    const recipient = {
      address: { ...bookingRequest({}).recipient.address, name: 'Signe Lund', street: 'Birkevej 12' },
      contact: { name: 'Signe Lund', email: null, phone: '22334455', mobile: null },
    };
    const parts = [bookedPart(1, { request: bookingRequest({ recipient }) })];
    await endBooked(stage, id, { plan: plan(['501']), parts });
    const known: KeptRequest = {
      ...{ at: clock.now().toISOString(), tookMs: 1, step: 'book', account: 'posti', name: 'Book', method: 'POST' },
      ...{ origin: 'https://api.example', path: '/book', status: 422, requestId: null, because: null },
    };
    const requests = [{ known, texts: texts(sent, { message }) }];
    await insertRequests(database, [{ consignment: id, at: clock.now(), requests }]);
    const { sides } = await requestQueries(database, names).request(id, '0.0', 'hidden');
    const body = sides?.answer?.body;
    return body && 'value' in body ? body.value : null;
  }

  it.each([
    [
      'the street that was sent as "gade"',
      { sent: { gade: 'Birkevej 7' }, message: 'Birkevej 7?', shown: `${HIDDEN}?` },
    ],
    [
      'the recipient, in a field that nobody knows',
      { sent: { vastaanottaja: 'Signe Lund' }, message: 'Signe Lund?', shown: `${HIDDEN}?` },
    ],
    [
      'the recipient, whose request was too large to be kept',
      { sent: {}, message: 'Birkevej 12, 22334455', shown: `${HIDDEN}, ${HIDDEN}` },
    ],
  ])('hides %s', async (_case, { sent, message, shown: left }) => {
    expect(await answerTo(sent, message)).toEqual({ message: left });
  });

  it('keeps what the carrier says of codes and numbers', async () => {
    const message = 'E12: parcel 570000 of 2400 g refused, product PAKKE';
    expect(await answerTo({ tuote: 'PAKKE', paketti: '570000' }, message)).toEqual({ message });
  });
});
