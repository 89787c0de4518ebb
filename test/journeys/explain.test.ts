import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';

const { oneParcel, toSweden, toGermany, withoutPostalCode } = sampleShipments;

const RULES = [
  { name: 'heavy', when: { weightKg: { $gte: 10 } }, use: { account: 'bring' } },
  { name: 'Sweden by price', when: { 'deliveryAddress.countryCode': 'SE' }, use: { cheapest: ['gls', 'pretend'] } },
  {
    name: 'homes',
    when: { 'deliveryAddress.countryCode': { $in: ['DK', 'SE'] }, privateDelivery: true },
    unless: { postalCode: { $gte: 3700, $lte: 3799 } },
    use: { account: 'gls' },
  },
  { name: 'businesses', when: { isBusiness: true, isDomestic: true }, use: { account: 'dao' } },
  { name: 'many', when: { parcelCount: { $gte: 2 } }, use: { account: 'pretend', service: 'standard' } },
];

/** It is never the same day in both. */
const FAR_AWAY = [
  { timeZone: 'Pacific/Kiritimati', hours: 14 },
  { timeZone: 'Etc/GMT+12', hours: -12 },
];

let service: Service;

beforeAll(async () => {
  service = await startService({
    config: (config) => ({
      ...config,
      rules: RULES,
      areas: config.areas.map((area, place) => ({ ...area, timeZone: FAR_AWAY[place]?.timeZone })),
    }),
  });
});
afterAll(() => service.stop());

const explain = async (id: number, area = '1') =>
  (await service.operator(`/shipments/${id}/explain?area=${area}`)).body;

describe('explaining a shipment', () => {
  it('shows its fields, what is derived from them, every rule with its reasons, and the choice', async () => {
    const found = await explain(service.ship(toSweden));
    expect(found).toMatchObject({
      moment: 'booking',
      fields: { deliveryAddress: { countryCode: 'SE' } },
      choice: { kind: 'chosen', account: 'gls', rule: 'Sweden by price', provisional: true },
      quotes: { by: 'cheapest', accounts: ['gls', 'pretend'], asked: false },
    });
    expect(found.derived).toContainEqual({ name: 'weightKg', unit: 'kg', value: 1.35, why: null });
    expect(found.rules.map(({ rule, outcome }: { rule: string; outcome: string }) => [rule, outcome])).toEqual([
      ['heavy', 'failed'],
      ['Sweden by price', 'matched'],
      ...['homes', 'businesses', 'many'].map((name) => [name, 'not-reached']),
    ]);
    expect(found.rules[0].reasons).toEqual([{ field: 'weightKg', condition: '$gte 10', value: 1.35 }]);
  });

  it.each([
    ['GLS', 'gls-dk'],
    ['Bring', 'bring'],
    ['DAO', 'dao'],
    ['Pretend', 'pretend'],
  ])('shows the request that %s would get, secrets masked, and sends none', async (carrierName, id) => {
    const shipmentId = service.ship(oneParcel, { carrierName });
    const mark = service.mark();
    const { status, body, bytes } = await service.operator(`/shipments/${shipmentId}/explain?area=1`);
    expect(status).toBe(200);
    const since = service.requestsSince(mark);
    // Meanwhile other carriers may be asked for events.
    expect(since.filter(({ target }) => target === id)).toEqual([]);
    expect(since.filter(({ method, target }) => target === 'ims' && method !== 'GET')).toEqual([]);
    expect(body.requests).toHaveLength(1);
    for (const secret of Object.values(sandboxSecrets)) expect(bytes.toString('utf8')).not.toContain(secret);
    expect(JSON.stringify(body.requests)).toContain('***');
    // What is shown is what is sent.
    await service.ending(service.book(shipmentId));
    const [sent] = service.requestsSince(mark, id);
    const [shown] = body.requests;
    expect(shown.method).toBe(sent?.method);
    if (carrierName === 'Pretend') expect(shown.json).toEqual(sent?.body);
  });

  it('has the day that it is in the area', async () => {
    for (const [place, { hours }] of FAR_AWAY.entries()) {
      const day = () => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
      const days = [day()];
      const { requests } = await explain(
        service.ship(oneParcel, { carrierName: 'Pretend' }, place + 1),
        String(place + 1),
      );
      expect([...days, day()]).toContain(requests[0].json.shipDate);
    }
  });

  it('shows what the carrier would refuse, and no request', async () => {
    const found = await explain(service.ship(withoutPostalCode, { carrierName: 'GLS' }));
    expect(found.problems).toMatchObject([{ text: expect.stringContaining('postal code is missing') }]);
    expect(found.requests).toEqual([]);
    expect(found.messages[0]).toContain('GLS would refuse it');
  });

  it('shows what is not known before packing', async () => {
    const { id } = service.control.createShipment({ area: 1, shipment: oneParcel.shipment, containers: [] });
    const found = await explain(id);
    expect(found).toMatchObject({ moment: 'before-packing', requests: [], choice: { provisional: true } });
    expect(found.derived).toContainEqual({ name: 'weightKg', unit: 'kg', value: null, why: 'not-packed' });
  });

  it('is for operators, for areas and shipments that there are', async () => {
    const id = service.ship(toGermany);
    expect((await service.ask(`/api/v1/shipments/${id}/explain?area=1`)).status).toBe(401);
    expect((await service.operator(`/shipments/${id}/explain?area=99`)).status).toBe(400);
    expect((await service.operator(`/shipments/${id}/explain`)).status).toBe(400);
    expect((await service.operator('/shipments/123456789/explain?area=1')).status).toBe(404);
  });
});

