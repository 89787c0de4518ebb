import base from './jest.config.js';

/** What takes longer than one waits for between two edits: processes that are killed, servers, minutes that must pass. */
/** @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['**/*.slow.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Some of them compare times.
  maxWorkers: 2,
};
