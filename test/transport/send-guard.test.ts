import { expect, it } from '@jest/globals';
import { carrierError } from '../../carriers/contract/classify.js';
import { NoAnswer, NotPermitted } from '../../carriers/contract/http-port.js';
import { createBulkhead } from '../../src/accounts/bulkhead.js';
import { silentLog } from '../../src/log.js';

/** Enough failures, of enough consignments, to believe that the carrier does not answer. */
async function runsThatEndIn(error: Error) {
  const bulkhead = createBulkhead({
    ...{ account: 'gls', clock: { now: () => new Date() }, random: () => 0, log: silentLog },
  });
  const fails = () => Promise.reject(carrierError(error, 'change'));
  for (let n = 0; n < 5; n += 1) {
    await bulkhead.run(`consignment ${n}`, (call) => call(fails)).catch(() => undefined);
  }
  return bulkhead.circuitState();
}

it('does not blame the carrier for requests that we held back ourselves', async () => {
  expect(await runsThatEndIn(new NotPermitted('held back'))).toBe('closed');
  expect(await runsThatEndIn(new NoAnswer('ECONNREFUSED', 'never'))).toBe('open');
});
