import { ImsForbidden, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import type { ImsDocument, ImsShipment } from '../../ims/resources.js';
import type { Area } from '../../areas/area.js';
import type { Consignment } from '../consignment.js';
import type { BookingContext } from '../context.js';
import { isSaidCancelled } from '../ledger/cancelled-documents.js';
import { isImsError } from './ims-failure.js';

/*
 * A document is claimed by its work status ON_GOING, so that no other program books it. What the claim ends with:
 *
 * the IMS answers with the document      `verdict`: ours, unless it is cancelled or has another status; PENDING shows
 *                                        the document as it was before
 * the IMS refuses                        not ours; on a retry the document is read, because the claim before may have
 *                                        succeeded and its process died
 * our token may not set the status       ours, without a claim, unless an event has said that it is cancelled
 * the answer was lost, or never came     the document is read: ON_GOING is ours. A status from before the claim, or no
 *                                        answer: unknown, the consignment is postponed
 */

/** The result of claiming a document. */
export type Claim =
  | { readonly kind: 'ours'; readonly claimed: boolean }
  | { readonly kind: 'not-ours'; readonly because: string }
  | { readonly kind: 'unknown'; readonly error: unknown };

const NOT_CLAIMED = { kind: 'ours', claimed: false } as const;
const CLAIMED = { kind: 'ours', claimed: true } as const;
const CANCELLED = { kind: 'not-ours', because: 'the document is cancelled' } as const;

/**
 * The answer to the PATCH is the document, so no further call is needed.
 * @throws the errors of the IMS that do not decide; see `claimAfterLoss`
 */
export async function claimDocument(
  { database }: Pick<BookingContext, 'database'>,
  area: Area,
  consignment: Consignment,
): Promise<Claim> {
  const { documentId } = consignment;
  if (documentId === null) return NOT_CLAIMED;
  try {
    return verdict(await area.ims.setWorkStatus(documentId, 'ON_GOING'));
  } catch (error) {
    if (error instanceof ImsForbidden)
      return (await isSaidCancelled(database, { area: consignment.area, documentId })) ? CANCELLED : NOT_CLAIMED;
    if (!(error instanceof ImsRefused)) throw error;
    return claimAfterRefusal(area, consignment, { documentId, because: error.messageText });
  }
}

/** On a retry the refusal may come from our own earlier claim, after which the process died. */
async function claimAfterRefusal(
  area: Area,
  { attempts, claimed, version }: Consignment,
  { documentId, because }: { readonly documentId: string; readonly because: string },
): Promise<Claim> {
  const isFirstClaim = attempts === 0 && !claimed && version <= 1;
  if (isFirstClaim) return { kind: 'not-ours', because };
  const document = await area.ims.loadDocument(documentId);
  return document.workStatus === 'ON_GOING' && document.cancelled !== true ? CLAIMED : { kind: 'not-ours', because };
}

/** `FAILED` too: the next claim tells whether the document can be booked again. */
const STILL_OPEN: readonly (string | null)[] = [null, 'PENDING', 'FAILED'];

/**
 * Every answer to the claim was lost, but the IMS may have set the status: reads the document and counts ON_GOING as
 * ours. If the IMS does not answer at all, nothing more is asked.
 * @param error of `claimDocument`
 * @param shipment the answer to the call that ran beside the claim
 */
export async function claimAfterLoss(
  area: Area,
  { documentId }: Consignment,
  { error, shipment }: { readonly error: unknown; readonly shipment: PromiseSettledResult<ImsShipment> },
): Promise<Claim> {
  const unknown = { kind: 'unknown', error } as const;
  const perhapsDone = error instanceof ImsUnavailable && error.effect === 'unknown';
  const isDown = shipment.status === 'rejected' && shipment.reason instanceof ImsUnavailable;
  if (!perhapsDone || isDown || documentId === null) return unknown;
  try {
    const document = await area.ims.loadDocument(documentId);
    return document.cancelled !== true && STILL_OPEN.includes(document.workStatus) ? unknown : verdict(document);
  } catch (unread) {
    if (!isImsError(unread)) throw unread;
    return unknown;
  }
}

/** What the answer to an accepted claim may show: the IMS gives the document to one claimer, so no other one has it. */
const CLAIMED_AS: readonly (string | null)[] = [null, 'PENDING', 'ON_GOING'];

function verdict({ cancelled, workStatus }: ImsDocument): Claim {
  if (cancelled === true) return CANCELLED;
  return CLAIMED_AS.includes(workStatus) ? CLAIMED : { kind: 'not-ours', because: `the document is ${workStatus}` };
}
