import { EVENT_TIME_TOLERANCE_MS } from '../ims/events.js';

/** The times of a stored event. */
export interface EventTimes {
  /** As the event says; `null`: it does not. */
  readonly occurredAt: Date | null;
  /** The first arrival. */
  readonly receivedAt: Date;
}

/** The time an event names, or else that of its arrival. */
export function happenedAt({ occurredAt, receivedAt }: EventTimes): Date {
  return occurredAt ?? receivedAt;
}

/** A cancellation asks for bookings that were made until this time. */
export function cancelsUntil({ occurredAt, receivedAt }: EventTimes): Date {
  return occurredAt === null ? receivedAt : new Date(occurredAt.getTime() + EVENT_TIME_TOLERANCE_MS);
}
