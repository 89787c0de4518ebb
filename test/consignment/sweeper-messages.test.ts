import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Consignment, WaitingFor } from '../../src/consignment/consignment.js';
import { claim, insertConsignment } from '../../src/consignment/ledger/consignment-rows.js';
import { save } from '../../src/consignment/ledger/save.js';
import { sweep } from '../../src/consignment/sweeper.js';
import type { BookingContext } from '../../src/consignment/context.js';
import type { Area } from '../../src/areas/area.js';
import type { Database } from '../../src/db/database.js';
import { migrate } from '../../src/db/migrate.js';
import { ImsRefused, ImsUnavailable } from '../../src/ims/errors.js';
import { silentLog } from '../../src/log.js';
import { NOON, bookedPart, part } from '../support/consignments.js';
import { until } from '../support/harness.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const AGAIN_AFTER_MS = 31_000;
const LOST = part(1, { state: 'in-doubt', attempt: 1 });
const nobody = () => undefined;

let database: Database;
let id: string;
let posts: string[];
/** What each message names as the document that is booked on. */
let documents: (string | undefined)[];
/** What becomes of each message in turn; of those after the last: taken. */
let fates: (Error | 'hangs')[];

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.script('truncate consignment, journal, label');
  [posts, documents, fates] = [[], [], []];
  const addressee = { eventId: 'event-1', userId: null, deviceName: null };
  const now = new Date(NOON.getTime() - 60_000);
  const arrived = { area: '1', bookedOn: 'transport-booking', documentId: '501', shipmentId: '601' } as const;
  id = (await insertConsignment(database, { ...arrived, addressee, now })) ?? '';
});

const answered = () => database.query<{ told: Date | null }>('select waiting_told_at as told from consignment');

/** A sweep so long after the first; waits for what becomes of its message, unless that hangs. */
async function sweepAfter(ms: number): Promise<void> {
  const before = posts.length;
  const hangs = fates[0] === 'hangs';
  let ended = 0;
  const area = {
    text: ({ key }: { readonly key: string }, bookedOn?: string) => {
      documents.push(bookedOn);
      return key;
    },
    ims: { requestsLeft: () => 'everything' },
    imsBackground: {
      postEventMessage: async (_event: string, { messageText }: { readonly messageText: string }) => {
        posts.push(messageText);
        const fate = fates.shift();
        if (fate === 'hangs') await new Promise(() => undefined);
        if (fate instanceof Error) throw fate;
      },
    },
  } as unknown as Area;
  const said = () => void (ended += 1);
  const log = { ...silentLog, info: said, warn: said };
  const clock = { now: () => new Date(NOON.getTime() + ms) };
  const lease = { owner: 'test' };
  const context = {
    database,
    lease,
    clock,
    areas: new Map([['1', area]]),
    accounts: new Map(),
    log,
  } as unknown as BookingContext;
  await sweep(context, nobody);
  if (posts.length > before && !hangs) await until('its fate is known', () => ended > 0);
}

const unavailable = () => new ImsUnavailable('503', 'none');

describe('a worker who waits', () => {
  it('hears it in the words of the document that the booking was asked for by', async () => {
    await sweepAfter(0);
    expect(documents).toEqual(['transport-booking']);
  });

  it('is told again until the message was taken, and then no more', async () => {
    fates = [unavailable(), unavailable()];
    for (const times of [0, 1, 2]) await sweepAfter(times * AGAIN_AFTER_MS);
    expect(posts).toHaveLength(3);
    await until('it is noted', async () => (await answered())[0]?.told != null);
    await sweepAfter(3 * AGAIN_AFTER_MS);
    expect(posts).toHaveLength(3);
  });

  it('is not told again while the message may still be taken', async () => {
    fates = [unavailable()];
    for (const ms of [0, 500, 29_000]) await sweepAfter(ms);
    expect(posts).toHaveLength(1);
  });

  it('is told by the next process when the first died with the message', async () => {
    fates = ['hangs'];
    await sweepAfter(0);
    expect(posts).toHaveLength(1);
    await sweepAfter(AGAIN_AFTER_MS);
    expect(posts).toHaveLength(2);
  });

  it('is left alone when the IMS refuses the message', async () => {
    fates = [new ImsRefused('unknown_Event', 'no such event')];
    await sweepAfter(0);
    await until('it is noted', async () => (await answered())[0]?.told != null);
    await sweepAfter(AGAIN_AFTER_MS);
    expect(posts).toHaveLength(1);
  });

  it.each([
    ['another booking of the shipment', { waitingFor: 'sibling' }, 'waiting-sibling'],
    ['the IMS', { waitingFor: 'ims' }, 'waiting-ims'],
    ['a new key of the area', { waitingFor: 'ims-key' }, 'waiting-ims-key'],
    ['its account', { state: 'planned', parts: [part(1)], waitingFor: 'account' }, 'waiting-account'],
    [
      'the carrier, whose answer was lost, also while its account is waited for',
      { state: 'in-doubt', parts: [LOST], waitingFor: 'account' },
      'waiting-in-doubt',
    ],
    ['the carrier, whose answer was lost', { state: 'in-doubt', parts: [LOST] }, 'waiting-in-doubt'],
    [
      'the carrier, whose answer was lost and whose search is away',
      { state: 'in-doubt', parts: [LOST], waitingFor: 'carrier' },
      'waiting-carrier-in-doubt',
    ],
    ['the carrier, after a retry of a booking in doubt', { parts: [LOST] }, 'waiting-in-doubt'],
    [
      'the carrier, whose search is away after a retry of a booking in doubt',
      { parts: [LOST], waitingFor: 'carrier' },
      'waiting-carrier-in-doubt',
    ],
    ['the IMS, after a retry of a booking in doubt', { parts: [LOST], waitingFor: 'ims' }, 'waiting-ims'],
    ['a label', { state: 'booked', parts: [bookedPart(1)] }, 'waiting-label'],
    ['the IMS, with the label there', { state: 'booked', parts: [bookedPart(1, { labels: 'stored' })] }, 'waiting-ims'],
  ] as const)('hears that it is %s that is waited for', async (_what, changes, key) => {
    await waits(changes);
    await sweepAfter(0);
    expect(posts).toEqual([key]);
  });

  it('hears it from an instance that knows what is waited for', async () => {
    await waits({ waitingFor: 'strike' as WaitingFor });
    await sweepAfter(0);
    expect(posts).toEqual([]);
  });

  async function waits(changes: Partial<Consignment>): Promise<void> {
    const lease = { owner: 'one', now: NOON, until: new Date(NOON.getTime() + 10_000) };
    const taken = await claim(database, id, lease);
    if (!taken) throw new Error('it could not be claimed');
    await save(
      database,
      { ...taken, ...changes },
      {
        owner: 'one',
        now: NOON,
        entries: [],
        keepLease: 'give-back',
        answersCancelRequest: 'stands',
        knownCancelRequest: null,
      },
    );
  }
});
