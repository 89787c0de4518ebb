import type { Consignment } from '../../src/consignment/consignment.js';
import type { ConsignmentRow } from '../../src/consignment/ledger/row.js';
import { toStoredState } from '../../src/consignment/states.js';

/** The row of a consignment, as the database gives it. */
export function rowOf(one: Consignment): ConsignmentRow {
  const { plan, claimed, compensating, addressee } = one;
  return {
    ...{
      id: one.id,
      area: one.area,
      booked_on: one.bookedOn,
      document_id: one.documentId,
      state: toStoredState(one.state),
    },
    ...{ shipment_id: one.shipmentId, shipment_number: one.shipmentNumber, carrier_name: one.eventCarrierName },
    ...{ event_id: addressee.eventId, user_id: addressee.userId, device_name: addressee.deviceName },
    ...{ version: one.version, reference: one.reference, carrier_number: null, parts: one.parts, effects: one.effects },
    plan: { plan, claimed, compensating, outcome: one.outcome === null ? null : toStoredState(one.outcome) },
    ...{ problems: one.shortfalls, waits_for_person: one.needsOperator, cancel_wanted: one.cancelRequest },
    ...{ tries: one.attempts, run: one.run, run_started_at: one.runStartedAt, due_at: one.dueAt, lease_until: null },
    ...{ handed_over_at: null, handed_over_by: null, created_at: one.createdAt, updated_at: one.createdAt },
  };
}
