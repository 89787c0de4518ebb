import type { Request } from 'express';
import { BadRequest } from '../../http/bad-request.js';
import { type Parameters, type ParameterValues, readQuery } from '../../http/openapi/parameters.js';

/** Reads the address of a list like the API does, but what cannot be read counts as not given: the list then shows more. */
export function askedBy<Shape extends Parameters>(shape: Shape, { query }: Request): ParameterValues<Shape> {
  const read = Object.entries(shape).map(([name, parameter]) => {
    const given = query[name];
    const value = typeof given === 'string' ? given.trim() : given;
    return [name, readOne({ [name]: parameter }, { [name]: value })[name]] as const;
  });
  return Object.fromEntries(read) as ParameterValues<Shape>;
}

function readOne(shape: Parameters, query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return readQuery(shape, query);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return readQuery(shape, {});
  }
}

/** The address of a list. @param values a missing, `null` or empty one is left out */
export function addressWith(path: string, values: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  return addressOfPairs(path, given);
}

/** The address of a list whose parameters may have several values. */
export function addressOfPairs(path: string, pairs: readonly (readonly [name: string, value: string])[]): string {
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Values as an address has them. */
export function joined(values: readonly string[] | null): string | null {
  return values === null ? null : values.join(',');
}
