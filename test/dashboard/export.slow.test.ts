import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createAudit } from '../../src/access/audit.js';
import { exportList } from '../../src/dashboard/consignments/export.js';
import { askedIn } from '../../src/dashboard/consignments/list-query.js';
import type { Database } from '../../src/db/database.js';
import { setOperator } from '../../src/http/operator-access.js';
import { operatorQueries } from '../../src/operator/operator-queries.js';
import { fieldNames } from '../../src/operator/requests/field-names.js';
import { NOW, insertRow, textsIn } from '../operator/stage.js';
import { silentLog } from '../../src/log.js';
import { openEmptyDatabase } from '../support/prepared-database.js';

const MOST = 10_000;

let database: Database;
let server: Server;

beforeAll(async () => {
  database = await openEmptyDatabase();
  const audit = createAudit({ database, clock: { now: () => NOW }, log: silentLog });
  const queries = operatorQueries(database, await textsIn(), fieldNames({}));
  const app = express().get('/', async (request, response) => {
    setOperator(response, { name: 'Mette Krogh', role: 'act' });
    await exportList(request, response, { queries, audit, asked: askedIn(request) });
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await database.close();
});

async function exported(): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return (await answer.text()).trimEnd().split('\r\n').slice(1);
}

const idOf = (line: string) => line.split(',')[0];

it('has each of 10,000 consignments once, and says when there are more', async () => {
  await insertRow(database, { id: '0' });
  await database.query(
    `insert into consignment
     select row.* from generate_series(1, $1::int - 1) n, consignment c
      cross join lateral jsonb_populate_record(c, jsonb_build_object('id', n::text, 'document_id', 'd-' || n,
        'shipment_id', 's-' || n, 'reference', 'r-' || n)) row`,
    [MOST],
  );
  const all = await exported();
  expect(new Set(all.map(idOf)).size).toBe(MOST);
  expect(all).toHaveLength(MOST);

  await insertRow(database, { id: 'one-more' });
  const cut = await exported();
  expect(new Set(cut.slice(0, MOST).map(idOf)).size).toBe(MOST);
  expect(cut.slice(MOST)).toEqual([
    '"There are more than these 10000 rows: export a shorter time, or one carrier after the other."',
  ]);
  const entries = await database.query<{ detail: string }>('select detail from audit order by id');
  expect(entries.map(({ detail }) => detail)).toEqual(['10000 rows', '10000 rows']);
});
