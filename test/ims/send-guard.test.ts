import { afterEach, expect, it } from '@jest/globals';
import { ImsUnavailable } from '../../src/ims/errors.js';
import { whilePermitted } from '../../src/transport/send-guard.js';
import { keepLog } from '../support/log-lines.js';
import { type TestIms, memoryUsage, startTestIms } from './ims-server.js';

const never = () => false;
const answers = () => ({ status: 200, json: { id: '1', shipmentNumber: 'S-1', shippingContainers: [] } });
/** More than it takes to believe that the IMS is silent. */
const MANY = 12;

let ims: TestIms;
afterEach(() => ims.close());

it('does not take calls that were held back for a silent IMS, and does not count them', async () => {
  const { log, lines } = keepLog();
  const usage = memoryUsage();
  ims = await startTestIms({ api: answers, tools: { log, usage } });
  await ims.client.token();
  const area = ims.area();
  const calls = Array.from({ length: MANY }, (_none, n) =>
    whilePermitted(never, () => area.loadShipment(String(n))).catch((error: unknown) => error),
  );
  const errors = await Promise.all(calls);
  expect(errors.every((error) => error instanceof ImsUnavailable && error.effect === 'none')).toBe(true);
  await area.loadShipment('99');
  expect(ims.calls).toHaveLength(1);
  expect(lines.map(({ event }) => event).filter((event) => /silent|repeated/.test(event))).toEqual([]);
  await ims.client.close();
  expect([...usage.saved.values()]).toEqual([1]);
});

it('fetches for everybody what is shared, whoever asked first', async () => {
  ims = await startTestIms({ api: () => ({ status: 200, json: { id: '7', sellerNumber: 'N-7' } }) });
  const area = ims.area();
  await whilePermitted(never, () => area.loadSeller('7'));
  await area.loadSeller('7');
  expect(ims.tokenRequests).toHaveLength(1);
  expect(ims.calls).toHaveLength(1);
});
