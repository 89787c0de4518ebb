import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Service, startService } from '../support/harness.js';

/** Longer than any operator waits. */
const SILENT_MS = 300_000;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('a carrier that never answers a search for pick-up points is a 503, with what to do', async () => {
  service.control.addFault({ target: 'dao', kind: 'delay', ms: SILENT_MS, times: 'always' });
  const { status, body } = await service.operator('/pickup-points?account=dao&countryCode=DK&postalCode=2600');
  service.control.clearFaults();
  expect([status, body.detail]).toEqual([503, expect.stringMatching(/no answer within .* Try again/)]);
});
