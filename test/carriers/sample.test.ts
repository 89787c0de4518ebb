import { afterEach, describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { readFileSync, readdirSync } from 'node:fs';
import { carriers } from '../../carriers/index.js';
import type { CarrierServer } from '../../carriers/testing/carrier-server.js';
import { startCarrierServer } from '../../carriers/testing/carrier-server.js';
import { trackingNumbers } from '../../carriers/testing/assertions.js';
import { drawnHere } from '../../carriers/testing/drawn-here.js';
import { numbersInMemory } from '../../carriers/testing/numbers-in-memory.js';
import { withSecrets } from '../../carriers/testing/suite.js';
import { operatorFiles } from '../../src/program-files.js';
import { accountSettings } from './contract-suite.js';
import { TEST_NOW } from './sample-request.js';
import { testHttpPort } from './test-http-port.js';

let server: CarrierServer | null = null;
afterEach(() => server?.close());

describe.each(carriers.map((listed) => [listed.adapter.id, listed] as const))('the sample of %s', (id, listed) => {
  const { adapter } = listed;
  const { sample } = adapter;

  it('is an account that its simulator lets in, with a shipment that it books', async () => {
    server = await startCarrierServer(id, await listed.simulator(), () => TEST_NOW);
    const settings = accountSettings(adapter, withSecrets(sample.config(server.baseUrl), sample.secrets));
    expect(validateSync(settings)).toEqual([]);
    const given = { files: operatorFiles, numbers: numbersInMemory(), labels: drawnHere };
    const tools = { ...given, http: testHttpPort, clock: { now: () => TEST_NOW }, baseUrl: server.baseUrl };
    const account = adapter.connect(settings, tools);

    expect(account.check?.(sample.request) ?? []).toEqual([]);
    const { booking } = await account.book(sample.request);

    const arrived = server.simulator.bookings().map((booked) => booked.trackingNumbers);
    expect(arrived).toEqual(adapter.traits.api === 'none' ? [] : [trackingNumbers(booking)]);
    expect(server.simulator.callback !== undefined).toBe(sample.callbackSecret !== undefined);
  });

  it('has a value for every secret that its settings name', () => {
    const named = JSON.stringify(sample.config('https://carrier.example')).matchAll(/\$\{(\w+)\}/g);
    const known = Object.keys(sample.secrets);
    expect(Array.from(named, ([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual([]);
    if (sample.callbackSecret !== undefined) expect(known).toContain(sample.callbackSecret);
  });
});

describe('the core', () => {
  it('names no field of a carrier', () => {
    const core = readdirSync('src/planning', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`src/planning/${file}`, 'utf8'))
      .join('\n');
    // A name that means the same in our own words is nobody's.
    const names = carriers
      .flatMap(({ adapter }) => Object.keys(adapter.fields))
      .filter((name) => /[A-Z0-9]|^navn$|^adresse$/.test(name));
    const ours = ['notesOnDelivery'];
    const found = names.filter((name) => !ours.includes(name) && new RegExp(`\\b${name}\\b`).test(core));
    expect(found).toEqual([]);
  });
});
