import type { Area } from '../../src/areas/area.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Database } from '../../src/db/database.js';
import { type Script, type TestIms, memoryUsage, startTestIms } from '../ims/ims-server.js';
import { bookingContext } from './consignments.js';

/** An IMS that has taken so many requests on the day of its clock, and none on any other day. */
export function startUsedIms(requests: number, api?: Script): Promise<TestIms> {
  const usage = memoryUsage();
  const { add } = usage;
  usage.add = async (keyId, day, calls) => (day === '2026-03-02' ? requests : 0) + (await add(keyId, day, calls));
  return startTestIms({ tools: { usage }, ...(api && { api }) });
}

/** Area 550 alone, whose messages are their keys, with a database and without an account. */
export function contextOfArea(database: Database, ims: TestIms, changes: Partial<Area> = {}): BookingContext {
  const area: Area = {
    ...{ contextId: '550', bookOn: 'transport-booking', giveUpAfterMs: 30 * 60_000, checksDangerousGoods: false },
    ...{ timeZone: 'Europe/Copenhagen', language: 'en' },
    ...{ ims: ims.area('booking'), imsBackground: ims.area('background') },
    ...{ text: ({ key }) => key, phrase: (key) => key },
    ...changes,
  };
  const base = bookingContext({ book: () => Promise.reject(new Error('nothing is booked here')) }, {}, ims.clock);
  return { ...base, database, areas: new Map([['550', area]]), accounts: new Map() };
}
