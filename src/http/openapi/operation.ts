import type { Body } from './body.js';
import type { Parameters } from './parameters.js';

/** One request of the API, as `/api/openapi.json` describes it. */
export interface ApiOperation {
  readonly method: 'get' | 'post' | 'delete';
  /** Below `/api/v1`, with its parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The parameters that the request is read with. */
  readonly query?: Parameters;
  /** The body that the request is read with. */
  readonly body?: { readonly takes: Body<unknown>; readonly required: boolean; readonly csv?: 'too' };
  /** The answer that is no problem. */
  readonly answer: {
    readonly status: 200 | 201 | 202 | 204;
    readonly type?: 'application/pdf' | 'text/csv';
    readonly has?: readonly string[];
  };
  /** The problems that it may answer with, beside 400 and 401. */
  readonly problems?: readonly (403 | 404 | 409 | 422 | 502 | 503)[];
}

export const PDF = { status: 200, type: 'application/pdf' } as const;
