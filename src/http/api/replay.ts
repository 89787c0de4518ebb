import type { ReplayRequest } from '../../reconciliation/replay.js';
import { BadRequest } from '../bad-request.js';
import { type Body, DRY_RUN, type BodyFields, fieldsIn, modeIn, objectOf } from '../openapi/body.js';
import { timeIn } from '../openapi/parameters.js';

const MAX_SPAN_MS = 31 * 24 * 3_600_000;
const VISIBLE = /^[\x21-\x7e]{1,100}$/;

const ID = { type: ['string', 'integer'], description: 'Of 1 to 100 visible characters, or a whole number' };
const TIME = { type: 'string', examples: ['2026-03-04', '2026-03-04T12:00:00Z'] };
const SCHEMA = objectOf(
  {
    area: { ...ID, description: 'Its contextId' },
    shipment: ID,
    document: ID,
    since: { ...TIME, description: 'Of a span of at most 31 days' },
    until: { ...TIME, description: 'Its end; now, when missing' },
    dryRun: DRY_RUN,
  },
  ['area'],
);

/** What is replayed; a span without an end reaches to now. */
export type AskedReplay = Omit<ReplayRequest, 'what'> & {
  readonly what:
    | Exclude<ReplayRequest['what'], { readonly kind: 'span' }>
    | { readonly kind: 'span'; readonly since: Date; readonly until: Date | null };
};

/** What `replay` takes. */
export const REPLAY: Body<AskedReplay> = {
  schema: SCHEMA,
  examples: [
    { area: '550', shipment: '7001', dryRun: true },
    { area: 550, document: 90001 },
    { area: '550', since: '2026-03-04T08:00:00Z', until: '2026-03-04T09:30:00Z' },
  ],
  read: (body) => {
    const fields = fieldsIn(SCHEMA, body);
    const area = idIn(fields.area);
    if (area === null) throw new BadRequest('area must be the contextId of an area');
    return { area, what: readWhat(fields), mode: modeIn(fields) };
  },
};

/** @param now the end of a span without one @throws BadRequest it is none, or too long */
export function replayUntil({ what, ...asked }: AskedReplay, now: Date): ReplayRequest {
  if (what.kind !== 'span') return { ...asked, what };
  const { kind, since } = what;
  const until = what.until ?? now;
  const spanMs = until.getTime() - since.getTime();
  if (spanMs <= 0) throw new BadRequest('until must be after since');
  if (spanMs > MAX_SPAN_MS) throw new BadRequest('the span must be at most 31 days');
  return { ...asked, what: { kind, since, until } };
}

const KINDS = ['shipment', 'document', 'since'] as const;

function readWhat(fields: BodyFields<keyof typeof SCHEMA.properties>): AskedReplay['what'] {
  const [kind, ...others] = KINDS.filter((each) => fields[each] !== undefined);
  if (kind === undefined || others.length > 0)
    throw new BadRequest('exactly one of shipment, document and since must be given');
  if (fields.until !== undefined && kind !== 'since') throw new BadRequest('until goes with since only');
  if (kind === 'since') return readSpan(fields);
  const id = idIn(fields[kind]);
  if (id !== null) return { kind, id };
  throw new BadRequest(`${kind} must be the id of a ${kind}: text of 1 to 100 visible characters, or a whole number`);
}

function readSpan({ since: from, until: to }: BodyFields<'since' | 'until'>): AskedReplay['what'] {
  const [since, until] = [timeOf(from), to === undefined ? null : timeOf(to)];
  return { kind: 'span', since, until };
}

function timeOf(value: unknown): Date {
  const at = typeof value === 'string' ? timeIn(value) : null;
  if (at === null) throw new BadRequest('since and until must be times, e.g. 2026-03-04T12:00:00Z');
  return at;
}

function idIn(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && VISIBLE.test(text) ? text : null;
}
