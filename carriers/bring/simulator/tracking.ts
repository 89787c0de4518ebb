import type { CallProof, SimulatedCall, SimulatedEvent } from '../../contract/index.js';
import { codesFor, utcOffsetWithoutColon } from '../../toolkit/index.js';
import { eventRow } from '../../toolkit/simulator/index.js';
import { BRING_STATUSES } from '../tracking/codes.js';
import { EVENT } from '../tracking/events.js';
import { SECRET_HEADER } from '../tracking/webhook.js';

/** Bring has no word for parcels that are lost or cancelled. */
const WORDS = codesFor(BRING_STATUSES, {
  ...{ 'lost-or-damaged': 'DEVIATION', cancelled: 'DEVIATION', unrecognised: 'SORTED_BY_ROBOT' },
});

export function toBringEvent(event: SimulatedEvent): unknown {
  const row = eventRow(event, EVENT, { codes: WORDS, timeOf: (at) => at.toISOString(), place: 'city' });
  return { ...row, country: '', consignmentEvent: false, insignificant: false };
}

/** As Event Cast calls. @param shipment the shipment's number, which stands beside the package's */
export function bringCall(event: SimulatedEvent, { secret, sentAt }: CallProof, shipment: string): SimulatedCall {
  const about = { status: WORDS[event.status], id: event.id, shipment, package: event.trackingNumber };
  const times = { created: utcOffsetWithoutColon(event.at), pushed: utcOffsetWithoutColon(sentAt) };
  const headers = { 'x-bring-application': 'BMEC', 'x-bring-version': '1', [SECRET_HEADER]: secret };
  return { headers, body: JSON.stringify({ ...about, ...times }) };
}
