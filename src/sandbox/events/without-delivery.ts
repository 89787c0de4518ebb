import type { Ims } from '../ims.js';

/** The same sandbox, but it stores events without sending them. Clients can still post messages to stored events. */
export function quietly(ims: Ims): Ims {
  const { events } = ims;
  return {
    ...ims,
    events: {
      emit: (event) => events.keep(event),
      keep: (event) => events.keep(event),
      has: (contextId, eventId) => events.has(contextId, eventId),
    },
  };
}
