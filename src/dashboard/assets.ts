import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type Router } from 'express';
import { assetsFolder } from '../program-files.js';

const MAX_AGE = '1h';
const OWN = [
  'dashboard.css',
  'dashboard.js',
  'carriers.css',
  'charts.css',
  'charts.js',
  'keys.js',
  'needs-a-person.css',
  'needs-a-person.js',
  'requests.css',
  'requests.js',
  'icon.svg',
];
/** Files of packages, under their names here. */
const OF_PACKAGES: readonly (readonly [name: string, entry: string, path: string])[] = [
  ['htmx.js', 'htmx.org/package.json', 'dist/htmx.min.js'],
  ['uplot.js', 'uplot/package.json', 'dist/uPlot.iife.min.js'],
  ['uplot.css', 'uplot/package.json', 'dist/uPlot.min.css'],
  ['inter.woff2', '@fontsource-variable/inter/package.json', 'files/inter-latin-wght-normal.woff2'],
];

/** Styles, scripts and the font, below `/assets`. They hold no data, and the sign-in page needs them. */
export function assetRoutes(): Router {
  const router = express.Router();
  const packages = createRequire(import.meta.url);
  const files = [
    ...OWN.map((name) => [name, join(assetsFolder(), name)] as const),
    ...OF_PACKAGES.map(([name, entry, path]) => [name, join(dirname(packages.resolve(entry)), path)] as const),
  ];
  for (const [name, path] of files)
    router.get(`/${name}`, (_request, response) => response.sendFile(path, { maxAge: MAX_AGE, dotfiles: 'allow' }));
  return router;
}
