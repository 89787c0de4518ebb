import { areaOf } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import { wishCancelled } from '../consignment/ledger/consignment-rows.js';
import { bodyOfEvent } from '../manifests/manifest-rows.js';
import { type Task, insertTask } from '../tasks/task-rows.js';
import type { Done } from '../tasks/task.js';
import { actionForDocument } from './classify-event.js';
import { beginBooking, eventIn, takeAlong } from './intake.js';

/** A forwarder that sends only some fields leaves out what kind of document it is: the document knows. */
export async function identifyDocument(world: BookingContext, errand: Task): Promise<Done> {
  const area = areaOf(world, errand.area);
  const document = await area.ims.loadDocument(errand.documentId ?? '');
  if (document.cancelled === true) return cancelIdentified(world, errand, document.documentType);
  const demand = actionForDocument(document.documentType ?? '', area);
  const { shipmentId, documentId, addressee } = errand;
  if (demand.kind === 'book') {
    const now = world.clock.now();
    const { bookedOn } = demand;
    const wake = await beginBooking(world.database, {
      area: errand.area,
      bookedOn,
      documentId,
      shipmentId,
      addressee,
      now,
    });
    return { note: document.documentType, wake };
  }
  const next = demand.kind === 'errand' ? demand.errand : demand.kind;
  if (next === 'nothing' || next === 'cancel' || next === 'identify-document')
    return { note: document.documentType, wake: [] };
  if (next === 'hand-over') await markNamed(world, errand);
  const id = `${errand.id}:${next}`;
  await insertTask(world.database, { ...errand, id, kind: next, createdAt: world.clock.now() });
  return { note: document.documentType, wake: [id] };
}

/** The document does not say which shipments left by it; the event does. */
async function markNamed({ database }: BookingContext, { id, area, documentId, createdAt }: Task): Promise<void> {
  const event = eventIn(await bodyOfEvent(database, id), id);
  const left = { documentId, shipmentIds: event?.shipmentIds ?? [], occurredAt: event?.occurredAt ?? null };
  await takeAlong(database, { event: left, area, now: createdAt });
}

/** Such a forwarder does not say either whether the document was created or cancelled. */
async function cancelIdentified(world: BookingContext, errand: Task, documentType: string | null): Promise<Done> {
  const { area, documentId, shipmentId, addressee, createdAt } = errand;
  const booked = actionForDocument(documentType ?? '', areaOf(world, area)).kind === 'book';
  if (!booked && documentType !== 'DELIVERY_NOTE') return { note: 'cancelled', wake: [] };
  const wake = await wishCancelled(world.database, {
    area,
    documentId: booked ? documentId : null,
    shipmentId,
    before: createdAt,
    by: { ...addressee, by: 'document' },
    now: world.clock.now(),
  });
  return { note: 'cancelled', wake };
}
