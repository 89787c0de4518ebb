import base from './jest.config.js';

/** The outage with thousands of bookings waiting; `npm run test:slow` has a small one. */
/** @type {import('jest').Config} */
export default {
  ...base,
  roots: ['<rootDir>/test/outage'],
  globals: { longRuns: true },
  testPathIgnorePatterns: ['/node_modules/'],
};
