import express from 'express';
import type { Router } from 'express';
import type { Endpoint } from '../api/endpoint.js';
import type { About } from './document.js';
import { openApiDocument } from './document.js';

/**
 * `GET /openapi.json`, without credentials. The addresses in it are those the client used itself, so that a page in a
 * browser stays on its origin.
 */
export function openApiRouter(endpoints: readonly Endpoint[], about: Pick<About, 'version' | 'resources'>): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/openapi.json', (request, response) => {
    const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
    response.json(openApiDocument(endpoints, { ...about, origin, authUrl: origin }));
  });
  return router;
}
