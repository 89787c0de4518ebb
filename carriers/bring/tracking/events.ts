import type { TrackingEvent } from '../../contract/index.js';
import { listAt, textAt } from '../../toolkit/json.js';
import { boundedEvents, momentWithOffset, placeIn, trackingEvent } from '../../toolkit/tracking/tracking-event.js';
import { consignmentsIn, consumerPage } from './lookup.js';
import { fromBringStatus } from './codes.js';

/**
 * What happened to one package. A question for a package may be answered with the whole shipment.
 * @throws Error the answer says neither what was found nor that nothing was
 */
export function fromBringEvents(packageNumber: string, json: unknown): readonly TrackingEvent[] {
  const events = consignmentsIn(json).flatMap((consignment) => {
    const trackingUrl = consumerPage(textAt(consignment, 'consignmentId') ?? packageNumber);
    return listAt(consignment, 'packageSet')
      .filter((each) => textAt(each, 'packageNumber') === packageNumber)
      .flatMap((each) => eventsOf(each, { trackingNumber: packageNumber, trackingUrl }));
  });
  return boundedEvents(events);
}

function eventsOf(
  item: unknown,
  known: Pick<TrackingEvent, 'trackingNumber' | 'trackingUrl'>,
): readonly TrackingEvent[] {
  const estimatedDelivery = dayOf(textAt(item, 'dateOfEstimatedDelivery'));
  return listAt(item, 'eventSet').flatMap((event) => {
    const code = textAt(event, 'status');
    const at = momentWithOffset(textAt(event, 'dateIso'));
    const status = code === null ? 'unrecognised' : fromBringStatus(code);
    if (status === null || at === null) return [];
    return trackingEvent({
      ...{ ...known, status, code, at, estimatedDelivery },
      text: textAt(event, 'description'),
      place: placeIn(event, 'postalCode', 'city', 'country'),
      id: code === null ? null : occurrenceId(code, at),
    });
  });
}

/**
 * The same for an event that is called and for the one that is asked for: tracking does not show the ids of calls.
 * @param at with an offset
 */
export function occurrenceId(code: string, at: string): string {
  return `${code} ${new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString()}`;
}

/** `05.03.2030` as `2030-03-05`; `null` for what is no day. */
function dayOf(text: string | null): string | null {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text ?? '') ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
