import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { inspect } from 'node:util';
import type { CarrierAccount, CarrierAdapter, StartSimulator } from '../../carriers/contract/index.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { contractCasesOver } from '../../carriers/testing/contract-cases.js';
import { drawnHere } from '../../carriers/testing/drawn-here.js';
import { numbersInMemory } from '../../carriers/testing/numbers-in-memory.js';
import { type ContractOptions, withSecrets } from '../../carriers/testing/suite.js';
import { startExactCarrier } from './exact-carrier.js';
import type { Exchange } from './exchanges.js';
import { TEST_NOW, bookingRequest, parcel, recipient } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

/** Without `config`: the one of the adapter's sample. */
export interface CarrierSuite extends Omit<ContractOptions, 'simulator'> {
  readonly startSimulator: StartSimulator;
  readonly exchanges?: readonly Exchange[];
}

const INTERNAL_AT_BRING = JSON.stringify({
  consignments: [{ confirmation: null, errors: [{ code: 'BOOK-INTERNAL-001', messages: [] }] }],
});

/** What every carrier must do, against its simulator over real HTTP and against exact exchanges. */
export function describeCarrier<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  { startSimulator, exchanges, ...options }: CarrierSuite,
): void {
  const moreAnswers = [
    ['an internal error in a 200', 200, INTERNAL_AT_BRING],
    ['an internal error in a 500', 500, INTERNAL_AT_BRING],
  ] as const;
  const cases = contractCasesOver(adapter, { ...options, simulator: startSimulator, http: testHttpPort, moreAnswers });
  describe(`${adapter.id}, as every carrier`, () => {
    it.each(cases.map(({ name, run }) => [name, run] as const))('%s', async (_name, run) => run());
    const { sample, baseUrl } = adapter;
    const given = options.config ?? withSecrets(sample.config(baseUrl), sample.secrets);
    const config = typeof given === 'function' ? given(baseUrl) : given;
    it.each(['DK-2600', ' 2600 '])('sends the postal code "%s" as its country writes it', async (postalCode) => {
      const server = await startCarrierServer(adapter.id, startSimulator, () => TEST_NOW);
      const { baseUrl: url } = server;
      const account = adapter.connect(accountSettings(adapter, typeof given === 'function' ? given(url) : given), {
        ...{ http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: url },
        ...{ numbers: numbersInMemory(), labels: drawnHere, ...(options.files && { files: options.files }) },
      });
      await account.book(bookingRequest({ recipient: recipient({ address: { postalCode } }), parcels: [parcel()] }));
      await account.pickupPoints?.({ near: { countryCode: 'DK', postalCode, street: null }, limit: 1 });
      const texts = server.asked().map(({ url, body }) => decodeURIComponent(url.replace(/\+/g, ' ')) + body());
      await server.close();
      expect(texts.filter((text) => /(DK-|\s)2600|2600\s/.test(text))).toEqual([]);
    });
    if (exchanges) describeExchanges(adapter, accountSettings(adapter, config), exchanges);
  });
}

function describeExchanges<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  settings: Settings,
  exchanges: readonly Exchange[],
): void {
  describe('exact exchanges', () => {
    it.each(exchanges.map((exchange) => [exchange.story, exchange] as const))('%s', async (_story, exchange) => {
      const { first = [], sent, answer, outcome } = exchange;
      const baseUrl = adapter.baseUrl.replace(/\/$/, '');
      const carrier = startExactCarrier(new URL(baseUrl).origin, ...first.map((each) => each.answer), answer);
      try {
        const account = adapter.connect(settings, { http: carrier.http, clock: { now: () => TEST_NOW }, baseUrl });
        const call = callOf(account, exchange);

        if (outcome.kind === 'returns') expect(withBase64(await call)).toEqual(outcome.value);
        else {
          const { name, message, because } = outcome;
          const expected = { name, message: expect.stringContaining(message), ...(because ? { because } : {}) };
          await expect(call).rejects.toMatchObject(expected);
        }
        const asked = [...first.map((each) => each.sent), sent];
        expect(carrier.arrived).toEqual(
          asked.map(({ method, path, query = {}, headers = {}, body }) => {
            return { method, url: baseUrl + path, query, headers: expect.objectContaining(headers), body };
          }),
        );
      } finally {
        carrier.close();
      }
    });
  });
}

function withBase64(value: unknown): unknown {
  const text = JSON.stringify(value, (_name, each: unknown) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each,
  );
  return JSON.parse(text) as unknown;
}

async function callOf(account: CarrierAccount, exchange: Exchange): Promise<unknown> {
  const request = bookingRequest(exchange.request);
  switch (exchange.call) {
    case 'book':
      return account.book(request);
    case 'returnLabel':
      return account.returnLabel?.(request);
    case 'findByReference':
      return account.findByReference?.(request);
    case 'track':
      return account.track?.(exchange.trackingNumbers ?? [], exchange.carrierNumbers);
  }
}

export function accountSettings<Settings extends object>(
  adapter: CarrierAdapter<Settings>,
  config: Readonly<Record<string, unknown>>,
): Settings {
  return plainToInstance(adapter.Config, config);
}

export function secretsIn(error: unknown, secrets: readonly string[]): readonly string[] {
  const text = inspect(error, { depth: 8, showHidden: true });
  return secrets.filter((secret) => text.includes(secret));
}
