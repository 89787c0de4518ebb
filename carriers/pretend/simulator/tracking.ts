import type { Request, Response } from 'express';
import { Webhook } from 'standardwebhooks';
import type { CallProof, SimulatedCall, SimulatedEvent, SimulatorSettings } from '../../contract/index.js';

/** Signed by the scheme's own library, as a sender does that knows nothing of how we check it. */
export function pretendCall(event: SimulatedEvent, { secret, sentAt }: CallProof): SimulatedCall {
  const body = JSON.stringify({ events: [toPlain(event)] });
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

export function answerPretendTracking(request: Request, response: Response, { journeys }: SimulatorSettings): void {
  const numbers = String(request.query['numbers'] ?? '').split(',');
  response.json({ events: numbers.flatMap((number) => journeys?.soFar(number) ?? []).map(toPlain) });
}

function toPlain({ id, trackingNumber, status, at, place }: SimulatedEvent): unknown {
  const text = `pretended: ${status}`;
  return { trackingNumber, status, at: at.toISOString(), text, place, id };
}
