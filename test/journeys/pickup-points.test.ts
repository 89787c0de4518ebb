import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultKind } from '../../src/sandbox/faults/faults.js';
import { type Service, startService } from '../support/harness.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const asked = (query: string) => service.operator(`/pickup-points?${query}`);
const NEAR = 'countryCode=DK&postalCode=2600&street=Eksempelgade%2022';

describe('the pick-up points of a carrier', () => {
  it.each([
    ['bring', '/pickuppoint/'],
    ['dao', '/FindPakkeshop.php'],
    ['gls', '/SearchNearestParcelShops'],
  ])('are found near an address, with the ids that %s books for, and nothing is booked', async (account, path) => {
    const mark = service.mark();
    const { status, body } = await asked(`account=${account}&${NEAR}&limit=2`);
    expect(status).toBe(200);
    expect(body.pickupPoints).toHaveLength(2);
    // The service itself asks nShift what has changed, by `fetchId`.
    const sent = service
      .requestsSince(mark)
      .filter(({ target, query }) => target !== 'ims' && target !== 'token' && query['fetchId'] === undefined);
    expect(sent.map(({ method, path: to }) => [method, to.includes(path)])).toEqual([['GET', true]]);
    const [first] = body.pickupPoints;
    expect(first).toMatchObject({ id: expect.any(String), name: expect.any(String), countryCode: 'DK' });
    const { body: one } = await asked(`account=${account}&countryCode=DK&id=${first.id}`);
    expect(one.pickupPoints.map(({ id }: { id: string }) => id)).toEqual([first.id]);
  });

  it('are none for an id that the carrier does not know', async () => {
    const { status, body } = await asked('account=bring&countryCode=DK&id=123');
    expect([status, body]).toEqual([200, { pickupPoints: [] }]);
  });

  it.each([
    ['an account that does not exist', `account=nobody&${NEAR}`, { status: 404, words: /"nobody"/ }],
    ['a carrier that cannot be asked', `account=pretend&${NEAR}`, { status: 409, words: /Pretend/ }],
    ['no account', NEAR, { status: 400, words: /^account / }],
    ['no country', 'account=bring&postalCode=2600', { status: 400, words: /^countryCode / }],
    ['a country by name', 'account=bring&countryCode=Denmark&postalCode=2600', { status: 400, words: /^countryCode / }],
    ['neither a postal code nor an id', 'account=bring&countryCode=DK', { status: 400, words: /postalCode/ }],
    ['an id and a postal code', `account=bring&id=7&${NEAR}`, { status: 400, words: /id / }],
    [
      'a postal code given twice',
      'account=bring&countryCode=DK&postalCode=1&postalCode=2',
      { status: 400, words: /^postalCode / },
    ],
    [
      'a street with a NUL',
      'account=bring&countryCode=DK&postalCode=2600&street=%00',
      { status: 400, words: /^street / },
    ],
    ['a limit beyond all measure', `account=bring&${NEAR}&limit=1000`, { status: 400, words: /^limit / }],
    ['a parameter that does not exist', `account=bring&${NEAR}&postcode=1`, { status: 400, words: /postcode/ }],
  ])('are refused for %s, with words', async (_what, query, { status, words }) => {
    const answer = await asked(query);
    expect([answer.status, answer.type]).toEqual([status, expect.stringContaining('application/problem+json')]);
    expect(answer.body.detail).toMatch(words);
  });

  it('are for operators alone', async () => {
    const answer = await fetch(`${service.url}/api/v1/pickup-points?account=bring&${NEAR}`);
    expect(answer.status).toBe(401);
  });

  it.each<readonly [string, FaultKind, RegExp]>([
    ['answers 503', { kind: 'status', status: 503 }, /503/],
    ['answers with a page', { kind: 'status', status: 200, body: 'maintenance' }, /maintenance/],
    ['hangs up', { kind: 'reset' }, /DAO/],
  ])('are not to be had from a carrier that %s, with what to do', async (_what, fault, words) => {
    // A read on a connection that the carrier closed meanwhile is sent once more.
    service.control.addFault({ ...fault, target: 'dao', times: 'always' });
    const { status, headers, body } = await asked(`account=dao&${NEAR}`);
    service.control.clearFaults();
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(body.detail).toMatch(words);
    expect(body.detail).toMatch(/try again/i);
  });

  it('are not to be had where the carrier refuses the question, in its words', async () => {
    const fault = {
      kind: 'status',
      status: 200,
      body: { status: 'FEJL', fejlkode: '999', fejltekst: 'Ukendt postnr' },
    };
    service.control.addFault({ ...(fault as FaultKind), target: 'dao', times: 1 });
    const { status, body } = await asked(`account=dao&${NEAR}`);
    expect([status, body.detail]).toEqual([422, expect.stringContaining('Ukendt postnr')]);
  });
});
