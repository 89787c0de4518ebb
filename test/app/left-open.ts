import { readdirSync, readlinkSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { type Config, parcels, type Service, startService, until } from '../support/harness.js';

/** Each of them may ask the IMS 50 times a second, and one alone would need half an hour for the long run. */
const AREAS = 8;
/** The sandbox brings these. */
const AREAS_OF_THE_SANDBOX = 2;
const AT_ONCE = 80;
const WAVE_WITHIN_MS = 120_000;
/** Sockets of the other side close a moment after ours. */
const CLOSED_WITHIN_MS = 10_000;
/** What Node shows of a thing that keeps a process alive, where it is a file, a connection or a process. */
const OPEN = /Socket|Server|TCP|TLS|Pipe|File|FSEvent|ProcessWrap|Child/;

/** Files and connections of this process by what they are. */
function descriptors(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).replace(/\d+/g, 'n');
    } catch {
      return [];
    }
  });
}

function handles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((kind) => OPEN.test(kind));
}

const moreAreas = Array.from({ length: AREAS - AREAS_OF_THE_SANDBOX }, (_none, place) => {
  const contextId = place + AREAS_OF_THE_SANDBOX + 1;
  return { contextId, key: `IMS_API_KEY_${contextId}`, apiKey: `area-${contextId}-key` };
});

function withMoreAreas(config: Config): Config {
  const more = moreAreas.map(({ contextId, key }) => ({ contextId, apiKey: `\${${key}}`, language: 'en' }));
  return { ...config, areas: [...config.areas, ...more] };
}

async function startWithAreas(): Promise<Service> {
  const environment = Object.fromEntries(moreAreas.map(({ key, apiKey }) => [key, apiKey]));
  const service = await startService({ config: withMoreAreas, environment });
  for (const { contextId, apiKey } of moreAreas) service.control.addArea({ contextId, apiKey, carriers: ['GLS'] });
  return service;
}

/** Starts service and sandbox, books, and stops both. */
async function runWith(bookings: number): Promise<void> {
  const service = await startWithAreas();
  try {
    for (let made = 0; made < bookings; made += AT_ONCE) {
      const upTo = Math.min(made + AT_ONCE, bookings);
      for (let n = made; n < upTo; n += 1)
        service.book(service.ship(parcels(1), { carrierName: 'GLS' }, (n % AREAS) + 1));
      await until(
        `bookings ${made} to ${upTo} are done`,
        () => service.control.documentsIn('DONE') === upTo,
        WAVE_WITHIN_MS,
      );
    }
  } finally {
    await service.stop();
  }
}

/** Starts and stops once before, because libraries keep some files open from then on. */
export function leavesNothingOpen(bookings: number, withinMs: number): void {
  it(
    `leaves no file and no connection open after ${bookings} bookings and a stop`,
    async () => {
      await runWith(1);
      const before = { descriptors: descriptors().length, handles: handles().length };
      await runWith(bookings);
      await until('what was open is closed', () => descriptors().length <= before.descriptors, CLOSED_WITHIN_MS).catch(
        () => undefined,
      );
      const after = { descriptors: descriptors(), handles: handles() };
      process.stdout.write(
        `open before ${JSON.stringify(before)}, after ${bookings} bookings ${after.descriptors.length}\n`,
      );
      expect(after.descriptors.length > before.descriptors ? after.descriptors : []).toEqual([]);
      expect(after.handles.length > before.handles ? after.handles : []).toEqual([]);
    },
    withinMs,
  );
}
