import { setFlagsFromString } from 'node:v8';

// Drawing and reading pictures pays for code that runs fast, unlike the databases of most tests: see test/support/shared-scripts.js.
// Imported before the libraries that compile theirs as soon as they are loaded.
setFlagsFromString('--no-liftoff-only');
