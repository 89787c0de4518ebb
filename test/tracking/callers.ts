import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { TrackingEvent } from '../../carriers/contract/tracking.js';

/** Known to nobody but the tests. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const PREVIOUS_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
export const FOREIGN_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

export interface Call {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call as a sender that keeps to Standard Webhooks makes it, signed by the scheme's own library. */
export function signed(
  body: object | string,
  { secret = SECRET, at = new Date(), id = `msg_${randomUUID()}` } = {},
): Call {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    body: text,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    },
  };
}

/** What a test does not say about an event. */
export function event(changes: Partial<TrackingEvent> & Pick<TrackingEvent, 'trackingNumber'>): TrackingEvent {
  return {
    status: 'in-transit',
    code: null,
    text: null,
    place: null,
    at: '2026-03-04T12:00:00+01:00',
    zone: 'stated',
    estimatedDelivery: null,
    id: null,
    ...changes,
  };
}
