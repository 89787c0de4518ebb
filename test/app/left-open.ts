import { readdirSync, readlinkSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parcels, startService, until } from '../support/harness.js';

const AT_ONCE = 50;
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

/** Starts service and sandbox, books, and stops both. */
async function runWith(bookings: number): Promise<void> {
  const service = await startService();
  try {
    for (let made = 0; made < bookings; made += AT_ONCE) {
      const wave = Array.from({ length: Math.min(AT_ONCE, bookings - made) }, () =>
        service.book(service.ship(parcels(1), { carrierName: 'GLS' })),
      );
      const open = new Set(wave);
      await until(
        `bookings ${made} to ${made + AT_ONCE} are done`,
        () => {
          for (const { id, workStatus } of service.control.state().documents)
            if (workStatus === 'DONE') open.delete(id);
          return open.size === 0;
        },
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
