export * from './adapter.js';
export * from './classify.js';
export * from './errors.js';
export * from './http-port.js';
export * from './json.js';
export * from './model.js';
export * from './simulator.js';
export * from './tracking.js';
