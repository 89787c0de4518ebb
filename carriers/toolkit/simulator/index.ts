export * from './books.js';
export * from './label.js';
export * from './replies.js';
export * from './server.js';
