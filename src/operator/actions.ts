import { randomUUID } from 'node:crypto';
import { type Consignment, carrierName, labelFileName, targetOf } from '../consignment/consignment.js';
import { type Hindrances, hindrancesOf, whatElse, whyNotCancelled, whyNotPrinted } from './hindrances.js';
import type { ActionEntry, ActionName } from './last-action.js';
import {
  addToJournal,
  findConsignment,
  requestCancelById,
  seize,
  siblings,
} from '../consignment/ledger/consignment-rows.js';
import { isHandedOn } from '../consignment/ledger/sequence.js';
import { save } from '../consignment/ledger/save.js';
import { type StoredLabel, asLabel, loadLabels } from '../consignment/ledger/label-rows.js';
import {
  NotPossible,
  NumbersNotPossible,
  type Resolution,
  requireUsable,
  applyResolution,
  resume,
} from '../consignment/machine/operator.js';
import { newNumbers } from '../consignment/machine/numbers.js';
import { type NumberClaim, NumbersTaken, takenNumbers } from '../consignment/ledger/parcel-number-rows.js';
import type { BookingContext } from '../consignment/context.js';
import { isKnownState } from '../consignment/states.js';
import { cancelledIn, fileToPrint } from './parcel-labels.js';
import { type ReprintRequest, reprint } from './reprint.js';
import { convertedOrAsTheyCame } from '../labels/as-they-came.js';
import { LABEL_TYPES, formatOf } from '../labels/label-format.js';
import { LabelUnusable } from '../labels/label-unusable.js';

/** There is no consignment with this id. */
export class UnknownConsignment extends Error {
  override readonly name = 'UnknownConsignment';
}

