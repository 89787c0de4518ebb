import express from 'express';
import type { Router } from 'express';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { About } from './document.js';
import { imsApiDocument } from './document.js';

/**
 * `GET /openapi.json`, without credentials. The URLs in the document have the origin that the client used, so that a
 * page in a browser stays on its own origin.
 */
export function openApiRouter(endpoints: readonly ImsEndpoint[], about: Pick<About, 'version' | 'resources'>): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/openapi.json', (request, response) => {
    const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
    response.json(imsApiDocument(endpoints, { ...about, origin, authUrl: origin }));
  });
  return router;
}
