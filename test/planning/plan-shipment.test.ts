import { expect, it } from '@jest/globals';
import { readContext, readShipment } from '../../src/ims/resources.js';
import { planShipment } from '../../src/planning/plan-shipment.js';
import { noSources } from '../../src/planning/sources.js';
import { compileRules } from '../../src/routing/choose-carrier.js';
import { shipment as sample } from '../routing/shipments.js';
import { NOON, bookingContext } from '../support/consignments.js';

const unable = () => Promise.reject(new Error('not in this test'));
const world = bookingContext({ book: unable }, {}, { now: () => NOON });
const at = (when: object) => {
  const rule = { name: 'home or abroad', when: { ...when }, use: { account: 'main' } };
  return { ...world, rules: compileRules([rule], [...world.accounts.values()]) };
};

/** The choice for a shipment to Denmark. */
async function choiceFor(when: object, sellers: string, areas: string) {
  const shipment = readShipment(sample({ sellerAddress: { addressee: 'Shop', countryCode: sellers } }));
  if (shipment === null) throw new Error('the sample is no shipment');
  const context = async () => readContext({ id: 1, address: { countryCode: areas } });
  const plan = await planShipment(at(when), {
    ...{ id: 'c-1', shipment, carrierName: null, setting: null, timeZone: 'Europe/Copenhagen', quoting: 'never' },
    checksDangerousGoods: false,
    sources: { ...noSources, context },
  });
  return plan.choice.kind;
}

it("a shipment is domestic by the area's country where the warehouse system writes that its seller has none", async () => {
  expect(await choiceFor({ isDomestic: true }, 'UNDEFINED', 'DK')).toBe('chosen');
});

it('a shipment is not taken for one abroad where nobody knows the country of its sender', async () => {
  expect(await choiceFor({ isDomestic: false }, 'UNDEFINED', 'UNDEFINED')).toBe('none');
  expect(await choiceFor({ isDomestic: false }, 'UNDEFINED', 'SE')).toBe('chosen');
});
