import type { RequestHandler } from 'express';
import { MemoryStore, type Store, rateLimit } from 'express-rate-limit';
import { sendProblem } from './problem.js';

/** More are remembered by no limit: when there are as many, all begin anew. */
const MAX_ADDRESSES = 10_000;
const WRONG_ONES = { windowMs: 60_000, limit: 60, title: 'Too many wrong secrets' };

/** What one address may do in a while. */
export interface PerAddress {
  readonly windowMs: number;
  readonly limit: number;
  /** Title of the answer 429. */
  readonly title: string;
}

/**
 * Guessing is slow: for what comes with a wrong secret, and for nothing else. What shows the right one does not pass here,
 * so that neither many of those at once nor wrong ones from the same address shut it out.
 */
export function wrongSecrets(): RequestHandler {
  return perAddress(WRONG_ONES);
}

/**
 * Limits requests by address: the one that a trusted proxy names, else the connection's. The header of any other sender
 * is ignored.
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

/** The library's own, which forgets nothing within its window, with a bound. */
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
