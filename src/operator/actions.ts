import type { Consignment } from '../consignment/consignment.js';
import type { BookingContext } from '../consignment/context.js';
import { addToJournal, siblings } from '../consignment/ledger/consignment-rows.js';
import { requestCancelById } from '../consignment/ledger/cancel-requests.js';
import { isHandedOn } from '../consignment/ledger/sequence.js';
import { NotPossible } from '../consignment/machine/operator.js';
import { type OperatorChanges, begunAt, changeByHand, changing } from './change-by-hand.js';
import { type Hindrances, hindrancesOf, whyNotCancelled, whyNotPrinted } from './hindrances.js';
import { knownConsignment } from './known-consignment.js';
import { type LabelDownload, labelOf, labelPage, labelToSee } from './labels/label-download.js';
import { type ReprintRequest, reprint } from './labels/reprint.js';
import { actionEntry } from './last-action.js';

/** The actions on one consignment; `by` is the operator's name. Every method throws UnknownConsignment or NotPossible. */
export interface OperatorActions extends OperatorChanges {
  /** Refused at once where it cannot succeed; otherwise the result shows later. */
  cancel(id: string, by: string): Promise<Consignment>;
  /** Prints the label again; the history shows the result. */
  reprint(id: string, by: string, request?: ReprintRequest): Promise<Consignment>;
  /** Names of the printing profiles that a reprint can ask for. */
  readonly profiles: readonly string[];
  /** `retry` and `resolve` that are stored at once, while their work begins at a later time. */
  later(startsAt: Date): OperatorChanges;
  /** What keeps each action from being possible now. */
  hindrances(id: string): Promise<Hindrances>;
  /** Changes nothing: throws what the action would throw, as far as that is known before it is stored. */
  trial(): OperatorChanges;
  /**
   * Throws NotPossible where the labels of cancelled parcels cannot be left out, or several labels cannot be joined.
   * @param n 0: the file that was attached, without the labels of cancelled parcels unless all are cancelled; from 1: a part's
   */
  label(id: string, n: number): Promise<LabelDownload>;
  /** The label for people to look at or to print from a browser: a PDF, also of a label in ZPL. */
  labelToSee(id: string, n: number): Promise<LabelDownload>;
  /** A page of it, from 1, as PNG. @throws UnknownConsignment there is no such page */
  labelPage(id: string, n: number, page: number): Promise<Uint8Array>;
}

export function operatorActions(context: BookingContext, wake: (ids: readonly string[]) => void): OperatorActions {
  const actionsAt = (startsAt: Date | null): OperatorChanges =>
    changing(context, async (id, change) => {
      const after = await changeByHand(context, id, startsAt === null ? change : begunAt(startsAt, change));
      wake([id]);
      return after;
    });
  return {
    ...actionsAt(null),
    later: actionsAt,
    trial: () =>
      changing(context, async (id, { change }) => change(await knownConsignment(context, id), context.clock.now())),
    hindrances: async (id) => hindrancesOf(context, await knownConsignment(context, id)),
    cancel: async (id, by) => {
      const consignment = await knownConsignment(context, id);
      const hindrance = whyNotCancelled(context, consignment);
      if (hindrance !== null) throw new NotPossible(hindrance);
      const now = context.clock.now();
      const what = 'cancellation requested by operator';
      await context.database.transaction(async (sql) => {
        await addToJournal(sql, { id, what, now, fields: actionEntry('cancel', by, consignment) });
        await requestCancelById(sql, { id, by: { ...consignment.addressee, by: 'operator' }, now });
      });
      wake([id]);
      return knownConsignment(context, id);
    },
    reprint: (id, by, request = {}) => reprintOne(context, id, { by, request }),
    profiles: (context.profiles?.profiles ?? []).map(({ name }) => name),
    label: (id, n) => labelOf(context, id, n),
    labelToSee: (id, n) => labelToSee(context, id, n),
    labelPage: (id, n, page) => labelPage(context, id, { n, page }),
  };
}

/** Needs no lease: each request of a person prints once, whichever process works on the consignment. */
async function reprintOne(
  context: BookingContext,
  id: string,
  { by, request }: { readonly by: string; readonly request: ReprintRequest },
): Promise<Consignment> {
  const consignment = await knownConsignment(context, id);
  const hindrance = whyNotPrinted(context, consignment);
  if (hindrance !== null) throw new NotPossible(hindrance);
  const { shipmentId } = consignment;
  if (shipmentId !== null && isHandedOn(consignment, await siblings(context.database, consignment, shipmentId)))
    throw new NotPossible('a later booking of the shipment has taken its parcels over: print the label of that one');
  await reprint(context, { consignment, by, request });
  return consignment;
}
