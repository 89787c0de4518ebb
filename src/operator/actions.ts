import { randomUUID } from 'node:crypto';
import {
  type Consignment,
  carrierName,
  labelFileName,
  lastCarriersNumber,
  partsIn,
} from '../consignment/consignment.js';
import type { ActionEntry, ActionName } from './last-action.js';
import { addToJournal, findConsignment, seize, requestCancelById } from '../consignment/ledger/consignment-rows.js';
import { save } from '../consignment/ledger/save.js';
import { asLabel, loadLabels } from '../consignment/ledger/label-rows.js';
import {
  NotPossible,
  NumbersNotPossible,
  type Resolution,
  requireUsable,
  resolve,
  resume,
} from '../consignment/machine/operator.js';
import { doubtfulReferences, doubts } from '../consignment/machine/doubts.js';
import { newNumbers } from '../consignment/machine/numbers.js';
import { canBePrinted } from '../consignment/machine/writing.js';
import { type NumberClaim, NumbersTaken, takenNumbers } from '../consignment/ledger/parcel-number-rows.js';
import type { BookingContext } from '../consignment/context.js';
import { type ReprintRequest, reprint } from './reprint.js';
import { LABEL_TYPES, formatOf } from '../labels/label-format.js';
import { TRAITS } from '../consignment/states.js';

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
  /** Changes nothing: throws what the action would throw, as far as that is known before it is stored. */
  trial(): LaterActions;
  /** @param n 0: the file that was attached; from 1: a part's */
  label(id: string, n: number): Promise<LabelDownload>;
  /** The same for people to look at or to print from a browser: a PDF, also of a label in ZPL. */
  labelToSee(id: string, n: number): Promise<LabelDownload>;
}

export interface LabelDownload {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** Of the content, for HTTP. */
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
    cancel: async (id, by) => {
      const consignment = await known(context, id);
      const hindrance = whyNotCancelled(context, consignment);
      if (hindrance !== null) throw new NotPossible(hindrance);
      const now = context.clock.now();
      const what = 'cancellation wished by operator';
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
    labelToSee: async (id, n) => {
      const label = await labelOf(context, id, n);
      if (label.type === LABEL_TYPES.pdf) return label;
      const { bytes } = await context.assemble([asLabel(label)], null);
      return { bytes, fileName: label.fileName.replace(/\w+$/, 'pdf'), type: LABEL_TYPES.pdf };
    },
  };
}

async function labelOf(context: BookingContext, id: string, n: number): Promise<LabelDownload> {
  const consignment = await known(context, id);
  const [label] = (await loadLabels(context.database, id)).filter((candidate) => candidate.n === n);
  if (!label) throw new UnknownConsignment(`no label ${n}`);
  const format = formatOf(label.bytes);
  return { bytes: label.bytes, fileName: labelFileName(consignment, format), type: LABEL_TYPES[format] };
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
        change: (consignment, now) => resume(consignment, now, whatElse(context, consignment)),
      }),
    resolve: (id, resolution, by) =>
      carryOut(id, {
        by,
        action: 'resolve',
        what: `resolved by operator: ${resolution.answer}`,
        change: (consignment, now) => {
          const after = resolve(consignment, resolution, now);
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

/** The actions that are possible on a booked consignment. */
function whatElse(context: BookingContext, consignment: Consignment): readonly string[] {
  const hasLabel = consignment.parts.some((part) => part.labels === 'stored');
  const look = hasLabel ? [`its label is at ${labelPath(consignment)}`] : [];
  const print = whyNotPrinted(context, consignment) === null ? ['"reprint" prints the label again'] : look;
  const cancel = whyNotCancelled(context, consignment) === null ? ['"cancel" takes the booking back'] : [];
  return [...print, ...cancel];
}

function labelPath({ id }: Consignment): string {
  return `/api/v1/consignments/${id}/labels/0`;
}

/** Why it cannot be cancelled, as far as that is certain without the carrier; `null`: it can be tried. */
function whyNotCancelled(context: BookingContext, consignment: Consignment): string | null {
  const { state, needsOperator } = consignment;
  const doubtful = doubts(consignment).length > 0;
  if (state === 'cancelled') return 'it is cancelled already';
  if (state === 'refused' && doubtful) return endedInDoubt(consignment);
  if (TRAITS[state].booking === 'nothing-booked') return `it is ${state}: nothing is booked that could be cancelled`;
  const isOpen = doubtful || needsOperator || partsIn(consignment, 'booked').length === 0;
  return isOpen ? null : whyNotAtCarrier(context, consignment);
}

function endedInDoubt(consignment: Consignment): string {
  const carrier = carrierName(consignment);
  return `it was ended while it was in doubt: look for ${doubtfulReferences(consignment)} in the portal of ${carrier}, and cancel it there`;
}

function whyNotAtCarrier({ accounts }: BookingContext, consignment: Consignment): string | null {
  const carrier = carrierName(consignment);
  const name = consignment.plan?.account ?? '-';
  const number = lastCarriersNumber(consignment) ?? consignment.reference ?? '-';
  const there = `it is still booked as number ${number}. Call ${carrier}, or cancel it in their portal`;
  const account = accounts.get(name);
  if (!account) return `its account "${name}" is not in the configuration any more: ${there}`;
  return account.carrier.cancel ? null : `${carrier} takes no cancellations from us: ${there}`;
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
  await known(context, id);
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
  await reprint(context, { consignment, by, request });
  return consignment;
}

function whyNotPrinted({ printing }: BookingContext, consignment: Consignment): string | null {
  const { state, effects } = consignment;
  if (printing.mode === 'none') return 'printing is switched off ("printing" in the configuration)';
  if (state === 'cancelled') return 'it is cancelled: its label must not be used any more';
  if (!canBePrinted(consignment, printing.mode))
    return 'it has no document that could be printed ("printing" in the configuration is "document")';
  if (effects.some((effect) => effect.call.kind === 'attachment' && effect.state === 'done')) return null;
  return consignment.parts.some((part) => part.labels === 'stored')
    ? `the label is not attached in the IMS, so nothing can be printed there: print ${labelPath(consignment)} yourself`
    : 'it has no label that could be printed';
}
