import base from './jest.config.js';

/** All bodies that a run of bad input has; `npm run test:slow` sends a tenth of them. */
/** @type {import('jest').Config} */
export default {
  ...base,
  roots: ['<rootDir>/test/bad-input'],
  globals: { longRuns: true },
  testPathIgnorePatterns: ['/node_modules/'],
};
