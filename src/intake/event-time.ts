/** Event times have whole seconds and come from another clock. */
const EVENT_TIME_TOLERANCE_MS = 2_000;

/** A cancellation asks for bookings that were made until this time. @param at the time of the event */
export function cancelsUntil(at: Date): Date {
  return new Date(at.getTime() + EVENT_TIME_TOLERANCE_MS);
}
