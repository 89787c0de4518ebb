export interface DocsAddresses {
  /** Path of the page, without a trailing slash, e.g. `/docs`. */
  readonly at: string;
  /** Path of the OpenAPI document, e.g. `/2/openapi.json`. */
  readonly document: string;
}

const STYLE = 'swagger-ui.css';
const SCRIPT = 'swagger-ui-bundle.js';
const ICON = 'favicon-32x32.png';

/** The files of `swagger-ui-dist` that the page loads. */
export const UI_FILES: readonly string[] = [STYLE, SCRIPT, ICON];

/**
 * The content security policy: the page loads only from its own origin. Swagger UI needs `data:` URLs for icons, and
 * inline styles.
 */
export const PAGE_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'";

export function docsPage({ at, document }: DocsAddresses): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>REST API, version 2</title>
<link rel="stylesheet" href="${at}/${STYLE}">
<link rel="icon" href="${at}/${ICON}">
</head>
<body>
<noscript>This page needs JavaScript. The description is at <a href="${document}">${document}</a>.</noscript>
<div id="docs"></div>
<script src="${at}/${SCRIPT}"></script>
<script src="${at}/start.js"></script>
</body>
</html>
`;
}

/** Starts Swagger UI with the credentials that every sandbox has. */
export function startScriptOf({ document }: DocsAddresses): string {
  return `const docs = SwaggerUIBundle({
  url: ${JSON.stringify(document)},
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  onComplete: () => docs.preauthorizeApiKey('areaKey', 'area-1-key'),
});
docs.initOAuth({ clientId: 'full', clientSecret: 'full-secret', scopes: ['api/full'] });
`;
}