const cases = fc.record({
  // What a carrier finds out by itself, such as a code that is none of the country, is not known before it is asked.
  place: fc.constantFrom<readonly [string, string | null]>(
    ...[['DK', '3700'] as const, ['DK', '5000'] as const, ['DK', null] as const],
    ...[['SE', '41124'] as const, ['NO', '0150'] as const, ['US', '10001'] as const],
  ),
  privateDelivery: fc.constantFrom(true, false, null),
  carrierName: fc.constantFrom(null, null, null, 'GLS', 'DAO', 'Pretend'),
  weights: fc.array(fc.constantFrom(1, 6, 12), { maxLength: 3 }),
});

/** It lacks what its customs papers need, and what can be written on them. */
const REFUSED_AND_DOUBTED = {
  place: ['NO', '0150'],
  privateDelivery: true,
  carrierName: 'DAO',
  weights: [1] as 1[],
} as const;

describe('what is explained', () => {
  it('is what is done, for any shipment', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ place: [countryCode, postalCode], privateDelivery, carrierName, weights }) => {
        const deliveryAddress = { ...Object(oneParcel.shipment['deliveryAddress']), countryCode, postalCode };
        const { id } = service.control.createShipment({
          area: 1,
          shipment: { ...oneParcel.shipment, deliveryAddress, privateDelivery, carrierName },
          containers: weights.map((grossWeight) => ({ grossWeight })),
        });
        const found = await explain(id);
        if (weights.length === 0) await expectCreation(id, found, carrierName);
        else await expectBooking(id, found);
      }),
      { numRuns: 25, examples: [[REFUSED_AND_DOUBTED]] },
    );
  });

  /** They are posted at the same time, so any of them may arrive first. */
  function expectSaid(messages: readonly { readonly text: string }[], expected: readonly string[]): void {
    expect(messages.map(({ text }) => text).toSorted()).toEqual(expected.toSorted());
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function expectCreation(id: number, found: any, carrierName: string | null) {
    const eventId = service.control.emitEvent({ contextId: 1, type: 'shipmentCreated', detail: { shipmentId: id } });
    await until(`event ${eventId} is worked on`, () =>
      service.lines.some(({ event, fields }) => event === 'task done' && fields['task'] === eventId),
    );
    const row = service.control.state().shipments.find((one) => one.id === id);
    expect(row?.carrierName ?? null).toBe(carrierName ?? found.choice.carrierName ?? null);
    expectSaid(service.messages(eventId), found.messages);
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async function expectBooking(id: number, found: any) {
    const { consignment, messages } = await service.ending(service.book(id));
    expectSaid(messages, found.messages);
    const carriers = found.quotes?.accounts ?? [found.choice.account];
    if (consignment.state === 'closed') expect(carriers).toContain(consignment.account);
    else expect(found.messages).not.toEqual([]);
  }
});
