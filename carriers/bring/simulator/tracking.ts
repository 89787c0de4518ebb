import type { CallProof, SimulatedCall, SimulatedEvent } from '../../contract/index.js';
import { utcOffsetWithoutColon } from '../../toolkit/local-time.js';
import { codesFor } from '../../toolkit/tracking/status-table.js';
import { BRING_STATUSES } from '../tracking/codes.js';
import { SECRET_HEADER } from '../tracking/webhook.js';

/** Bring has no word for parcels that are lost or cancelled. */
const WORDS = codesFor(BRING_STATUSES, {
  ...{ 'lost-or-damaged': 'DEVIATION', cancelled: 'DEVIATION', unrecognised: 'SORTED_BY_ROBOT' },
});

export function toBringEvent({ status, at, place }: SimulatedEvent): unknown {
  return {
    status: WORDS[status],
    description: `Simulated: ${status}`,
    dateIso: at.toISOString(),
    city: place,
    country: '',
    consignmentEvent: false,
    insignificant: false,
  };
}

/** As Event Cast calls. @param shipment the shipment's number, which stands beside the package's */
export function bringCall(event: SimulatedEvent, { secret, sentAt }: CallProof, shipment: string): SimulatedCall {
  const body = {
    status: WORDS[event.status],
    id: event.id,
    shipment,
    package: event.trackingNumber,
    created: utcOffsetWithoutColon(event.at),
    pushed: utcOffsetWithoutColon(sentAt),
  };
  return {
    headers: { 'x-bring-application': 'BMEC', 'x-bring-version': '1', [SECRET_HEADER]: secret },
    body: JSON.stringify(body),
  };
}
