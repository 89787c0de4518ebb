import type { TrackingEvent } from '../../contract/index.js';
import { boundedEvents, listAt, readEvents, textAt } from '../../toolkit/index.js';
import { consignmentsIn, consumerPage } from './lookup.js';
import { MEANING } from './codes.js';

export const EVENT = { ...MEANING, at: 'dateIso', text: 'description', place: ['postalCode', 'city', 'country'] };

/**
 * What happened to one package. A question for a package may be answered with the whole shipment.
 * @throws Error the answer says neither what was found nor that nothing was
 */
export function fromBringEvents(trackingNumber: string, json: unknown): readonly TrackingEvent[] {
  const events = consignmentsIn(json).flatMap((consignment) => {
    const trackingUrl = consumerPage(textAt(consignment, 'consignmentId') ?? trackingNumber);
    return listAt(consignment, 'packageSet')
      .filter((item) => textAt(item, 'packageNumber') === trackingNumber)
      .flatMap((item) => {
        const estimatedDelivery = dayOf(textAt(item, 'dateOfEstimatedDelivery'));
        return readEvents(listAt(item, 'eventSet'), EVENT, { trackingNumber, trackingUrl, estimatedDelivery });
      });
  });
  return boundedEvents(events);
}

/** `05.03.2030` as `2030-03-05`; `null` for what is no day. */
function dayOf(text: string | null): string | null {
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(text ?? '') ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
