import type { Field, Fields } from '../schema/fields.js';
import { need, readChanges } from '../schema/read.js';
import type { Resource } from '../schema/resource.js';
import type { Endpoint } from '../api/endpoint.js';
import type { Ims } from '../ims.js';
import type { JsonObject } from '../store/json.js';

/** What one invocation takes and does. */
export interface Invocation {
  /** The last part of its path. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** What its parameters are called in the interface's description. */
  readonly parameters: string;
  /** What it is about, as in the codes of refusals. */
  readonly resource: string;
  readonly fields: Fields;
  readonly needed: readonly string[];
  /** What it answers with; `null`: an object that is not described. */
  readonly answers: Resource | null;
  readonly beyondTables?: Endpoint['beyondTables'];
  /** @throws Refusal */
  readonly run: (ims: Ims, call: Call) => JsonObject;
}

export interface Call {
  readonly contextId: number;
  /** Read and checked. */
  readonly given: JsonObject;
}

/** `POST /invocations/<name>`: a JSON object of parameters in, an object out. */
export function invocationEndpoint(ims: Ims, invocation: Invocation): Endpoint {
  const { name, scopes, parameters, resource, fields, needed, answers, beyondTables, run } = invocation;
  const declared = { name: resource, fields };
  return {
    method: 'post',
    path: `/invocations/${name}`,
    scopes,
    body: { kind: 'parameters', name: parameters, fields, needed },
    about: resource,
    answer: answers === null ? { kind: 'object' } : { kind: 'one', of: answers },
    ...(beyondTables === undefined ? {} : { beyondTables }),
    handle: ({ contextId, body }) => {
      const given = readChanges(declared, body, null);
      need(declared, given, needed);
      return run(ims, { contextId, given });
    },
  };
}

/** At least one. */
export const PIECES: Field = { kind: 'number', min: 1, max: 9_999_999, fractionDigits: 0 };
