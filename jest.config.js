import { existsSync, readdirSync } from 'node:fs';
import { bundledPackages } from './test/support/bundled-packages.js';

const SLOW = '[.]slow[.]test[.]ts$';
const NODE_MODULES = '/node_modules/';
/** Tests of the stand-in of the IMS itself. */
const SANDBOX = '<rootDir>/test/sandbox/';
/** The whole service in each file. `fast` runs the one that shows every end of a booking. */
const JOURNEYS = '<rootDir>/test/journeys/';
const OUTCOMES = `${JOURNEYS}outcomes`;
/** Tests of other rooms that start the whole service in each file too. */
const WHOLE_SERVICE = [
  'consignment/sequence',
  'manifests/handover',
  'manifests/handover-trouble',
  'manifests/handover-sellers',
  'webhooks/subscribers',
  'tracking/callbacks',
  'db/plans',
  'cli/explain',
].map((name) => `<rootDir>/test/${name}.test.ts`);
/** Files that count their cases by `propertyRuns`. */
const PROPERTIES = ['consignment/machine-properties', 'planning/decide', 'routing/properties', 'tracking/any-order'];

/** The carrier whose tests `fast` runs: it has every ability. */
const EVERY_ABILITY = 'pretend';
const OTHER_CARRIERS = readdirSync(new URL('carriers', import.meta.url))
  .filter((id) => id !== EVERY_ABILITY && existsSync(new URL(`carriers/${id}/index.ts`, import.meta.url)))
  .filter((id) => existsSync(new URL(`test/carriers/${id}.test.ts`, import.meta.url)))
  .map((id) => `<rootDir>/test/carriers/${id}.test.ts`);

const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  moduleNameMapper: { ...bundledPackages, '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '<rootDir>/test/support/as-commonjs.js' },
  runtime: '<rootDir>/test/support/shared-scripts.js',
  globalSetup: '<rootDir>/test/support/build-once.js',
  globalTeardown: '<rootDir>/test/support/in-memory.js',
  setupFiles: ['reflect-metadata'],
};

/**
 * One project for each `npm run test:…`; each file of tests belongs to `fast`, `carriers`, `journeys`, `sandbox`, `slow` or `long`. The scripts name the number
 * of workers, for two cores: three where tests compute, four where they wait and leave the processor to others, five where they
 * wait for most of their time.
 */
const projects = [
  {
    displayName: 'fast',
    testPathIgnorePatterns: [
      NODE_MODULES,
      SLOW,
      SANDBOX,
      `${JOURNEYS}(?!outcomes)`,
      ...WHOLE_SERVICE,
      ...OTHER_CARRIERS,
    ],
  },
  { displayName: 'carriers', testMatch: OTHER_CARRIERS },
  {
    displayName: 'journeys',
    testMatch: [`${JOURNEYS}**/*.test.ts`, ...WHOLE_SERVICE],
    testPathIgnorePatterns: [NODE_MODULES, SLOW, OUTCOMES],
  },
  { displayName: 'sandbox', roots: [SANDBOX], testPathIgnorePatterns: [NODE_MODULES, SLOW] },
  // Processes that are killed, servers, minutes that must pass.
  { displayName: 'slow', testMatch: ['**/*.slow.test.ts'] },
  // Many minutes.
  { displayName: 'long', testMatch: ['**/*.long.ts'] },
  // Needs Chromium; without it the tests say that they are skipped.
  { displayName: 'browser', testMatch: ['**/*.browser.ts'] },
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
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  // For a busy machine: a test that hangs is found all the same. Jest reads it here only, for all projects.
  testTimeout: 600_000,
  projects: projects.map((project) => ({
    ...common,
    testMatch: ['**/*.test.ts'],
    testPathIgnorePatterns: [NODE_MODULES],
    ...project,
  })),
};
