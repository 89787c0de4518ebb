import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Config, type Life, type Lives, openLives } from '../support/lives.js';

const DAO = { customerId: '9999', code: 'dao-code-of-carrier' };
/** Longer than it takes until both requests have come. */
const SLOW_MS = 500;

const fromIms = (config: Config) => {
  const { dao } = config['accounts'] as Readonly<Record<string, object>>;
  return { ...config, rules: [], accounts: { dao: { ...dao, config: { from: 'ims' } } } };
};

let lives: Lives;
let life: Life;

beforeAll(async () => {
  lives = await openLives(fromIms);
  lives.sandbox.control.setCarrierDataDocument(1, 'DAO', { DAOTransport: DAO } as never);
  life = await lives.begin();
});
afterAll(async () => {
  await life.end();
  await lives.end();
});

it('a search that comes while the first one reads the settings of the account waits for them', async () => {
  lives.sandbox.control.addFault({ target: 'ims', kind: 'delay', ms: SLOW_MS, path: '/carriers', times: 'always' });
  const search = () => life.service.operator('/pickup-points?account=dao&countryCode=DK&postalCode=2600&limit=2');
  const answers = await Promise.all([search(), search(), search()]);
  expect(answers.map(({ status, body }) => [status, body.detail ?? body.pickupPoints.length])).toEqual([
    [200, 2],
    [200, 2],
    [200, 2],
  ]);
});
