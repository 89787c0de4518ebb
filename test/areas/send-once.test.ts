import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forgetSent, notSentBefore, rememberSent, sentKey } from '../../src/areas/send-once.js';
import { type SentMessage, claimSending, markSent, releaseSending } from '../../src/areas/sent-rows.js';
import type { Database } from '../../src/db/database.js';
import { say } from '../../src/messages/message.js';
import { openEmptyDatabase } from '../support/prepared-database.js';
import { HandClock } from '../tracking/tracking-stage.js';

const TRIED_FOR_MS = 60_000;
const REMEMBERED_FOR_MS = 3_600_000;

let database: Database;
const clock = new HandClock();
const context = () => ({ database, clock });

beforeAll(async () => {
  database = await openEmptyDatabase();
});
afterAll(() => database.close());

describe('a message about a shipment that is sent before it is packed', () => {
  const lacks = (labels: string) => say('not-allowed', { lacks: labels });
  const sent = lacks('to print');

  it('is not sent again with the same text, about the same shipment, in the same area', async () => {
    const whose = { area: '1', shipmentId: 's-1' };
    await rememberSent(context(), whose, [sent]);
    expect(await notSentBefore(context(), whose, [sent, lacks('to attach')])).toEqual([lacks('to attach')]);
    expect(await notSentBefore(context(), { ...whose, shipmentId: 's-2' }, [sent])).toEqual([sent]);
    expect(await notSentBefore(context(), { ...whose, area: '2' }, [sent])).toEqual([sent]);
  });

  it('is sent after all when the work that was to send it has given it up', async () => {
    const whose = { area: '1', shipmentId: 's-3' };
    const kept = lacks('to attach');
    await rememberSent(context(), whose, [sent, kept]);
    await forgetSent(context(), { area: whose.area, topics: [sentKey(whose, sent).topic] });
    expect(await notSentBefore(context(), whose, [sent, kept])).toEqual([sent]);
  });
});

describe('a message that several processes are about to send', () => {
  const claim = (message: SentMessage) => {
    const now = clock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms);
    return claimSending(database, message, {
      ...{ now, abandonedBefore: ago(TRIED_FOR_MS), expiredBefore: ago(REMEMBERED_FOR_MS) },
    });
  };

  it('is sent by the first one; by another one when that could not send it', async () => {
    const message = { area: '1', topic: 'released' };
    expect(await Promise.all([claim(message), claim(message)])).toEqual([true, false]);
    await releaseSending(database, message);
    expect(await claim(message)).toBe(true);
  });

  it('is sent by another one when the first one died while it sent it', async () => {
    const message = { area: '1', topic: 'abandoned' };
    await claim(message);
    clock.forward(TRIED_FOR_MS);
    expect(await claim(message)).toBe(false);
    clock.forward(1);
    expect(await claim(message)).toBe(true);
  });

  it('is sent again when the time is over for which it counts as sent', async () => {
    const message = { area: '1', topic: 'expired' };
    await claim(message);
    await markSent(database, message, clock.now());
    clock.forward(REMEMBERED_FOR_MS);
    expect(await claim(message)).toBe(false);
    clock.forward(1);
    expect(await claim(message)).toBe(true);
  });
});
