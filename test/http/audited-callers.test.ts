import { once } from 'node:events';
import { type ClientRequest, type Server, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import express from 'express';
import type { Audit } from '../../src/access/audit.js';
import { auditActions, setOperator } from '../../src/http/operator-access.js';
import { until } from '../support/until.js';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('has the result of an action in the audit log also where its caller left before the answer', async () => {
  const rows: unknown[] = [];
  const audit = {
    begin: async () => 'row-1',
    end: async (id: string, ending: object) => void rows.push({ id, ...ending }),
  } as unknown as Audit;
  let caller: ClientRequest | null = null;
  let answered = false;
  const app = express();
  app.use((_request, response, next) => {
    setOperator(response, { name: 'anna', role: 'act' });
    next();
  });
  app.post('/reprint', auditActions(audit), async (_request, response) => {
    caller?.destroy();
    await once(response, 'close');
    response.status(202).json({});
    answered = true;
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  caller = ask({ host: '127.0.0.1', port, path: '/reprint', method: 'POST' });
  caller.on('error', () => undefined).end();
  await until('the action has ended', () => answered);
  expect(rows).toEqual([{ id: 'row-1', result: 'done', status: 202 }]);
});
