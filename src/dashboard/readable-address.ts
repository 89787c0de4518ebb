import type { Request, RequestHandler } from 'express';
import { BadRequest } from '../http/bad-request.js';
import { type Parameter, type Parameters, readQuery } from '../http/openapi/parameters.js';
import type { PageDeps } from './page-deps.js';

/** What in the address of a page cannot be read, or is not known there; `null`: nothing. */
export function problemIn(shape: Parameters, { query }: Pick<Request, 'query'>): string | null {
  try {
    readQuery(shape, query);
    return null;
  } catch (error) {
    if (error instanceof BadRequest) return error.message;
    throw error;
  }
}

/** The parameters of a list of the API, as its page has them: the page has a number of rows of its own. */
export function asPage<Shape extends Parameters>(
  shape: Shape & { readonly limit: Parameter<number> },
): Omit<Shape, 'limit'> {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => name !== 'limit')) as Omit<Shape, 'limit'>;
}

interface Readable {
  /** The entry of the side bar. */
  readonly page: string;
  readonly title: string;
  /** The address of the page without parameters. */
  readonly home: string;
  readonly takes: Parameters;
}

/**
 * Refuses an address with an unknown parameter, or with a value that cannot be read, by a page that names it: what is not
 * understood would silently show, or retry, something else. Comes after `signedIn`.
 */
export function readable(
  { renderer, pageOf }: Pick<PageDeps, 'renderer' | 'pageOf'>,
  { takes, ...shown }: Readable,
): RequestHandler {
  return (request, response, next) => {
    const problem = problemIn(takes, request);
    if (problem === null) return next();
    response.status(400);
    renderer.send(response, 'unreadable', { ...pageOf(request, response), ...shown, problem });
  };
}
