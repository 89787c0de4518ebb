import type { RequestHandler } from 'express';
import { MemoryStore, type Store, rateLimit } from 'express-rate-limit';
import { sendProblem } from './problem.js';

/** The most addresses that one limit counts; when there are more, all counts start again. */
const MAX_ADDRESSES = 10_000;
const WRONG_ONES = { windowMs: 60_000, limit: 60, title: 'Too many wrong secrets' };

/** The requests that one address may send in a window. */
export interface PerAddress {
  readonly windowMs: number;
  readonly limit: number;
  /** The title of the answer 429. */
  readonly title: string;
}

/**
 * Limits requests with a wrong secret, so that secrets cannot be guessed. Requests with the right one are not counted,
 * so that neither their number nor wrong ones from the same address lock them out.
 */
export function wrongSecrets(): RequestHandler {
  return perAddress(WRONG_ONES);
}

/**
 * Limits requests by address: the address that a trusted proxy names, else the connection's. The header of any other
 * sender is ignored.
 */
export function perAddress({ windowMs, limit, title }: PerAddress): RequestHandler {
  return rateLimit({
    windowMs,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    store: boundedStore(MAX_ADDRESSES),
    handler: (_request, response) => {
      response.set('retry-after', String(Math.ceil(windowMs / 1_000)));
      sendProblem(response, 429, { title });
    },
  });
}

/** The library's memory store, which has no limit of its own, with a limit. */
export function boundedStore(most: number): Store {
  const memory = new MemoryStore();
  const isFull = () => memory.current.size + memory.previous.size >= most;
  const isKnown = (key: string) => memory.current.has(key) || memory.previous.has(key);
  return {
    localKeys: true,
    init: (options) => memory.init(options),
    increment: async (key) => {
      if (isFull() && !isKnown(key)) await memory.resetAll();
      return memory.increment(key);
    },
    decrement: (key) => memory.decrement(key),
    resetKey: (key) => memory.resetKey(key),
    resetAll: () => memory.resetAll(),
  };
}