/** The actions on one consignment; `by` is the operator's name. Every method throws UnknownConsignment or NotPossible. */
export interface OperatorActions {
  retry(id: string, by: string): Promise<Consignment>;
  /** Refused at once where it cannot succeed; otherwise the result shows later. */
  cancel(id: string, by: string): Promise<Consignment>;
  /** Prints the label again; the history shows the result. */
  reprint(id: string, by: string, request?: ReprintRequest): Promise<Consignment>;
  /** Names of the printing profiles that a reprint can ask for. */
  readonly profiles: readonly string[];
  /** @throws NumbersNotPossible */
  resolve(id: string, resolution: Resolution, by: string): Promise<Consignment>;
  /** `retry` and `resolve` that are stored at once, while their work begins at a later time. */
  later(startsAt: Date): LaterActions;
  /** What keeps each action from being possible now. */
  hindrances(id: string): Promise<Hindrances>;
  /** Changes nothing: throws what the action would throw, as far as that is known before it is stored. */
  trial(): LaterActions;
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

export interface LabelDownload {
  readonly bytes: Uint8Array;
  /** `null`: not counted. */
  readonly pages: number | null;
  readonly fileName: string;
  /** The media type, for HTTP. */
  readonly type: string;
}

export type LaterActions = Pick<OperatorActions, 'retry' | 'resolve'>;

const HOLD_MS = 10_000;

export function operatorActions(context: BookingContext, wake: (ids: readonly string[]) => void): OperatorActions {
  const actionsAt = (startsAt: Date | null): LaterActions =>
    changing(context, async (id, change) => {
      const after = await changeByHand(context, id, startsAt === null ? change : begunAt(startsAt, change));
      wake([id]);
      return after;
    });
  return {
    ...actionsAt(null),
    later: actionsAt,
    trial: () => changing(context, async (id, { change }) => change(await known(context, id), context.clock.now())),
    hindrances: async (id) => hindrancesOf(context, await known(context, id)),
    cancel: async (id, by) => {
      const consignment = await known(context, id);
      const hindrance = whyNotCancelled(context, consignment);
      if (hindrance !== null) throw new NotPossible(hindrance);
      const now = context.clock.now();
      const what = 'cancellation requested by operator';
      await context.database.transaction(async (sql) => {
        await addToJournal(sql, { id, what, now, fields: entryOf('cancel', by, consignment) });
        await requestCancelById(sql, { id, by: { ...consignment.addressee, by: 'operator' }, now });
      });
      wake([id]);
      return known(context, id);
    },
    reprint: (id, by, request = {}) => reprintOne(context, id, { by, request }),
    profiles: (context.profiles?.profiles ?? []).map(({ name }) => name),
    label: (id, n) => labelOf(context, id, n),
    labelToSee: (id, n) => labelToSee(context, id, n),
    labelPage: async (id, n, page) => {
      const { bytes, pages } = await labelToSee(context, id, n);
      if (!Number.isInteger(page) || page < 1 || page > (pages ?? 1)) throw new UnknownConsignment(`no page ${page}`);
      return context.drawPage(bytes, page);
    },
  };
}

type OneFile = Pick<LabelDownload, 'bytes' | 'pages'>;

async function labelOf(context: BookingContext, id: string, n: number): Promise<LabelDownload> {
  const consignment = await known(context, id);
  // Of part 0, the file of return labels is behind that of the labels.
  const all = (await loadLabels(context.database, id)).filter((label) => label.n === n && (n > 0 || label.k === 0));
  const [label] = all;
  if (!label) throw new UnknownConsignment(`no label ${n}`);
  const whole = all.length === 1 ? label : await inOneFile(context, all);
  const { bytes, pages } = n === 0 ? await withoutCancelled(context, consignment, label) : whole;
  const format = formatOf(bytes);
  return {
    bytes,
    pages,
    fileName: labelFileName(consignment, format),
    type: LABEL_TYPES[format],
  };
}

/** Labels in ZPL one after the other, as the carrier gave them; a PDF where one of them is a PDF. @throws NotPossible */
async function inOneFile(context: BookingContext, labels: readonly StoredLabel[]): Promise<OneFile> {
  const isZpl = labels.every(({ bytes }) => formatOf(bytes) === 'zpl');
  return isZpl ? { bytes: Buffer.concat(labels.map(({ bytes }) => bytes)), pages: null } : inOnePdf(context, labels);
}

/** @throws NotPossible */
async function inOnePdf(context: BookingContext, labels: readonly Pick<StoredLabel, 'bytes'>[]): Promise<OneFile> {
  try {
    return await context.assemble(labels.map(asLabel), null);
  } catch (error) {
    if (!(error instanceof LabelUnusable)) throw error;
    throw new NotPossible(`it cannot be given as a PDF: ${error.message}`);
  }
}

/** A parcel must not get the label of a cancelled one. @throws NotPossible */
async function withoutCancelled(
  context: BookingContext,
  consignment: Consignment,
  file: StoredLabel,
): Promise<OneFile> {
  const { others, cancelled } = await cancelledIn(context.database, consignment);
  if (cancelled !== 'some') return file;
  try {
    const assemble: BookingContext['assemble'] = (...given) => convertedOrAsTheyCame(context.assemble, ...given);
    const target = targetOf(consignment);
    return await fileToPrint(context.database, consignment, { parcel: null, others, assemble, target });
  } catch (error) {
    if (!(error instanceof NotPossible || error instanceof LabelUnusable)) throw error;
    throw new NotPossible(
      `one of its parcels is cancelled, and the label cannot be given without that one's: ${error.message}`,
    );
  }
}

async function labelToSee(context: BookingContext, id: string, n: number): Promise<LabelDownload> {
  const label = await labelOf(context, id, n);
  if (label.type === LABEL_TYPES.pdf) return label;
  const { bytes, pages } = await inOnePdf(context, [label]);
  return { bytes, pages, fileName: label.fileName.replace(/\w+$/, 'pdf'), type: LABEL_TYPES.pdf };
}

/** The actions that change a consignment at once. @param carryOut does it */
function changing(
  context: BookingContext,
  carryOut: (id: string, change: Change) => Promise<Consignment>,
): LaterActions {
  return {
    retry: (id, by) =>
      carryOut(id, {
        by,
        action: 'retry',
        what: 'retried by operator',
        change: (consignment, now) => {
          const area = context.areas.get(consignment.area);
          return resume(consignment, now, { instead: whatElse(context, consignment), area });
        },
      }),
    resolve: (id, resolution, by) =>
      carryOut(id, {
        by,
        action: 'resolve',
        what: `resolved by operator: ${resolution.answer}`,
        change: (consignment, now) => {
          const after = applyResolution(consignment, resolution, now);
          requireUsable(consignment, after, patternOf(context, consignment));
          return after;
        },
      }),
  };
}

/** The time of a run that begins later counts from then on, so that it is not given up while it waits. */
function begunAt(startsAt: Date, change: Change): Change {
  return {
    ...change,
    change: (consignment, now) => {
      const after = change.change(consignment, now);
      if (after.dueAt === null || after.dueAt >= startsAt) return after;
      const runStartedAt = after.run === consignment.run ? after.runStartedAt : startsAt;
      return { ...after, runStartedAt, dueAt: startsAt };
    },
  };
}

async function known(context: BookingContext, id: string): Promise<Consignment> {
  const consignment = await findConsignment(context.database, id);
  if (!consignment) throw new UnknownConsignment(`no consignment ${id}`);
  return consignment;
}

function entryOf(action: ActionName, by: string, { run }: Consignment): ActionEntry {
  return { action, by, run };
}

interface Change {
  readonly by: string;
  readonly action: ActionName;
  readonly what: string;
  readonly change: (consignment: Consignment, now: Date) => Consignment;
}

async function changeByHand(
  context: BookingContext,
  id: string,
  { by, action, what, change }: Change,
): Promise<Consignment> {
  const { state } = await known(context, id);
  if (!isKnownState(state))
    throw new NotPossible(`it is ${state}, a state of another version of Waybridge: ask an instance of that version`);
  const now = context.clock.now();
  const owner = `operator:${randomUUID()}`;
  const held = await seize(context.database, id, { owner, now, until: new Date(now.getTime() + HOLD_MS) });
  if (!held) throw new NotPossible('it is being worked on at this moment: try again in a few seconds');
  const write = (consignment: Consignment, entries: readonly { what: string; fields: object }[]) => {
    const claim = claimOf(held, consignment);
    return save(context.database, consignment, {
      owner,
      now,
      entries: entries.map((entry) => ({ what: entry.what, fields: { ...entry.fields } })),
      keepLease: 'give-back',
      answersCancelRequest: held.cancelRequest !== null && consignment.cancelRequest === null ? 'answered' : 'stands',
      knownCancelRequest: held.cancelRequest,
      ...(claim && { claim }),
    });
  };
  try {
    const after = change(held, now);
    return await write(after, [{ what, fields: { from: held.state, ...entryOf(action, by, after) } }]);
  } catch (error) {
    const why = error instanceof NumbersTaken ? await whoseNumbers(context, held, change(held, now)) : error;
    if (why instanceof NotPossible || why instanceof NumbersNotPossible) await write(held, []);
    throw why;
  }
}

function patternOf({ accounts }: BookingContext, { plan }: Consignment): RegExp | null {
  const account = plan === null ? undefined : accounts.get(plan.account);
  return account?.adapter.traits.trackingNumberPattern ?? null;
}

/** Claims the numbers that a person has entered, like a carrier's. */
function claimOf(before: Consignment, after: Consignment): NumberClaim | null {
  const numbers = newNumbers(before, after);
  return after.plan === null || numbers.length === 0 ? null : { account: after.plan.account, numbers };
}

async function whoseNumbers(context: BookingContext, before: Consignment, after: Consignment): Promise<NotPossible> {
  const claim = claimOf(before, after);
  const taken = claim ? await takenNumbers(context.database, before.area, { claim, now: context.clock.now() }) : [];
  const each = taken.map(({ trackingNumber, shipmentNumber }) => `${trackingNumber} (shipment ${shipmentNumber})`);
  const whose = each.length > 0 ? `another parcel that is on its way has ${each.join(', ')}` : 'another parcel had it';
  return new NotPossible(`${whose}: look in the portal of ${carrierName(before)} whose number it is`);
}

/** Needs no lease: each request of a person prints once, whichever process works on the consignment. */
async function reprintOne(
  context: BookingContext,
  id: string,
  { by, request }: { readonly by: string; readonly request: ReprintRequest },
): Promise<Consignment> {
  const consignment = await known(context, id);
  const hindrance = whyNotPrinted(context, consignment);
  if (hindrance !== null) throw new NotPossible(hindrance);
  const { shipmentId } = consignment;
  if (shipmentId !== null && isHandedOn(consignment, await siblings(context.database, consignment, shipmentId)))
    throw new NotPossible('a later booking of the shipment has taken its parcels over: print the label of that one');
  await reprint(context, { consignment, by, request });
  return consignment;
}
