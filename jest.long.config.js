import base from './jest.config.js';

/** Runs of many minutes: `npm run test:crash`, `npm run test:soak`. */
/** @type {import('jest').Config} */
export default { ...base, testMatch: ['**/*.long.ts'], testPathIgnorePatterns: ['/node_modules/'] };
