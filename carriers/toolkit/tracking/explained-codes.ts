import type { TrackingEvent, TrackingStatus } from '../../contract/index.js';
import { danishMoment } from '../local-time.js';
import { statusIn } from './status-table.js';
import type { EventFields } from './tracking-event.js';
import { boundedEvents, readEvents } from './tracking-event.js';

/** What the codes of a carrier mean that publishes no list of them, as the settings of an account explain it. */
export type ExplainedCodes = Readonly<Record<string, TrackingStatus>>;

/** What happened to a parcel of a Danish carrier, whose times have no zone. */
export function explainedEvents(
  trackingNumber: string,
  rows: readonly unknown[],
  { codes, ...fields }: Pick<EventFields, 'at' | 'code' | 'text'> & { readonly codes: ExplainedCodes },
): readonly TrackingEvent[] {
  const known = new Map(Object.entries(codes));
  const statusOf = (code: string | null) => statusIn(known, code);
  return boundedEvents(
    readEvents(rows, { ...fields, momentOf: danishMoment, statusOf }, { trackingNumber, zone: 'assumed' }),
  );
}
