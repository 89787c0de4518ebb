import base from './jest.config.js';

/** The whole matrix of faults, with its tables; `npm test` runs a part of it. */
/** @type {import('jest').Config} */
export default {
  ...base,
  roots: ['<rootDir>/test/faults'],
  globals: { wholeFaultMatrix: true },
  testPathIgnorePatterns: ['/node_modules/'],
};
