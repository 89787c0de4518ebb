import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/**
 * The rooms, from the ground up, and what each may import besides itself, packages, and the two files that stand beside the
 * rooms (`src/log.ts`, `src/program-files.ts`). `docs/architecture.md` says what each is for. Types count.
 */
export const rooms = {
  'carriers/contract': [],
  'carriers/toolkit': ['carriers/contract'],
  'carriers/testing': ['carriers/contract', 'carriers/toolkit'],
  'src/messages': [],
  'src/printing': [],
  'src/labels': ['carriers/contract'],
  'src/transport': ['carriers/contract'],
  'src/db': ['carriers/contract'],
  'src/worker': ['carriers/contract'],
  'src/routing': ['carriers/contract'],
  'src/config': ['carriers/contract', 'carriers/toolkit', 'src/transport', 'src/routing'],
  'src/ims': ['carriers/contract', 'src/transport', 'src/db'],
  'src/accounts': ['carriers/contract', 'src/transport', 'src/db', 'src/worker', 'src/config'],
  'src/areas': ['carriers/contract', 'src/messages', 'src/db', 'src/ims'],
  'src/planning': [
    'carriers/contract',
    'src/messages',
    'src/db',
    'src/routing',
    'src/config',
    'src/ims',
    'src/accounts',
    'src/areas',
  ],
  'src/consignment': [
    'carriers/contract',
    'src/messages',
    'src/printing',
    'src/labels',
    'src/transport',
    'src/db',
    'src/worker',
    'src/routing',
    'src/ims',
    'src/accounts',
    'src/areas',
    'src/planning',
  ],
  'src/webhooks': ['carriers/contract', 'src/db', 'src/worker'],
  'src/tasks': [
    'src/messages',
    'src/transport',
    'src/db',
    'src/worker',
    'src/ims',
    'src/areas',
    'src/planning',
    'src/consignment',
  ],
  'src/manifests': [
    'carriers/contract',
    'src/messages',
    'src/db',
    'src/ims',
    'src/accounts',
    'src/areas',
    'src/consignment',
    'src/tasks',
  ],
  'src/intake': [
    'carriers/contract',
    'src/messages',
    'src/db',
    'src/ims',
    'src/areas',
    'src/consignment',
    'src/tasks',
    'src/manifests',
  ],
  'src/tracking': [
    'carriers/contract',
    'src/messages',
    'src/transport',
    'src/db',
    'src/worker',
    'src/ims',
    'src/accounts',
    'src/areas',
    'src/consignment',
    'src/webhooks',
  ],
  'src/operator': [
    'carriers/contract',
    'src/messages',
    'src/db',
    'src/routing',
    'src/ims',
    'src/areas',
    'src/planning',
    'src/consignment',
  ],
  'src/reconciliation': [
    'src/transport',
    'src/db',
    'src/routing',
    'src/ims',
    'src/areas',
    'src/consignment',
    'src/manifests',
    'src/intake',
  ],
  'src/http': [
    'carriers/contract',
    'src/db',
    'src/ims',
    'src/consignment',
    'src/webhooks',
    'src/manifests',
    'src/intake',
    'src/tracking',
    'src/operator',
    'src/reconciliation',
  ],
  'src/app': [
    'carriers/contract',
    'src/messages',
    'src/printing',
    'src/labels',
    'src/transport',
    'src/db',
    'src/worker',
    'src/routing',
    'src/config',
    'src/ims',
    'src/accounts',
    'src/areas',
    'src/planning',
    'src/consignment',
    'src/webhooks',
    'src/tasks',
    'src/manifests',
    'src/intake',
    'src/tracking',
    'src/operator',
    'src/reconciliation',
    'src/http',
  ],
  'src/sandbox': ['carriers/contract'],
  'src/cli': [
    'carriers',
    'carriers/contract',
    'src/messages',
    'src/printing',
    'src/transport',
    'src/db',
    'src/routing',
    'src/config',
    'src/ims',
    'src/accounts',
    'src/areas',
    'src/operator',
    'src/reconciliation',
    'src/app',
    'src/sandbox',
  ],
};

/** Anything of ours that a room may not enter; `carriers` alone is `carriers/index.ts` with the carriers behind it. */
const zones = Object.entries(rooms).flatMap(([room, allowed]) =>
  ['src', 'carriers'].map((from) => ({
    target: `./${room}`,
    from: `./${from}`,
    except: [
      ...[room, ...allowed].filter((one) => one.startsWith(`${from}/`)).map((one) => `./${one.slice(from.length + 1)}`),
      ...(from === 'src' ? ['./log.ts', './program-files.ts'] : []),
      ...(from === 'carriers' && allowed.includes('carriers') ? ['.'] : []),
    ],
    message: `${room} may not import this: see the table of rooms`,
  })),
);

/** A carrier has the contract, the toolkit, and itself. */
const carrierZones = readdirSync(new URL('carriers/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['contract', 'testing', 'toolkit'].includes(entry.name))
  .flatMap(({ name }) => [
    {
      target: `./carriers/${name}`,
      from: './carriers',
      except: [`./${name}`, './contract', './toolkit'],
      message: 'a carrier imports the contract and the toolkit only',
    },
    { target: `./carriers/${name}`, from: './src', message: 'a carrier imports the contract and the toolkit only' },
  ]);

export default tseslint.config(
  { ignores: ['dist', 'demo-output', 'coverage', 'data', '**/*.d.ts'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.js'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.js'], extensionAlias: { '.js': ['.ts', '.js'] } }),
      ],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': ['error', { zones: [...zones, ...carrierZones] }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'max-depth': ['error', 3],
      // `modified`: a switch over a union counts once, however many cases the compiler makes us name.
      complexity: ['error', { max: 10, variant: 'modified' }],
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines-per-function': 'off', 'max-lines': 'off' } },
  { files: ['src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  // Express knows a handler of errors by its four parameters.
  { files: ['src/http/**/*.ts'], rules: { 'max-params': ['error', 4] } },
  // Where it is (the stand-in), what kind of resource it is about, and then what everyone has.
  { files: ['src/sandbox/**/*.ts'], rules: { 'max-params': ['error', 4] } },
  {
    files: ['**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
