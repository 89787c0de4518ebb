{
  "name": "waybridge-acme",
  "version": "0.1.0",
  "private": true,
  "type": "module",
  "exports": "./index.js",
  "files": ["*.js", "!*.test.js"],
  "scripts": { "test": "node --test" },
  "peerDependencies": { "waybridge": "*" }
}
