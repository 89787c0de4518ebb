import { BadRequest } from '../../bad-request.js';

/** The body of an action that can be tried first. */
export const DRY_RUN_BODY = {
  type: 'object',
  properties: { dryRun: { type: 'boolean', default: false, description: 'Only says what would happen' } },
  additionalProperties: false,
};

/** @param body missing: do it @throws BadRequest */
export function readDryRun(body: unknown): 'do' | 'tell' {
  if (body === undefined || body === null) return 'do';
  const { dryRun = false, ...others } = Object(body) as Readonly<Record<string, unknown>>;
  if (typeof body !== 'object' || Array.isArray(body) || Object.keys(others).length > 0)
    throw new BadRequest('the body has "dryRun" and nothing else, or is missing');
  if (typeof dryRun !== 'boolean') throw new BadRequest('dryRun is true or false');
  return dryRun ? 'tell' : 'do';
}
