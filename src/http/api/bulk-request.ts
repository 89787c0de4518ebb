import type { BulkAction, BulkRequest, Which } from '../../operator/bulk/bulk.js';
import { MAX_BULK } from '../../operator/bulk/bulk.js';
import { BadRequest } from '../bad-request.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { type Body, DRY_RUN, type BodyFields, fieldsIn, modeIn, objectOf } from '../openapi/body.js';
import { type Parameter, oneWord, readQuery } from '../openapi/parameters.js';
import { FILTER, filterOf } from './consignment-filter.js';
import { ANSWER, RESOLUTION, readResolution } from './resolution-request.js';

/** How many begin in a second. */
const [MIN_PER_SECOND, MAX_PER_SECOND] = [0.1, 25];
const USUAL_PER_SECOND = 5;
const ID = /^[\w-]{1,100}$/;

/** The pace in an address. */
const paceIn: Parameter<number> = {
  description: 'How many begin in a second',
  schema: { type: 'number', minimum: MIN_PER_SECOND, maximum: MAX_PER_SECOND, default: USUAL_PER_SECOND },
  several: 'no',
  read: ([given]) => (given === undefined ? USUAL_PER_SECOND : paceOf(Number(given))),
};

/** The query beside a table. */
export const CSV = { perSecond: paceIn, dryRun: oneWord(['true', 'false'], 'Only says what would happen', 'false') };

const WHICH = {
  ids: { type: 'array', minItems: 1, maxItems: MAX_BULK, items: { type: 'string' } },
  filter: { type: 'object', description: 'The parameters of the list' },
  count: { type: 'integer', minimum: 1, maximum: MAX_BULK, description: 'How many the filter finds' },
};
const MANNER = { perSecond: paceIn.schema, dryRun: DRY_RUN };
const ANSWERED = objectOf({ id: { type: 'string' }, ...RESOLUTION.properties }, ['id']);
const RETRY_SCHEMA = objectOf({ ...WHICH, ...MANNER });
const RESOLVE_SCHEMA = objectOf({
  ...WHICH,
  ...MANNER,
  answer: ANSWER,
  answers: { type: 'array', minItems: 1, maxItems: MAX_BULK, items: ANSWERED },
});

type Asked = Omit<BulkRequest, 'by'>;

/** What `retry` and `resolve` take for many. */
export const BULK: Readonly<Record<BulkAction['action'], Body<Asked>>> = {
  retry: {
    schema: RETRY_SCHEMA,
    examples: [
      { ids: ['5a52daa4-d047-4fb9-97fd-7ddbc27e9e95'], perSecond: 2, dryRun: true },
      { filter: { state: 'refused', account: 'gls' }, count: 18 },
    ],
    read: (body) => {
      const { perSecond, dryRun, ...which } = fieldsIn(RETRY_SCHEMA, body);
      return { what: { action: 'retry', which: readWhich(which) }, ...readManner({ perSecond, dryRun }) };
    },
  },
  resolve: {
    schema: RESOLVE_SCHEMA,
    examples: [
      { filter: { needsOperator: true, account: 'gls' }, count: 18, answer: 'not-booked', perSecond: 2, dryRun: true },
      { ids: ['5a52daa4-d047-4fb9-97fd-7ddbc27e9e95'], answer: 'give-up' },
      {
        answers: [
          {
            id: '5a52daa4-d047-4fb9-97fd-7ddbc27e9e95',
            ...{ answer: 'booked', trackingNumbers: { '501': '370000000000000017' } },
          },
        ],
      },
    ],
    read: (body) => {
      const { perSecond, dryRun, ...what } = fieldsIn(RESOLVE_SCHEMA, body);
      return { what: readAnswers(what), ...readManner({ perSecond, dryRun }) };
    },
  },
};

function paceOf(given: unknown): number {
  if (typeof given === 'number' && given >= MIN_PER_SECOND && given <= MAX_PER_SECOND) return given;
  throw new BadRequest(`perSecond is a number from ${MIN_PER_SECOND} to ${MAX_PER_SECOND}`);
}

/** Pace, and whether it is only tried. */
function readManner({ perSecond = USUAL_PER_SECOND, dryRun }: BodyFields<keyof typeof MANNER>) {
  return { perSecond: paceOf(perSecond), mode: modeIn({ dryRun }) };
}

function readAnswers({ answer, answers, ...which }: BodyFields<keyof typeof WHICH | 'answer' | 'answers'>): BulkAction {
  const action = 'resolve';
  if (answers === undefined) {
    if (answer === 'booked') throw new BadRequest('"booked" needs the numbers of each: give them in "answers"');
    const resolution = readResolution({ answer });
    return { action, which: readWhich(which), resolution };
  }
  if (which.ids !== undefined || which.filter !== undefined || which.count !== undefined || answer !== undefined)
    throw new BadRequest('answers stands without ids, filter, count and answer');
  return { action, answers: manyOf('answers', answers).map(readAnswer) };
}

function readAnswer(value: unknown): { id: string; resolution: ReturnType<typeof readResolution> } {
  const { id, ...resolution } = fieldsIn(ANSWERED, value, 'each of answers');
  return { id: readId(id), resolution: readResolution(resolution) };
}

function readWhich({ ids, filter, count }: BodyFields<keyof typeof WHICH>): Which {
  if (ids !== undefined) {
    if (filter !== undefined || count !== undefined) throw new BadRequest('ids stands without filter and count');
    return { kind: 'ids', ids: [...new Set(manyOf('ids', ids).map(readId))] };
  }
  if (!isJsonObject(filter)) throw new BadRequest('ids is missing, or a filter with the count that it finds');
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_BULK)
    throw new BadRequest(`count is how many the filter finds, 1 to ${MAX_BULK}`);
  return { kind: 'filter', filter: filterOf(readQuery(FILTER, textsOf(filter))), count };
}

/** As in an address: true is "true". */
function textsOf(filter: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
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
