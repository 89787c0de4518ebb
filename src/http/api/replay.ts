import type { ReplayRequest } from '../../reconciliation/replay.js';

const MAX_SPAN_MS = 31 * 24 * 3_600_000;
const ID = /^[\x21-\x7e]{1,100}$/;
const KEYS = ['area', 'shipment', 'document', 'since', 'until', 'dryRun'];

/** @returns the request, or an error text; @param now the end of a span without `until` */
export function readReplay(body: unknown, now: Date): ReplayRequest | string {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return 'the body must be a JSON object';
  const given = body as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return `only ${KEYS.join(', ')} are known`;
  const area = idAt(given, 'area');
  if (area === null) return 'area must be the contextId of an area';
  const { dryRun = false } = given;
  if (typeof dryRun !== 'boolean') return 'dryRun must be true or false';
  const what = readWhat(given, now);
  return typeof what === 'string' ? what : { area, what, mode: dryRun ? 'tell' : 'do' };
}

function readWhat(given: Readonly<Record<string, unknown>>, now: Date): ReplayRequest['what'] | string {
  const wanted = ['shipment', 'document', 'since'].filter((key) => given[key] !== undefined);
  const [kind] = wanted;
  if (kind === undefined || wanted.length > 1) return 'exactly one of shipment, document and since must be given';
  if (given['until'] !== undefined && kind !== 'since') return 'until goes with since only';
  if (kind === 'since') return readSpan(given, now);
  const id = idAt(given, kind);
  if (id === null) return `${kind} must be the id of a ${kind}: text of 1 to 100 visible characters, or a whole number`;
  return kind === 'shipment' ? { kind, id } : { kind: 'document', id };
}

function readSpan(given: Readonly<Record<string, unknown>>, now: Date): ReplayRequest['what'] | string {
  const since = timeOf(given['since']);
  const until = given['until'] === undefined ? now : timeOf(given['until']);
  if (since === null || until === null) return 'since and until must be times, e.g. 2026-03-04T12:00:00Z';
  const spanMs = until.getTime() - since.getTime();
  if (spanMs <= 0) return 'until must be after since';
  return spanMs > MAX_SPAN_MS ? 'the span must be at most 31 days' : { kind: 'span', since, until };
}

function idAt(given: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = given[key];
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && ID.test(text) ? text : null;
}

/**
 * A date without a time means midnight UTC. A time needs its zone, because the machine's own zone would decide
 * otherwise.
 */
function timeOf(value: unknown): Date | null {
  if (
    typeof value !== 'string' ||
    !/^(?!0000)\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value)
  )
    return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time;
}
