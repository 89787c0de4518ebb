import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom. A folder may import itself, what is listed here, and packages; nothing else of ours.
 * The order reads from the bottom of the building to the top: arrows only point to an earlier line.
 */
const borders = {
  'carriers/contract': [],
  'carriers/toolkit': ['carriers/contract'],
  'src/log': [],
  'src/db': ['carriers/contract', 'src/log'],
  'src/transport': ['carriers/contract', 'src/log'],
  'src/ims': ['carriers/contract', 'src/log'],
  'src/labels': ['carriers/contract'],
  'src/printing': ['carriers/contract'],
  'src/messages': [],
  'src/handover': ['carriers/contract'],
  'src/routing': ['carriers/contract'],
  'src/consignment': [
    'carriers/contract',
    'src/log',
    'src/db',
    'src/ims',
    'src/labels',
    'src/printing',
    'src/messages',
    'src/routing',
    'src/handover',
  ],
  'src/onward': ['carriers/contract', 'src/log', 'src/db', 'src/consignment'],
  'src/tracking': [
    'carriers/contract',
    'src/log',
    'src/db',
    'src/ims',
    'src/messages',
    'src/consignment',
    'src/onward',
  ],
  'src/http': ['carriers/contract', 'src/consignment', 'src/tracking', 'src/onward', 'src/db', 'src/ims', 'src/log'],
  'src/sandbox': ['carriers'],
};

const rooms = [
  'carriers/contract',
  'carriers/toolkit',
  'carriers',
  ...Object.keys(borders).filter((f) => f.startsWith('src/')),
];

/** Matches a relative import that leaves its folder for one of the rooms it may not enter. */
function forbiddenRooms(folder) {
  const allowed = [folder, ...borders[folder]];
  const open = allowed.filter((room) => room.startsWith('carriers/')).map((room) => room.slice('carriers/'.length));
  const closed = rooms.filter((room) => room.startsWith('src/') && !allowed.includes(room));
  const names = [
    ...closed.flatMap((room) => (folder.startsWith('src/') ? [room.slice('src/'.length)] : [room])),
    ...(allowed.includes('carriers') ? [] : [`carriers/(?!(${open.join('|') || '-'})/).*`]),
    ...(folder.startsWith('carriers/') ? ['contract', 'toolkit'].filter((room) => !open.includes(room)) : []),
    '(src/)?(app|main|settings|config-(account|callbacks|file|in-ims|notation|problems|rules))',
    '(src/)?cli',
  ];
  return `^(\\.\\./)+(${names.join('|')})(/|\\.js$|$)`;
}

const borderRules = Object.keys(borders).map((folder) => ({
  files: [`${folder}/**/*.ts`, `${folder}.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: forbiddenRooms(folder), message: `${folder} may not import this: see eslint.config.js` }] },
    ],
  },
}));

const carrierFolders = {
  files: ['carriers/*/**/*.ts'],
  ignores: ['carriers/contract/**', 'carriers/toolkit/**'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: '^(\\.\\./)+(?!contract/|toolkit/)[a-z]',
            message: 'a carrier imports the contract and the toolkit only',
          },
        ],
      },
    ],
  },
};

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
  ...borderRules,
  carrierFolders,
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
