import type { Request, RequestHandler, Response } from 'express';
import type { Audit } from '../access/audit.js';
import { type Operator, operatorWith } from '../access/operators.js';
import { withoutNotes } from '../operator/requests/viewer.js';
import { auditedAction } from './audited-action.js';
import { bearerToken } from './authentication.js';
import { sendProblem } from './problem.js';
import { wrongSecrets } from './rate-limit.js';

/** Who may come in, and the log of what was done. */
export interface OperatorAccess {
  readonly operators: readonly Operator[];
  readonly audit: Audit;
}

/** An operator, whichever way in it took. */
type SignedIn = Pick<Operator, 'name' | 'role'>;

/** Removes what names the persons of these consignments from a value, for the role `view`. */
type WithoutNames = <Value>(value: Value, ids: readonly string[]) => Promise<Value>;

const READS = ['GET', 'HEAD', 'OPTIONS'];
const DETAIL = 'Show the operator token: "Authorization: Bearer …".';
const MAY_NOT_ACT = 'Your role is "view": it reads and changes nothing. Ask for a token with the role "act".';

/** The operator of a request that `requireOperator`, or a session, has accepted. @throws Error neither has accepted it */
export function operatorIn(response: Response): SignedIn {
  const operator = response.locals['operator'] as SignedIn | undefined;
  if (operator === undefined) throw new Error('this path is not behind the check of operators');
  return operator;
}

export function setOperator(response: Response, operator: SignedIn): void {
  response.locals['operator'] = operator;
}

/** What an operator may read of a value about these consignments: the role `view` reads no names. */
export async function forRole<Value>(
  response: Response,
  { value, ids }: { readonly value: Value; readonly ids: readonly string[] },
  withoutNames: WithoutNames,
): Promise<Value> {
  return readsNames(response) ? value : withoutNames(value, ids);
}

/** What an operator may read of what was given up: of no consignment, the role `view` reads no notes. */
export async function givenUpForRole<Row extends { readonly consignmentId?: string | null }>(
  response: Response,
  rows: readonly Row[],
  withoutNames: WithoutNames,
): Promise<readonly Row[]> {
  if (readsNames(response)) return rows;
  const ids = rows.flatMap(({ consignmentId }) => consignmentId ?? []);
  return withoutNames(
    rows.map((row) => (row.consignmentId ? row : withoutNotes(row))),
    ids,
  );
}

/** What an operator may read of what has notes of others about many consignments, or none. */
export function notesForRole<Value>(response: Response, value: Value): Value {
  return readsNames(response) ? value : withoutNotes(value);
}

/** Whether the operator of a request may read names and addresses. */
export function readsNames(response: Response): boolean {
  return operatorIn(response).role === 'act';
}

/** Labels show names and addresses: refuses the role `view`. */
export const requireNames: RequestHandler = (_request, response, next) => {
  if (readsNames(response)) return next();
  const detail = 'A label shows a name and an address: only the role "act" reads it.';
  sendProblem(response, 403, { title: 'Your role may not do this', detail });
};

/** Lets in operators by their token. A wrong one is refused, counted and stored in the audit log. */
export function requireOperator({ operators, audit }: OperatorAccess): RequestHandler {
  const count = wrongSecrets();
  return (request, response, next) => {
    const token = bearerToken(request);
    const operator = token === null ? null : operatorWith(operators, token);
    if (operator !== null) {
      setOperator(response, operator);
      return next();
    }
    const refuse = async () => {
      const because = token === null ? 'no token' : 'wrong token';
      await audit.refused({ operator: null, ...auditedAction(request) }, { status: 401, detail: because });
      response.set('www-authenticate', 'Bearer');
      sendProblem(response, 401, { title: 'Not authentic', detail: DETAIL });
    };
    return count(request, response, (error?: unknown) => (error === undefined ? void refuse() : next(error)));
  };
}

/**
 * Everything but reading needs the role `act`, and has a row in the audit log before it begins. Comes after the check of
 * operators.
 */
export function auditActions(audit: Audit): RequestHandler {
  return async (request, response, next) => {
    if (READS.includes(request.method)) return next();
    if (!(await mayAct(audit, request, response))) return;
    await storeAround(audit, { operator: operatorIn(response).name, ...auditedAction(request) }, response);
    next();
  };
}

/** Lets only the role `act` prepare an action, which changes nothing: only a refusal has a row in the audit log. */
export function requireActor(audit: Audit): RequestHandler {
  return async (request, response, next) => {
    if (await mayAct(audit, request, response)) next();
  };
}

/** Refuses the role `view`. */
async function mayAct(audit: Audit, request: Request, response: Response): Promise<boolean> {
  const { name, role } = operatorIn(response);
  if (role === 'act') return true;
  await audit.refused({ operator: name, ...auditedAction(request) }, { status: 403, detail: 'role view' });
  sendProblem(response, 403, { title: 'Your role may not do this', detail: MAY_NOT_ACT });
  return false;
}

/**
 * Stores the action now, and its result when it is answered: not at `finish`, which does not come where the caller has left.
 * @throws when the action cannot be stored
 */
async function storeAround(audit: Audit, attempt: Parameters<Audit['begin']>[0], response: Response): Promise<void> {
  const id = await audit.begin(attempt);
  response.end = new Proxy(response.end, {
    apply: (end, self, values) => {
      void audit.end(id, { result: resultOf(response), status: response.statusCode });
      return Reflect.apply(end, self, values) as Response;
    },
  });
}

function resultOf({ statusCode }: Response): 'done' | 'refused' | 'failed' {
  if (statusCode >= 500) return 'failed';
  return statusCode >= 400 ? 'refused' : 'done';
}
