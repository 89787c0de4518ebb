import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type Router } from 'express';
import { openApiDocument } from './document.js';

const DOCUMENT = '/api/openapi.json';
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/**
 * The content security policy: the page loads only from its own origin. Swagger UI needs `data:` URLs for icons, and
 * inline styles.
 */
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Waybridge: operator API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<noscript>This page needs JavaScript. The description is at <a href="${DOCUMENT}">${DOCUMENT}</a>.</noscript>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '${DOCUMENT}',
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis],
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
});
`;

/** The description of the API and a page of it; without a token, since both say nothing about what is stored. */
export function docsRoutes(): Router {
  const router = express.Router();
  let document: object | null = null;
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.get(DOCUMENT, (_request, response) => void response.json((document ??= openApiDocument())));
  router.use('/docs', (_request, response, next) => {
    response.set('content-security-policy', POLICY);
    next();
  });
  router.get('/docs', (_request, response) => void response.type('html').send(PAGE));
  router.get('/docs/start.js', (_request, response) => void response.type('js').send(START));
  for (const name of FILES)
    router.get(`/docs/${name}`, (_request, response) => response.sendFile(join(folder, name), { maxAge: '1h' }));
  return router;
}
