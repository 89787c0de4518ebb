/** What is wrong with it, the file and the change in it that make it so, and what the start says of it. */
export const BROKEN: readonly (readonly [string, string, (text: string) => string, RegExp])[] = [
  ['does not parse', 'index.js', (text) => `${text}\n)`, /cannot be loaded: SyntaxError/],
  ['imports what is not installed', 'index.js', (text) => `import 'nowhere';\n${text}`, /nowhere/],
  ['imports what the entry does not have', 'index.js', (text) => text.replace('plugIn,', 'plugin,'), /plugin/],
  ['throws while it is loaded', 'index.js', (text) => `${text}\nthrow new Error('no licence');`, /no licence/],
  [
    'exports no default',
    'index.js',
    (text) => text.replace('export default', 'export const one ='),
    /no default export/,
  ],
  [
    'is written for another contract',
    'index.js',
    (text) => text.replace('contract: 1', 'contract: 7'),
    /contract 7.*contract 1/,
  ],
  ['has the id of another', 'index.js', (text) => text.replace("id: 'fjordpost'", "id: 'bring'"), /id bring/],
  ['has no name', 'index.js', (text) => text.replace("name: 'Fjordpost'", "name: ''"), /no name/],
  ['lacks a trait', 'index.js', (text) => text.replace('maxParcels: 20', 'maxParcels: undefined'), /maxParcels/],
  ['has no simulator', 'index.js', (text) => text.replace(/simulator: async[^\n]*/, ''), /no simulator/],
  [
    'breaks when it connects',
    'api.js',
    (text) => text.replace('{ apiKey }, tools', '{ apiKeys: { one } }, tools'),
    /cannot connect/,
  ],
  [
    'does not use defineCarrier',
    'index.js',
    (text) => text.replace('defineCarrier({', '({').replace('defineCarrier, ', ''),
    /is not made by defineCarrier/,
  ],
  ['has no program', 'package.json', (text) => text.replace('./index.js', './main.js'), /main\.js does not exist/],
];
