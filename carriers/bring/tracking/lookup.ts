import type { BookingRequest, FoundBooking, HttpAnswer, Problem } from '../../contract/index.js';
import { tryParseJson } from '../../contract/index.js';
import { listAt, neededList, numberAt, problemOf, textAt, valueAt } from '../../toolkit/index.js';

const NONE_FOUND = 404;

/** The shipment whose sender's reference is ours; Bring does not say which of our parcels a number belongs to. */
export function fromBringTracking(request: BookingRequest, json: unknown): FoundBooking | null {
  const ours = consignmentsIn(json).find((each) => textAt(each, 'senderReference') === request.reference);
  if (ours === undefined) return null;
  const carrierNumber = textAt(ours, 'consignmentId');
  const parcels = listAt(ours, 'packageSet').map((each) => {
    const trackingNumber = textAt(each, 'packageNumber');
    if (trackingNumber === null) throw new Error(`Bring knows shipment ${carrierNumber} with a package without number`);
    return { parcelId: null, trackingNumber, trackingUrl: consumerPage(carrierNumber ?? trackingNumber) };
  });
  return { carrierNumber, parcels, labelSource: null };
}

/** @throws Error the answer says neither what was found nor that nothing was */
export function consignmentsIn(json: unknown): readonly unknown[] {
  const [first, ...more] = neededList(json, 'consignmentSet');
  if (first === undefined) throw new Error("Bring's answer says neither what was found nor that nothing was");
  return [first, ...more];
}

/** Where people follow a shipment or a package. */
export function consumerPage(number: string): string {
  return `https://sporing.bring.no/sporing.html?q=${encodeURIComponent(number)}`;
}

/** Tracking reports errors inside an answer with status 200; that nothing was found is none. */
export function trackingProblems(answer: HttpAnswer): readonly Problem[] {
  return errorsIn(answer)
    .filter((error) => numberAt(error, 'code') !== NONE_FOUND)
    .map((error) => problemOf(textAt(error, 'code'), textAt(error, 'message')));
}

/** Whatever the status: nothing was found, and nothing else went wrong. */
export function foundNothing(answer: HttpAnswer): boolean {
  const errors = errorsIn(answer);
  return errors.length > 0 && errors.every((error) => numberAt(error, 'code') === NONE_FOUND);
}

/** An error of Bring's own: the search may be repeated. */
export function trackingIsDown(answer: HttpAnswer): boolean {
  return errorsIn(answer).some((error) => (numberAt(error, 'code') ?? 0) >= 500);
}

function errorsIn(answer: HttpAnswer): readonly unknown[] {
  return listAt(tryParseJson(answer.body), 'consignmentSet')
    .map((consignment) => valueAt(consignment, 'error'))
    .filter((error) => error !== undefined && error !== null);
}
