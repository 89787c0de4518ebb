import { drawManifests } from './draw-manifest.js';
import { ImsForbidden, ImsUnavailable, isRefusal } from '../ims/errors.js';
import { type MessageDraft, say } from '../messages/message.js';
import { closeOutNote, readCloseOutNote } from './close-out-note.js';
import { closeOutEach } from './close-out.js';
import { leavingOf } from './manifest.js';
import { type NamedRow, notesOfConsignments } from './consignment-note-rows.js';
import { type Handover, type HandedOverRow, saveAttachment, saveCloseOut } from './manifest-rows.js';
import type { BookingContext } from '../consignment/context.js';
import { traitsOf } from '../consignment/states.js';
import type { Area } from '../areas/area.js';

/**
 * Sends a message to the worker who made the consignment note: each message once, and none again that the IMS refused.
 */
export type Tell = (message: MessageDraft) => Promise<void>;

export interface Settling {
  readonly area: Area;
  readonly taskId: string;
  /** The note's consignments now. */
  readonly rows: readonly HandedOverRow[];
  /** Every booking of the note's shipments. */
  readonly named: readonly NamedRow[];
  readonly tell: Tell;
  /** `old`: a step that fails now is given up. */
  readonly age: 'young' | 'old';
}

/** Does the open steps of one manifest. @returns the errors that stopped a step */
export async function settleManifest(
  context: BookingContext,
  settling: Settling,
  handover: Handover,
): Promise<readonly Error[]> {
  const failures: Error[] = [];
  const failed = (error: unknown) => void failures.push(error instanceof Error ? error : new Error(String(error)));
  const current = await supersede(context, settling, handover);
  const closed = await closeOut(context, settling, current).catch((error: unknown) => (failed(error), current));
  await tellVerdict(settling, closed).catch(failed);
  await attach(context, settling, current).catch(failed);
  return failures;
}

/** Marks the open steps as superseded for which newer notes have left nothing. */
async function supersede({ database }: BookingContext, { rows }: Settling, handover: Handover): Promise<Handover> {
  const ids = handover.list.consignments.map((each) => each.consignmentId);
  const closes = handover.closeOut === 'open' && rowsOf(handover, rows).length === 0;
  const attaches = handover.attachment === 'open' && !rows.some(({ consignment }) => ids.includes(consignment.id));
  if (!closes && !attaches) return handover;
  const by = await notesOfConsignments(database, ids);
  const note = `left by consignment note ${[...new Set(by.values())].join(', ')}`;
  if (closes) await saveCloseOut(database, handover, { state: 'superseded', note });
  if (attaches) await saveAttachment(database, handover, { state: 'superseded', note });
  return {
    ...handover,
    ...(closes && { closeOut: 'superseded', closeNote: note }),
    ...(attaches && { attachment: 'superseded', attachNote: note }),
  };
}

/** The consignments on the manifest, and those of its account that its note took along after it was made. */
function rowsOf({ list, account }: Handover, rows: readonly HandedOverRow[]): readonly HandedOverRow[] {
  const listed = new Set(list.consignments.map((each) => each.consignmentId));
  return rows.filter(({ consignment: { id, plan } }) => listed.has(id) || plan?.account === account);
}

type Verdict = Pick<Handover, 'closeOut' | 'closeNote'>;

/** @returns the handover with the result, which is stored before it is told */
async function closeOut(context: BookingContext, settling: Settling, handover: Handover): Promise<Handover> {
  if (handover.closeOut !== 'open') return handover;
  const verdict = await closeOutNow(context, settling, handover);
  await saveCloseOut(context.database, handover, { state: verdict.closeOut, note: verdict.closeNote });
  return { ...handover, ...verdict };
}

async function closeOutNow(
  context: BookingContext,
  { taskId, rows, named, age }: Settling,
  handover: Handover,
): Promise<Verdict> {
  const account = context.accounts.get(handover.account);
  const consignments = leavingOf(rowsOf(handover, rows), named.filter(isSettled)).map(({ consignment }) => consignment);
  const isOfItsCarrier = consignments.every(({ plan }) => plan?.carrierId === account?.adapter.id);
  if (account && isOfItsCarrier && !account.carrier.closeOut) return { closeOut: 'not-offered', closeNote: null };
  const { numbers, refused, failed } = await closeOutEach(context, { taskId, consignments });
  const [failure] = failed;
  if (failure && age === 'young') throw failure.error;
  const closed = numbers.join(', ');
  const problems = [...refused, ...failed];
  if (problems.some(({ from }) => from === 'us'))
    context.log.warn('close-out not asked', { document: handover.documentId, account: handover.account });
  if (problems.length === 0) return { closeOut: 'done', closeNote: closed === '' ? null : closed };
  return { closeOut: failure ? 'given-up' : 'refused', closeNote: closeOutNote(problems, closed) };
}

/**
 * Whether parcels that a booking has taken over count as its own. A booking that has not ended, or was booked long after its
 * shipment had left, has taken over nothing here: its parcels are closed out with the earlier booking.
 */
function isSettled({ consignment, handedOverBy }: NamedRow): boolean {
  const { booking } = traitsOf(consignment.state);
  return booking === 'nothing-booked' || (booking === 'booked' && handedOverBy !== null);
}

/** Reads the stored result, so that it is told after a crash in between, too. */
async function tellVerdict({ tell }: Settling, { closeOut: state, closeNote, documentId, list }: Handover) {
  if (state !== 'refused' && state !== 'given-up') return;
  const { said, ours, closed } = readCloseOutNote(closeNote ?? '-');
  const values = { document: documentId, carrier: list.carrierName, closed: closed ?? '-' };
  if (said !== null) await tell(say('close-out-failed', { ...values, problems: said }));
  if (ours !== null) await tell(say('close-out-not-asked', { ...values, problems: ours }));
}

/** The file has a fixed name, so a repetition replaces it. */
async function attach(context: BookingContext, { area, age }: Settling, handover: Handover): Promise<void> {
  if (handover.attachment !== 'open') return;
  const save = (state: Handover['attachment'], note: string | null) =>
    saveAttachment(context.database, handover, { state, note });
  try {
    const bytes = await drawManifests([handover.list]);
    const file = { fileName: listFileName(handover), base64EncodedContent: Buffer.from(bytes).toString('base64') };
    await area.imsBackground.attachToDocument(handover.documentId, file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof ImsForbidden) return save('not-allowed', error.message);
    if (isRefusal(error)) return save('refused', error.message);
    const waitsForNewDay = error instanceof ImsUnavailable && error.newDayAt !== null;
    if (age === 'young' || waitsForNewDay) throw error;
    return save('given-up', error.message);
  }
  await save('done', null);
}

function listFileName({ documentId, account }: Pick<Handover, 'documentId' | 'account'>): string {
  return `HANDOVER_LIST_${documentId}_${account}.pdf`.replace(/[^\w.-]+/g, '-');
}
