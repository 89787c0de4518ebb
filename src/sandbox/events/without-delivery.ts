import type { Ims } from '../ims.js';

/** The same stand-in, but nobody is told of what happens; the events are kept, so that messages can be posted to them. */
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
