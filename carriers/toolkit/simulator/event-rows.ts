import type { SimulatedEvent, TrackingStatus } from '../../contract/index.js';
import type { EventFields } from '../tracking/tracking-event.js';

interface Writing {
  readonly codes: Readonly<Record<TrackingStatus, string>>;
  /** The form of the carrier's times. */
  timeOf(at: Date): string;
  /** Where the carrier has the place. */
  readonly place?: string;
}

/** An event as the carrier writes it, with its parts where `readEvents` looks for them. */
export function eventRow(
  { status, at, place }: SimulatedEvent,
  fields: Pick<EventFields, 'at' | 'code' | 'text'>,
  { codes, timeOf, place: placeField }: Writing,
): Readonly<Record<string, unknown>> {
  return {
    [fields.at]: timeOf(at),
    [fields.code]: codes[status],
    ...(fields.text !== undefined && { [fields.text]: `Simulated: ${status}` }),
    ...(placeField !== undefined && { [placeField]: place }),
  };
}
