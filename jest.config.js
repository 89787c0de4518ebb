import { bundledPackages } from './test/support/bundled-packages.js';

const SLOW = '[.]slow[.]test[.]ts$';
const NODE_MODULES = '/node_modules/';
/** Tests of the stand-in of the IMS itself. */
const SANDBOX = '<rootDir>/test/sandbox/';
/** Files that count their cases by `propertyRuns`. */
const PROPERTIES = ['consignment/machine-properties', 'planning/decide', 'routing/properties', 'tracking/any-order'];

const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  moduleNameMapper: { ...bundledPackages, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '<rootDir>/test/support/as-commonjs.js' },
  globalSetup: '<rootDir>/test/support/build-once.js',
  setupFiles: ['reflect-metadata'],
};

/**
 * One project for each `npm run test:…`; each file of tests belongs to `fast`, `sandbox`, `slow` or `long`. The scripts name the number
 * of workers: three on two cores, since tests that wait for a moment leave it to others, but two where they compare times.
 */
const projects = [
  { displayName: 'fast', testMatch: ['**/*.test.ts'], testPathIgnorePatterns: [NODE_MODULES, SLOW, SANDBOX] },
  { displayName: 'sandbox', roots: [SANDBOX], testPathIgnorePatterns: [NODE_MODULES, SLOW] },
  // Processes that are killed, servers, minutes that must pass.
  { displayName: 'slow', testMatch: ['**/*.slow.test.ts'] },
  // Many minutes.
  { displayName: 'long', testMatch: ['**/*.long.ts'] },
  // The same tests as `fast` runs, with all cases.
  {
    displayName: 'properties',
    testMatch: PROPERTIES.map((name) => `<rootDir>/test/${name}.test.ts`),
    globals: { longRuns: true },
  },
  // The same tests as `fast` and `slow` run, with all that they have: `slow` sends a tenth of the bodies, `fast` tries a part of the matrix.
  { displayName: 'bad-input', roots: ['<rootDir>/test/bad-input'], globals: { longRuns: true } },
  { displayName: 'outage', roots: ['<rootDir>/test/outage'], globals: { longRuns: true } },
  { displayName: 'faults', roots: ['<rootDir>/test/faults'], globals: { wholeFaultMatrix: true } },
];

/** @type {import('jest').Config} */
export default {
  workerIdleMemoryLimit: '700MB',
  // For a busy machine: a test that hangs is found all the same. Jest reads it here only, for all projects.
  testTimeout: 180_000,
  projects: projects.map((project) => ({
    ...common,
    testMatch: ['**/*.test.ts'],
    testPathIgnorePatterns: [NODE_MODULES],
    ...project,
  })),
};
