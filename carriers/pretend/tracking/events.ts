import type { HttpAnswer, TrackingEvent } from '../../contract/index.js';
import { parseJson } from '../../contract/index.js';
import { valueAt } from '../../toolkit/json.js';
import { readPlainEvent } from '../../toolkit/plain-tracking.js';
import { boundedEvents } from '../../toolkit/tracking-event.js';

/**
 * Pretend says what happened in plain words, to whoever asks as to whoever is called.
 * @throws Error the answer is no list of events
 */
export function fromPretendTracking(trackingNumbers: readonly string[], answer: HttpAnswer): readonly TrackingEvent[] {
  const rows = valueAt(parseJson(answer.body), 'events');
  if (!Array.isArray(rows)) throw new Error("Pretend's answer has no events");
  const events = rows.map(readPlainEvent).filter((event) => event !== null);
  return trackingNumbers.flatMap((number) => boundedEvents(events.filter((each) => each.trackingNumber === number)));
}
