import type { BulkAction, BulkRequest, Which } from '../../operator/bulk/bulk.js';
import { MAX_BULK } from '../../operator/bulk/bulk.js';
import { BadRequest } from '../bad-request.js';
import { type JsonSchema, type Parameter, oneOf, readQuery } from '../openapi/parameters.js';
import { FILTER, filterOf } from './consignment-filter.js';
import { readResolution } from './resolution-request.js';

/** How many begin in a second. */
const [MIN_PER_SECOND, MAX_PER_SECOND] = [0.1, 25];
const USUAL_PER_SECOND = 5;
const ID = /^[\w-]{1,100}$/;

type Fields = Readonly<Record<string, unknown>>;

/** @throws BadRequest */
export function readBulk(action: BulkAction['action'], body: unknown): Omit<BulkRequest, 'by'> {
  const known = Object.keys(Object(BULK_BODY['properties']));
  if (!isObject(body)) throw new BadRequest(`the body is an object with some of ${known.join(', ')}`);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadRequest(`"${unknown.slice(0, 60)}" is none of ${known.join(', ')}`);
  return { what: readAction(action, body), ...readManner(body) };
}

/** The pace in an address. */
const paceIn: Parameter<number> = {
  description: 'How many begin in a second',
  schema: { type: 'number', minimum: MIN_PER_SECOND, maximum: MAX_PER_SECOND, default: USUAL_PER_SECOND },
  several: 'no',
  read: ([given]) => (given === undefined ? USUAL_PER_SECOND : paceOf(Number(given))),
};

/** The query beside a table. */
export const CSV = { perSecond: paceIn, dryRun: oneOf(['true', 'false'], 'Only says what would happen', 'false') };

const ANSWER = { type: 'string', enum: ['booked', 'not-booked', 'give-up'] };

/** What `resolve` takes for one consignment. */
export const RESOLVE_BODY: JsonSchema = {
  type: 'object',
  properties: {
    answer: ANSWER,
    carrierNumber: { type: ['string', 'null'] },
    trackingNumbers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'By the id of the container',
    },
    parts: { type: 'array', items: { type: 'object', required: ['reference', 'outcome'] } },
  },
};

/** What `retry` and `resolve` take for many. */
export const BULK_BODY: JsonSchema = {
  type: 'object',
  properties: {
    ids: { type: 'array', minItems: 1, maxItems: MAX_BULK, items: { type: 'string' } },
    filter: { type: 'object', description: 'The parameters of the list' },
    count: { type: 'integer', minimum: 1, maximum: MAX_BULK, description: 'How many the filter finds' },
    perSecond: { type: 'number', minimum: MIN_PER_SECOND, maximum: MAX_PER_SECOND, default: USUAL_PER_SECOND },
    dryRun: { type: 'boolean', default: false },
    answer: ANSWER,
    answers: { type: 'array', minItems: 1, maxItems: MAX_BULK, items: { type: 'object', required: ['id'] } },
  },
  additionalProperties: false,
};

function paceOf(given: unknown): number {
  if (typeof given === 'number' && given >= MIN_PER_SECOND && given <= MAX_PER_SECOND) return given;
  throw new BadRequest(`perSecond is a number from ${MIN_PER_SECOND} to ${MAX_PER_SECOND}`);
}

/** Pace, and whether it is only tried. */
function readManner({ perSecond = USUAL_PER_SECOND, dryRun = false }: Fields): Pick<BulkRequest, 'perSecond' | 'mode'> {
  if (typeof dryRun !== 'boolean') throw new BadRequest('dryRun is true or false');
  return { perSecond: paceOf(perSecond), mode: dryRun ? 'tell' : 'do' };
}

function readAction(action: BulkAction['action'], body: Fields): BulkAction {
  if (action === 'retry') return { action, which: readWhich(body) };
  if (body['answers'] === undefined) {
    const { answer } = body;
    if (answer === 'booked') throw new BadRequest('"booked" needs the numbers of each: give them in "answers"');
    const resolution = readResolution({ answer });
    return { action, which: readWhich(body), resolution };
  }
  if (body['ids'] !== undefined || body['filter'] !== undefined || body['answer'] !== undefined)
    throw new BadRequest('answers stands without ids, filter and answer');
  return { action, answers: manyOf('answers', body['answers']).map(readAnswer) };
}

function readAnswer(value: unknown): { id: string; resolution: ReturnType<typeof readResolution> } {
  if (!isObject(value)) throw new BadRequest('each of answers is an object with "id" and what resolve takes');
  const { id, ...resolution } = value;
  return { id: readId(id), resolution: readResolution(resolution) };
}

function readWhich({ ids, filter, count }: Fields): Which {
  if (ids !== undefined) {
    if (filter !== undefined || count !== undefined) throw new BadRequest('ids stands without filter and count');
    return { kind: 'ids', ids: [...new Set(manyOf('ids', ids).map(readId))] };
  }
  if (!isObject(filter)) throw new BadRequest('ids is missing, or a filter with the count that it finds');
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_BULK)
    throw new BadRequest(`count is how many the filter finds, 1 to ${MAX_BULK}`);
  return { kind: 'filter', filter: filterOf(readQuery(FILTER, textsOf(filter))), count };
}

/** As in an address: true is "true". */
function textsOf(filter: Fields): Fields {
  const text = (value: unknown) => (typeof value === 'boolean' || typeof value === 'number' ? String(value) : value);
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, text(value)]));
}

function manyOf(name: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BULK)
    throw new BadRequest(`${name} is a list of 1 to ${MAX_BULK}`);
  return value;
}

function readId(value: unknown): string {
  if (typeof value !== 'string' || !ID.test(value)) throw new BadRequest('an id is the id of a consignment');
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
