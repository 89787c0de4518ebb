export * from './address-lines.js';
export * from './books.js';
export * from './label.js';
export * from './pickup-points.js';
export * from './replies.js';
export * from './rules.js';
export * from './server.js';
export * from './signed-link.js';
