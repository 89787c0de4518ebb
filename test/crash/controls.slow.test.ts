import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { describeOnServer } from '../db/postgres-server.js';
import { buildChild } from './build-child.js';
import type { Sabotage } from './child/protocol.js';
import { type Databases, embeddedDatabases, serverDatabases } from './databases.js';
import { Stage } from './stage.js';
import { ship } from './story.js';
import { checkFinalState } from './crash-stage.js';

const SETTLES_WITHIN_MS = 60_000;
const BOOKING_ANSWERED = 'POST /carriers/pretend/bookings reference | answer read';
const { oneParcel, withoutPostalCode } = sampleShipments;

let program: string;

beforeAll(async () => {
  program = await buildChild();
});

const TWICE = /^\(2\) .* booked more than once/;
/** A busy machine may search so late that nothing is too early any more: Pretend shows a booking after 0.3 s. */
const SEARCHES = 3;
/** Many at once, for the limit of a key. */
const RUSH = 60;

interface Loss {
  readonly what: string;
  readonly sabotage: Sabotage;
  /** The process dies after the booking; the answer to the booking is lost; the carrier refuses; many come at once. */
  readonly accident?: 'death' | 'lost' | 'refused' | 'rush';
  readonly complaint: RegExp;
}

/** A shipment with Pretend, by a service that lacks a protection. @returns what is wrong with the world afterwards */
async function withoutProtection(
  databases: Databases,
  { sabotage, accident }: Pick<Loss, 'sabotage' | 'accident'>,
): Promise<readonly string[]> {
  const stage = await Stage.open({ program, database: await databases.fresh() });
  try {
    const death = accident === 'death' ? { moment: BOOKING_ANSWERED, pass: 1 } : null;
    if (accident === 'lost') stage.sandbox.control.addFault({ target: 'pretend', method: 'POST', kind: 'drop-after' });
    if (accident === 'rush') stage.sandbox.control.setSwitches({ requestsPerSecond: null });
    const { service } = await stage.start({ death, sabotage: [sabotage] });
    if (accident === 'refused') ship(stage.sandbox, withoutPostalCode, 'GLS');
    else for (let n = 0; n < (accident === 'rush' ? RUSH : 1); n += 1) ship(stage.sandbox, oneParcel, 'Pretend');
    if (death) {
      await service.gone;
      await stage.start({ sabotage: [sabotage] });
    }
    return checkFinalState(await stage.context(await stage.settle(SETTLES_WITHIN_MS)));
  } finally {
    await stage.close();
  }
}

describe('the check of the world', () => {
  let databases: Databases;

  beforeAll(async () => {
    databases = await embeddedDatabases();
  });
  afterAll(async () => databases?.close());

  it.each<Loss>([
    { what: 'a booking without its intent written down', sabotage: 'no-intent', accident: 'death', complaint: TWICE },
    { what: 'a search that is believed too early', sabotage: 'no-visibility-wait', accident: 'lost', complaint: TWICE },
    { what: 'an event that is answered and not stored', sabotage: 'no-event', complaint: /^\(1\)/ },
    { what: 'a refusal that nobody hears of', sabotage: 'no-message', accident: 'refused', complaint: /^\(3\)/ },
    { what: 'a number that is not written', sabotage: 'no-tracking', complaint: /^\(4\)/ },
    { what: 'a document that is left where it is', sabotage: 'no-end', complaint: /^\(5\)/ },
    { what: 'more requests than a key allows', sabotage: 'no-limit', accident: 'rush', complaint: /^\(6\)/ },
    { what: 'an end before the numbers', sabotage: 'end-first', complaint: /^\(7\)/ },
    { what: 'a log that talks', sabotage: 'talkative-log', complaint: /^\(8\)/ },
    { what: 'a label that is not what was stored', sabotage: 'spoiled-label', complaint: /^\(9\)/ },
  ])('notices $what', async (loss) => {
    let noticed: readonly string[] = [];
    for (let tries = loss.accident === 'lost' ? SEARCHES : 1; tries > 0 && noticed.length === 0; tries -= 1) {
      const wrong = await withoutProtection(databases, loss);
      noticed = wrong.filter((line) => loss.complaint.test(line));
    }
    expect(noticed).not.toEqual([]);
  });
});

describeOnServer('the check of the world', (url) => {
  it('notices two instances that do not ask whose work it is', async () => {
    const databases = await serverDatabases(url());
    const stage = await Stage.open({ program, database: await databases.fresh(), instances: 2 });
    try {
      stage.sandbox.control.addFault({
        target: 'ims',
        path: '^/shipments/',
        kind: 'delay',
        ms: 6_000,
        times: 'always',
      });
      await Promise.all([0, 1].map((instance) => stage.start({ sabotage: ['no-lease'] }, instance)));
      ship(stage.sandbox, oneParcel, 'Pretend');
      const rows = await stage.settle(SETTLES_WITHIN_MS);
      expect(checkFinalState(await stage.context(rows)).filter((line) => line.startsWith('(2)'))).not.toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
