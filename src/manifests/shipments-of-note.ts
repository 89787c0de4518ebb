import type { Area } from '../areas/area.js';
import type { BookingContext } from '../consignment/context.js';
import type { ImsArea } from '../ims/calls/ims-area.js';
import { ImsCredentials, ImsForbidden, isNotThere } from '../ims/errors.js';
import type { ImsDocument, ImsShipment } from '../ims/resources.js';
import { type KeptNote, keepNote, markHandedOver } from './consignment-note-rows.js';

/** As many shipments as an event may name. */
const MAX_PAGES = 10;

/** The shipments that left by a consignment note; it must have a number. @param onCut called when there are more */
export async function shipmentsLeftBy(
  ims: ImsArea,
  { id, documentNumber }: Pick<ImsDocument, 'id' | 'documentNumber'>,
  onCut: (rows: number) => void,
): Promise<readonly ImsShipment[]> {
  const filter = { consignmentNoteNumber: documentNumber ?? '', onlyNotCancelled: 'true' };
  const left: ImsShipment[] = [];
  for await (const shipment of ims.listShipments(filter, { maxPages: MAX_PAGES, onCut }))
    if (shipment.consignmentNoteId === id) left.push(shipment);
  return left;
}

/**
 * Reads the shipments of a note whose event named none, and marks them.
 * @param begunBy leaves out bookings that were begun later
 * @returns the note as it is where the IMS does not know it, or it is cancelled
 * @throws ImsForbidden we may not read them
 */
export async function withShipments(
  { database, log, clock }: BookingContext,
  { imsBackground: ims, contextId }: Area,
  { note, begunBy }: { readonly note: KeptNote; readonly begunBy: Date },
): Promise<KeptNote> {
  if (note.shipmentIds.length > 0) return note;
  const document = await ims.loadDocument(note.documentId).catch(noneIfNotThere);
  if (document === null || document.cancelled === true || document.documentNumber === null) return note;
  const onCut = (rows: number) =>
    log.warn('list too long for one look', { area: contextId, list: `note ${note.documentId}`, rows });
  const left = await shipmentsLeftBy(ims, document, onCut).catch(asForbidden);
  const whole = { ...note, shipmentIds: left.map(({ id }) => id) };
  await markHandedOver(database, whole, begunBy);
  await keepNote(database, whole, clock.now());
  return whole;
}

function noneIfNotThere(error: unknown): null {
  if (!isNotThere(error)) throw error;
  return null;
}

/** The key was accepted for the document a moment ago: what is refused is the list, unless the client gets no token. */
function asForbidden(error: unknown): never {
  if (!(error instanceof ImsCredentials) || error.whose === 'client') throw error;
  throw new ImsForbidden('listShipments', error.message, { refusal: error.message, known: 'by-answer' });
}
