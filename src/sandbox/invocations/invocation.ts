import type { Field, Fields } from '../schema/fields.js';
import { need, readChanges } from '../schema/read.js';
import type { Resource } from '../schema/resource.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims } from '../ims.js';
import type { JsonMembers } from '../store/json.js';

/** The parameters, scopes and behaviour of one invocation. */
export interface Invocation {
  /** The last segment of its path. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** The name of its parameter schema in the interface's description. */
  readonly parameters: string;
  /** The resource that the codes of its refusals name. */
  readonly resource: string;
  readonly fields: Fields;
  readonly needed: readonly string[];
  /** The resource that it responds with; `null`: an undescribed object. */
  readonly answers: Resource | null;
  readonly beyondTables?: ImsEndpoint['beyondTables'];
  /** @throws ImsRefusal */
  readonly run: (ims: Ims, call: InvocationCall) => JsonMembers;
}

export interface InvocationCall {
  readonly contextId: number;
  /** The parameters, parsed and validated. */
  readonly given: JsonMembers;
}

/** `POST /invocations/<name>`: takes a JSON object of parameters and responds with an object. */
export function invocationEndpoint(ims: Ims, invocation: Invocation): ImsEndpoint {
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

/** A number of pieces, at least one. */
export const PIECES: Field = { kind: 'number', min: 1, max: 9_999_999, fractionDigits: 0 };
