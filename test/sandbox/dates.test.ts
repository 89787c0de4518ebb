import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Ask } from './support.js';
import { clientOf, closeAll, openSandbox } from './support.js';

let ask: Ask;
let path: string;

beforeAll(async () => {
  // Nonsense is sent, which the description does not allow.
  const sandbox = await openSandbox({ onExchange: () => undefined });
  ask = await clientOf(sandbox);
  path = `/shipments/${sandbox.control.createShipment({ area: 1, shipment: {} }).id}`;
});
afterAll(closeAll);

async function changed(field: string, value: unknown): Promise<Answer> {
  return ask(`PATCH ${path}`, { body: JSON.stringify({ [field]: value }) });
}

describe('a date', () => {
  it.each([
    ['a day', '2026-03-02', '2026-03-02'],
    ['the day of a leap year', '2028-02-29', '2028-02-29'],
    ['a day that stands for never', '9999-12-31', '9999-12-31'],
    ['milliseconds since 1970', 1772438400000, '2026-03-02'],
    ['a time in UTC', '2026-03-02T23:30:00Z', '2026-03-02'],
    ['a time with a fraction', '2026-03-02T00:15:30.123Z', '2026-03-02'],
    ['an evening elsewhere: the day as it is written', '2026-03-02T23:30:00-05:00', '2026-03-02'],
    ['a morning elsewhere: the day as it is written', '2026-03-02T00:30:00.000+02:00', '2026-03-02'],
  ])('may be %s', async (_case, sent, deliveryDate) => {
    expect(await changed('deliveryDate', sent)).toMatchObject({ status: 200, body: { deliveryDate } });
  });
});

describe('a time', () => {
  it.each([
    ['milliseconds since 1970', 1772438400000, '2026-03-02T08:00:00.000Z'],
    ['a day: its beginning', '2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['a time in UTC', '2026-03-02T08:00:00Z', '2026-03-02T08:00:00.000Z'],
    ['a time with more digits than are kept', '2026-03-02T08:00:00.123456Z', '2026-03-02T08:00:00.123Z'],
    ['a time with an offset', '2026-03-02T23:30:00+02:00', '2026-03-02T21:30:00.000Z'],
    ['a time with an offset without a colon', '2026-03-02T23:30:00-0500', '2026-03-03T04:30:00.000Z'],
  ])('may be %s', async (_case, sent, shippingDeadline) => {
    expect(await changed('shippingDeadline', sent)).toMatchObject({ status: 200, body: { shippingDeadline } });
  });
});

describe('neither a date nor a time', () => {
  it.each([
    ['nothing written', ''],
    ['words', 'tomorrow'],
    ['a day that does not exist', '2026-02-30'],
    ['a leap day of another year', '2026-02-29'],
    ['a month that does not exist', '2026-13-01'],
    ['a year and month', '2026-03'],
    ['another order', '02-03-2026'],
    ['slashes', '2026/03/02'],
    ['English', 'Mon, 02 Mar 2026 08:00:00 GMT'],
    ['digits in text', '1772438400000'],
    ['a space before it', ' 2026-03-02'],
    ['no zone', '2026-03-02T08:00:00'],
    ['the 25th hour', '2026-03-02T25:00:00Z'],
    ['the 61st minute', '2026-03-02T08:60:00Z'],
    ['a time on a day that does not exist', '2026-02-30T08:00:00Z'],
    ['an offset of a day', '2026-03-02T08:00:00+24:00'],
    ['milliseconds before 1970', -1],
    ['milliseconds after 2200', 7258118400001],
    ['a fraction of a millisecond', 1772438400000.5],
    ['an end of time', 8.64e15],
    ['a list', ['2026-03-02']],
    ['true', true],
  ])('is %s', async (_case, sent) => {
    for (const field of ['deliveryDate', 'shippingDeadline'])
      expect(await changed(field, sent)).toMatchObject({ status: 422, body: { messageCode: 'invalid_Shipment' } });
  });
});
