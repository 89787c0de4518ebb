import type { CallbackOutcome } from '../../contract/index.js';
import { textAt } from '../json.js';
import type { EventFields } from './tracking-event.js';
import { boundedEvents, parcelNumberAt, readEvents } from './tracking-event.js';

/** Where a carrier's call about one parcel has its parts. */
export interface CallFields extends EventFields {
  readonly parcel: string;
  /** The call does not say everything: the parcel is polled at once, also where its time cannot be read. */
  readonly polls?: boolean;
  /** @deprecated the former name of `polls`, which an adapter outside this repository may still set */
  readonly asks?: boolean;
}

/** The event in a call that is known to be the carrier's. */
export function readCall(
  call: unknown,
  { parcel, asks = false, polls = asks, ...fields }: CallFields,
): CallbackOutcome {
  const [code, trackingNumber] = [textAt(call, fields.code), parcelNumberAt(call, parcel)];
  if (code === null || trackingNumber === null) return { kind: 'ignored', because: 'it names no parcel or no event' };
  if (fields.statusOf(code, call) === null)
    return { kind: 'ignored', because: `${code} says nothing of where the parcel is` };
  const events = boundedEvents(readEvents([call], fields, { trackingNumber }));
  if (polls) return { kind: 'events', events, poll: [trackingNumber] };
  return events.length > 0 ? { kind: 'events', events } : { kind: 'ignored', because: 'its time cannot be read' };
}
