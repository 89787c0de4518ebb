import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeAll, read } from './support.js';
import type { Warehouse } from './warehouse.js';
import { openWarehouse } from './warehouse.js';

describe('a file that somebody attaches to an item', () => {
  let warehouse: Warehouse;

  beforeAll(async () => {
    warehouse = await openWarehouse();
  });

  afterAll(closeAll);

  const attach = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const { url } = warehouse.sandbox;
    return read(await fetch(`${url}/control/attachments`, { method: 'POST', headers, body: JSON.stringify(body) }));
  };
  const file = (entityId: number) => ({
    ...{ area: 1, entityName: 'GlobalTradeItem', entityId, fileName: 'manual.txt' },
    base64EncodedContent: Buffer.from('Do not fold.').toString('base64'),
  });

  it('is listed there with an address where it can be had, and told of', async () => {
    expect((await attach(file(warehouse.tentId))).status).toBe(200);
    const [attached] = await warehouse.call(`GET /globalTradeItems/${warehouse.tentId}/attachments`);
    expect(attached).toMatchObject({ fileName: 'manual.txt', size: 12 });
    expect(await (await fetch(attached.presignedUrl)).text()).toBe('Do not fold.');
    expect(await warehouse.heard()).toMatchObject([{ type: 'fileAttached', entityName: 'GlobalTradeItem' }]);
  });

  it.each([
    ['an item that is not there', { ...file(1) }, 'There is no GlobalTradeItem with id 1 in this area'],
    ['what has no files', { ...file(1), entityName: 'Customer' }, 'entityName: must be one of GlobalTradeItem'],
    ['a member that is not known', { ...file(1), content: 'x' }, 'content: is not known'],
  ])('is refused for %s', async (_case, body, words) => {
    const { status, body: answer } = await attach(body);
    expect([status, answer.error]).toEqual([400, expect.stringContaining(words)]);
  });
});
