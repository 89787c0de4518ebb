#!/usr/bin/env node
// Runs the program; builds it first where its sources, or the packages it is made of, are newer than what was built (never
// in an image, which has no compiler).
import { buildIfStale } from './build.js';

await buildIfStale();
await import(new URL('../dist/bundle/main.js', import.meta.url).href);
