import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express from 'express';
import type { Router } from 'express';
import type { DocsAddresses } from './docs-page.js';
import { PAGE_POLICY, UI_FILES, docsPage, startScriptOf } from './docs-page.js';

/** Serves a Swagger UI page for the OpenAPI document, with all its files. */
export function docsRouter(addresses: DocsAddresses): Router {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({ 'Content-Security-Policy': PAGE_POLICY, 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  router.get('/', (_request, response) => void response.type('html').send(docsPage(addresses)));
  router.get('/start.js', (_request, response) => void response.type('js').send(startScriptOf(addresses)));
  for (const name of UI_FILES)
    router.get(`/${name}`, (_request, response) => response.sendFile(join(folder, name), { maxAge: '1h' }));
  router.use((_request, response) => void response.status(404).end());
  return router;
}
