import type { HttpAnswer, TrackingEvent, TrackingStatus } from '../../contract/index.js';
import { parseJson } from '../../contract/index.js';
import { textAt, valueAt } from '../../toolkit/json.js';
import { boundedEvents, momentWithOffset } from '../../toolkit/tracking-event.js';
import { GLS_EVENTS, GLS_STATUSES } from './codes.js';

/** Says that nothing more will happen; how the parcel ended is in its history, if it is anywhere. */
const CLOSED = 'FINAL';
const ENDS: readonly TrackingStatus[] = ['delivered', 'cancelled'];

/**
 * What happened to some parcels. Those that GLS does not know stand in the answer with an error of their own.
 * @throws Error the answer has no parcels
 */
export function fromGlsTracking(trackingNumbers: readonly string[], answer: HttpAnswer): readonly TrackingEvent[] {
  const parcels = valueAt(parseJson(answer.body), 'parcels');
  if (!Array.isArray(parcels)) throw new Error("GLS's answer has no parcels");
  return trackingNumbers.flatMap((number) => {
    const asked = parcels.filter((parcel) => textAt(parcel, 'requested') === number);
    return boundedEvents(asked.flatMap((parcel) => eventsOf(number, parcel)));
  });
}

/**
 * The history, and the parcel's status as an event of its own when none in the history is of that moment; the event that
 * is has led to the status, which says what its code means.
 */
function eventsOf(trackingNumber: string, parcel: unknown): readonly TrackingEvent[] {
  const current = textAt(parcel, 'status');
  const since = momentWithOffset(textAt(parcel, 'statusDateTime'));
  const listed = valueAt(parcel, 'events');
  const history = (Array.isArray(listed) ? listed : []).flatMap((row) => historyEvent(trackingNumber, row));
  if (current === null || since === null) return history;
  if (current === CLOSED && history.some(({ status }) => ENDS.includes(status))) return history;
  const status = GLS_STATUSES.get(current) ?? 'unrecognised';
  const last = history.find(({ at }) => Date.parse(at) === Date.parse(since));
  if (last) return history.map((event) => (event === last ? { ...event, status: known(event, status) } : event));
  return [...history, { ...eventAt(trackingNumber, since), status, code: current }];
}

/** A code that is in the table says more than the parcel's status, which has no word for "handed over". */
function known({ status }: TrackingEvent, ofParcel: TrackingStatus): TrackingStatus {
  return status === 'unrecognised' ? ofParcel : status;
}

function historyEvent(trackingNumber: string, row: unknown): readonly TrackingEvent[] {
  const code = textAt(row, 'code');
  const at = momentWithOffset(textAt(row, 'eventDateTime'));
  if (at === null) return [];
  const status = GLS_EVENTS.get(code ?? '') ?? 'unrecognised';
  return [{ ...eventAt(trackingNumber, at), status, code, text: textAt(row, 'description'), place: placeOf(row) }];
}

function eventAt(trackingNumber: string, at: string) {
  const unknown = { text: null, place: null, estimatedDelivery: null, id: null };
  return { trackingNumber, at, zone: 'stated', ...unknown } as const;
}

function placeOf(row: unknown): string | null {
  const parts = ['postalCode', 'city', 'country'].map((field) => textAt(row, field));
  return parts.filter((part) => part !== null).join(' ') || null;
}
