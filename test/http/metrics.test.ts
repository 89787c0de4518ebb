import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { metricsRoute } from '../../src/http/metrics.js';

const measures = { contentType: 'text/plain; version=0.0.4', text: async () => 'waybridge_database_up 1\n' };
const server = (token: string | null) => express().get('/metrics', ...metricsRoute(measures, token));

describe('the measures with a token', () => {
  const app = server('a-token-of-the-operator');

  it('are shown to a caller with the token, also through a proxy', async () => {
    const answer = await request(app)
      .get('/metrics')
      .set({ authorization: 'Bearer a-token-of-the-operator', 'x-forwarded-for': '203.0.113.9' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('waybridge_database_up 1\n');
    expect(answer.headers['content-type']).toContain('version=0.0.4');
  });

  it.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer another-token' }],
  ])('are not shown to a caller with %s', async (_case, headers) => {
    const answer = await request(app).get('/metrics').set(headers);
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain('database_up');
  });
});

describe('the measures without a token', () => {
  const app = server(null);

  it('are shown to a caller on this machine', async () => {
    expect((await request(app).get('/metrics')).status).toBe(200);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'are not shown through a proxy that sets %s',
    async (name) => {
      const answer = await request(app).get('/metrics').set(name, '127.0.0.1');
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('database_up');
    },
  );
});
