/* The package's entry `waybridge/adapter`: what an adapter is written with. */
export * from '../../carriers/contract/index.js';
export * from '../../carriers/toolkit/index.js';
