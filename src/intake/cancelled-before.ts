import { type NewConsignment } from '../consignment/ledger/consignment-rows.js';
import { requestCancel, requestCancelById } from '../consignment/ledger/cancel-requests.js';
import type { Sql } from '../db/database.js';
import type { ImsEvent } from '../ims/events.js';
import type { Addressee } from '../messages/message.js';
import { eventIn } from './arrivals.js';
import { cancelsUntil } from './event-time.js';
import { cancellationOfShipment, cancellationWithoutShipment } from './ims-event-rows.js';

/*
 * Events may arrive in another order than they were made. What a cancellation did not find when it came is cancelled here,
 * when a later event tells of it.
 */

interface OfEvent {
  readonly event: ImsEvent;
  readonly area: string;
  readonly now: Date;
}

/** A delivery note was cancelled before an event named its shipment: its bookings are cancelled now. @returns `null`: it was not */
export async function cancelAsSaidBefore(sql: Sql, { event, area, now }: OfEvent): Promise<readonly string[] | null> {
  const { documentId, documentType, shipmentIds } = event;
  if (documentType !== 'DELIVERY_NOTE' || documentId === null || shipmentIds.length === 0) return null;
  const said = await cancellationWithoutShipment(sql, { area, documentId });
  if (said === null || said.id === event.eventId) return null;
  const cancellation = eventIn(said.body, said.id) ?? event;
  // What it lists was cancelled when it came.
  if (cancellation !== event && cancellation.shipmentIds.length > 0) return null;
  const by = { ...addresseeOf(cancellation), by: 'document' } as const;
  return requestCancel(sql, { area, documentId: null, shipmentIds, before: cancelsUntil(said), by, now });
}

/** A booking with the time of its event; `null`: it says none, and nothing tells which of two events was made first. */
export type Begun = NewConsignment & { readonly occurredAt: Date | null };

/** Cancels a new booking without a document whose cancellation came before it and was made after it. A document tells itself. */
export async function cancelIfSaidBefore(
  sql: Sql,
  id: string,
  { area, documentId, shipmentId, occurredAt, now }: Begun,
): Promise<void> {
  if (documentId !== null || shipmentId === null || occurredAt === null) return;
  const said = await cancellationOfShipment(sql, { area, shipmentId, after: occurredAt });
  if (said === null) return;
  const event = eventIn(said.body, said.id);
  const to = event === null ? { eventId: said.id, userId: null, deviceName: null } : addresseeOf(event);
  await requestCancelById(sql, { id, by: { ...to, by: 'document' }, now });
}

export function addresseeOf(event: ImsEvent): Addressee {
  return { eventId: event.eventId, userId: event.userId, deviceName: event.deviceName };
}
