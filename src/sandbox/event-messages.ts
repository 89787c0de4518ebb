import type { Endpoint, Ims, ImsRequest } from './endpoint.js';
import { CONSIGNMENT_TYPO, FULL, PURCHASING, SALES, timestamp } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json } from './json.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { messageShape } from './shapes.js';

export function eventMessageEndpoints(ims: Ims): readonly Endpoint[] {
  return [
    {
      method: 'post',
      path: '/events/:id/messages',
      scopes: [SALES, PURCHASING, FULL, CONSIGNMENT_TYPO],
      handle: (request) => addMessage(ims, request),
    },
  ];
}

function addMessage(ims: Ims, request: ImsRequest): Json {
  const { contextId } = request;
  const eventId = request.params['id'] ?? '';
  if (!ims.events.has(contextId, eventId))
    throw new Refusal('unknown', 'Event', `There is no event ${eventId} in this area.`);
  const given = readChanges(messageShape, request.body, {});
  if (given['messageType'] === undefined) throw new Refusal('invalid', 'EventMessage', 'messageType is missing.');
  const row = ims.store.messages.put({
    time: timestamp(ims),
    ...given,
    id: ims.store.nextId(),
    contextId,
    eventId,
  });
  return present(messageShape, row, ims.switches().nulls);
}
