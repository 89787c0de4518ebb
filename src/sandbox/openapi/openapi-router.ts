import express from 'express';
import type { Router } from 'express';
import type { Endpoint } from '../api/endpoint.js';
import type { About } from './document.js';
import { openApiDocument } from './document.js';

/**
 * `GET /openapi.json`, without credentials. The URLs in the document have the origin that the client used, so that a
 * page in a browser stays on its own origin.
 */
export function openApiRouter(endpoints: readonly Endpoint[], about: Pick<About, 'version' | 'resources'>): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/openapi.json', (request, response) => {
    const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
    response.json(openApiDocument(endpoints, { ...about, origin, authUrl: origin }));
  });
  return router;
}
