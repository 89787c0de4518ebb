import { expect, it } from '@jest/globals';
import type { CarrierAdapter, StartSimulator } from '../../../carriers/contract/index.js';
import { CarrierRejected, CarrierUnavailable, tryParseJson } from '../../../carriers/contract/index.js';
import { startPretendSimulator } from '../../../carriers/pretend/simulator/index.js';
import { contractCasesOver } from '../../../carriers/testing/contract-cases.js';
import type { ContractOptions } from '../../../carriers/testing/suite.js';
import { listAt, textAt } from '../../../carriers/toolkit/json.js';
import { bookingRequest } from '../sample-request.js';
import { testHttpPort } from '../test-http-port.js';
import { API_KEY, spoiled } from './spoiled.js';

/* What a sound adapter may do: the cases of the contract must not find fault with it. */

const options = {
  config: { apiKey: 'pretend-key-0001' },
  variants: [['two parcels', bookingRequest()]] as const,
  simulator: startPretendSimulator,
};

async function problemsOf(adapter: CarrierAdapter, which: RegExp, more: Partial<ContractOptions> = {}) {
  const cases = contractCasesOver(adapter, { ...options, ...more, http: testHttpPort }).filter(({ name }) =>
    which.test(name),
  );
  expect(cases.length).toBeGreaterThan(0);
  const problems: string[] = [];
  for (const { run } of cases) await run().catch((error: Error) => problems.push(error.message));
  return problems;
}

it('asks whether a postal code is served before it books', async () => {
  const asksFirst = spoiled(({ book }, { http, baseUrl }) => ({
    book: async (request) => {
      await http.send({ method: 'GET', url: `${baseUrl}/track/2600`, timeoutMs: 5_000 });
      return book(request);
    },
  }));
  expect(await problemsOf(asksFirst, /^failing: has an unknown|^search: finds a booking whose/)).toEqual([]);
});

/** Pretend's simulator, whose search answers a list with nothing around it. */
const bareLists: StartSimulator = (settings) => {
  const simulator = startPretendSimulator(settings);
  return {
    ...simulator,
    handle: (request, response) => {
      const end = response.end.bind(response) as (body: string) => typeof response;
      const isSearch = request.method === 'GET' && (request.url ?? '').startsWith('/bookings?');
      if (isSearch)
        response.end = ((body: string) => {
          const list = JSON.stringify(listAt(JSON.parse(body), 'bookings'));
          return end((response.setHeader('content-length', list.length), list));
        }) as typeof response.end;
      simulator.handle(request, response);
    },
  };
};

it('takes a bare list for "none" where the carrier answers so, and nowhere else', async () => {
  const takesLists = spoiled((_good, { http, baseUrl }) => ({
    findByReference: async ({ reference }) => {
      const headers = { authorization: `Bearer ${API_KEY}` };
      const asked = { method: 'GET', url: `${baseUrl}/bookings`, query: { reference }, headers } as const;
      const list = tryParseJson((await http.send({ ...asked, timeoutMs: 5_000 })).body);
      if (Array.isArray(list) && list.length === 0) return null;
      throw new CarrierUnavailable('no list');
    },
  }));
  const again = /^search: can be asked again after an empty list/;
  expect(await problemsOf(takesLists, again, { simulator: bareLists })).toEqual([]);
  expect(await problemsOf(takesLists, again)).toEqual([expect.stringContaining('expected an error')]);
});

it('refuses a reference that it has already, also while many requests are made up', async () => {
  const taken = new Set<string>();
  const booksOnce = spoiled(({ book }) => ({
    book: async (request) => {
      if (taken.has(request.reference)) throw new CarrierRejected([], 'duplicate');
      taken.add(request.reference);
      return book(request);
    },
  }));
  const received: ContractOptions['received'] = ({ body }) => {
    const json: unknown = JSON.parse(body());
    const texts = (role: string) =>
      ['name', 'street', 'city'].map((field) => [`${role}.${field}`, textAt(json, role, field)]);
    return Object.fromEntries([...texts('sender'), ...texts('recipient')]);
  };
  expect(await problemsOf(booksOnce, /^beforehand: sends what it told/, { received })).toEqual([]);
});

it('is told with which codes it refused all that was tried', async () => {
  const refusesAll = spoiled(() => ({
    check: () => [
      { code: 'email-missing', text: 'The email address is missing.', parcelId: null, severity: 'refuses' },
    ],
  }));
  const [problem] = await problemsOf(refusesAll, /^beforehand: sends what it told/, { received: () => ({}) });
  expect(problem).toMatch(/check refused all \d+ made-up requests: email-missing \d+/);
});
