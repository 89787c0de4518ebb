import { Webhook } from 'standardwebhooks';
import type { CallProof, SimulatedCall, SimulatedEvent } from '../../contract/index.js';

/**
 * A callback of the generic form, signed by the scheme's own library, as a sender does that knows nothing of how we check it.
 * @param text what the carrier says of the event
 */
export function plainCall(event: SimulatedEvent, { secret, sentAt }: CallProof, text: string): SimulatedCall {
  const body = JSON.stringify({ events: [plainEventOf(event, text)] });
  const id = `msg_${event.id}`;
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
    },
    body,
  };
}

/** An event as the generic form has it. */
export function plainEventOf({ id, trackingNumber, status, at, place }: SimulatedEvent, text: string): unknown {
  return { trackingNumber, status, at: at.toISOString(), text, place, id };
}
