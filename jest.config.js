/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // `npm run test:slow` has these.
  testPathIgnorePatterns: ['/node_modules/', '[.]slow[.]test[.]ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/build-once.js',
  setupFiles: ['reflect-metadata'],
  // One more than two cores: tests that wait for a moment leave it to others.
  maxWorkers: 3,
  workerIdleMemoryLimit: '700MB',
  // For a busy machine: a test that hangs is found all the same.
  testTimeout: 180_000,
};
