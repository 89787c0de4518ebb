export interface DocsAddresses {
  /** Where the page itself is, e.g. `/docs`; without a slash at its end. */
  readonly at: string;
  /** Where the description is, e.g. `/2/openapi.json`. */
  readonly document: string;
}

const STYLE = 'swagger-ui.css';
const SCRIPT = 'swagger-ui-bundle.js';
const ICON = 'favicon-32x32.png';

/** What the page needs of the package that draws it. */
export const UI_FILES: readonly string[] = [STYLE, SCRIPT, ICON];

/** Nothing from elsewhere; the package draws its icons from `data:` addresses and sets styles in elements. */
export const PAGE_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'";

export function pageOf({ at, document }: DocsAddresses): string {
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

/** The credentials are those that every sandbox starts with. */
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
