import type { CarrierAccount, CarrierAdapter, HttpPort, GivenTools } from '../../../carriers/contract/index.js';
import { pretend } from '../../../carriers/pretend/index.js';
import { startPretendSimulator } from '../../../carriers/pretend/simulator/index.js';
import { contractCasesOver } from '../../../carriers/testing/contract-cases.js';
import { bookingRequest } from '../sample-request.js';
import { testHttpPort } from '../test-http-port.js';

export const API_KEY = 'pretend-key-0001';
const OPTIONS = {
  config: { apiKey: API_KEY },
  secrets: [API_KEY],
  wrongConfig: { apiKey: 'wrong' },
  simulator: startPretendSimulator,
  variants: [['two parcels', bookingRequest()]] as const,
  refused: bookingRequest({ service: 'refused' }),
  http: testHttpPort,
};

/** What an author gets wrong: the good account, and what it was connected with. */
export type Spoil = (good: CarrierAccount, tools: GivenTools) => Partial<CarrierAccount>;

export function spoiled(spoil: Spoil, http: (port: HttpPort) => HttpPort = (port) => port): CarrierAdapter {
  const adapter = pretend as CarrierAdapter;
  return {
    ...adapter,
    connect: (config, tools) => {
      const good = adapter.connect(config, { ...tools, http: http(tools.http) });
      return { ...good, ...spoil(good, tools) };
    },
  };
}

/** What becomes of one case of the contract, by its name. */
export async function outcomeOf(adapter: CarrierAdapter, name: string): Promise<string> {
  const found = contractCasesOver(adapter, OPTIONS).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case "${name}"`);
  return found.run().then(
    () => 'passes',
    () => 'fails',
  );
}
