import type { BookingRequest } from '../contract/index.js';

/** Keeps "now" from lying in the past by the time the request is read. */
const MARGIN_MS = 60_000;
const MORNING = '08:00:00';

/**
 * When the goods are ready: the morning of the shipping day, or right now when that has come or gone; a time in the
 * past is refused.
 * @returns `YYYY-MM-DDThh:mm:ss`, in the sender's local time
 */
export function shippingDateTime(request: BookingRequest, now: Date): string {
  const soon = localDateTime(new Date(now.getTime() + MARGIN_MS), request.sender.address.countryCode);
  const planned = `${request.shipDate}T${MORNING}`;
  return planned > soon ? planned : soon;
}

/** The clock on the wall in one of the four countries that Bring collects in. */
export function localDateTime(at: Date, countryCode: string | null): string {
  const timeZone = countryCode === 'FI' ? 'Europe/Helsinki' : 'Europe/Oslo';
  // Sweden writes dates as ISO 8601 does: "2030-03-04 09:00:00".
  return at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
}
