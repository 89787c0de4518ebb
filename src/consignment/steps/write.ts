import { ImsForbidden, ImsProblem, ImsRefused, ImsUnavailable } from '../../ims/errors.js';
import { type PrintCall, type PrintValues, TemplateGone, printCall } from '../../printing/print-body.js';
import { copiesInRequest } from '../../printing/profile.js';
import { type Consignment, type Effect, attachedFileName, isMessage } from '../consignment.js';
import { sendMessage } from '../../areas/send-message.js';
import { siblings } from '../ledger/consignment-rows.js';
import { type StoredLabel, labelsOf } from '../ledger/label-rows.js';
import { stillBooked } from '../machine/beside.js';
import type { EffectResult, Fact } from '../machine/facts.js';
import type { BookingContext } from '../context.js';
import { type Area, areaOf } from '../../areas/area.js';
import { tellMissingScopes } from '../missing-scopes.js';
import { customsPaperOf } from './papers/customs-paper.js';
import { SheetNotDrawn, errorSheetOf } from './papers/make-error-sheet.js';
import { isImsError } from './ims-failure.js';
import { RETURNS_FILE } from './returns-file.js';

/** A call whose repetition people would see; it is sent at most once. */
export function isAtMostOnce(effect: Effect): boolean {
  return effect.call.kind === 'print' || effect.call.kind === 'print-error-sheet';
}

/** A call whose unknown outcome is left as it is; a repeated message would only be shown again. */
function isPerhapsEnough(effect: Effect): boolean {
  return isAtMostOnce(effect) || isMessage(effect);
}

/** One wave of effects, and what of the consignment's labels was stored just now. */
interface Wave {
  readonly effects: readonly Effect[];
  readonly labels: readonly StoredLabel[];
}

/** Sends one wave of effects to the IMS, concurrently. */
export async function write(
  context: BookingContext,
  consignment: Consignment,
  { effects, labels }: Wave,
): Promise<Fact> {
  const area = areaOf(context, consignment.area);
  const outcomes = await Promise.all(effects.map((effect) => attempt(context, { area, consignment, effect, labels })));
  const waits = outcomes.map((outcome) => outcome.retryAfterMs ?? 0);
  const results = outcomes.map((outcome) => outcome.result);
  const [newDayAt] = outcomes.flatMap((outcome) => (outcome.result.state === 'open' ? (outcome.newDayAt ?? []) : []));
  const written = { kind: 'written', results, retryAfterMs: Math.max(0, ...waits) } as const;
  if (newDayAt) return { ...written, newDayAt };
  const isLate = context.clock.now().getTime() - consignment.runStartedAt.getTime() > area.giveUpAfterMs;
  const isOpen = results.some((result) => result.state === 'open');
  const isAway = outcomes.some((outcome) => outcome.imsIsAway);
  const seen = isLate && isOpen && !isAway ? await look(area, consignment) : null;
  if (seen === null) return written;
  return { ...written, results: results.map((result) => believing(seen, effects, result)), imsAnswers: true };
}

/** Counts an effect as done where the document shows its result, even if its answer was lost. */
function believing({ workStatus }: Seen, effects: readonly Effect[], result: EffectResult): EffectResult {
  const call = effects.find((effect) => effect.key === result.key)?.call;
  const isThere = call?.kind === 'work-status' && call.status === workStatus;
  return isThere ? { ...result, state: 'done', note: null } : result;
}

interface Seen {
  readonly workStatus: string | null;
}

/**
 * Whether the IMS answers at all. An IMS that is down is waited for. If it is up and refuses to take a write for longer
 * than a worker waits, the write is given up and told; otherwise the document would stay ON_GOING.
 * @returns `null`: it does not answer
 */
async function look({ ims }: Area, { documentId, shipmentId }: Consignment): Promise<Seen | null> {
  try {
    if (documentId !== null) return await ims.loadDocument(documentId);
    await ims.loadShipment(shipmentId ?? '');
    return { workStatus: null };
  } catch (error) {
    if (!isImsError(error)) throw error;
    return error instanceof ImsRefused ? { workStatus: null } : null;
  }
}

interface Attempt {
  readonly area: Area;
  readonly consignment: Consignment;
  readonly effect: Effect;
  readonly labels: Wave['labels'];
}

interface Outcome {
  readonly result: EffectResult;
  readonly retryAfterMs: number | null;
  /** The new day that it waits for; `null`: it does not wait for one. */
  readonly newDayAt: Date | null;
  /** The IMS answered no other request either. */
  readonly imsIsAway?: true;
}

/**
 * A message that got no answer may have met an IMS that was away: it waits for the IMS and, once that answers, is sent in
 * a second call, which is enough.
 */
async function attempt(context: BookingContext, given: Attempt): Promise<Outcome> {
  const first = await attemptOnce(context, given);
  if (first.result.state !== 'unknown' || isAtMostOnce(given.effect)) return first;
  const isThere = (await look(given.area, given.consignment)) !== null;
  if (isThere) return attemptOnce(context, given);
  return { ...first, result: { ...first.result, state: 'open' }, imsIsAway: true };
}

async function attemptOnce(context: BookingContext, { effect, ...given }: Attempt): Promise<Outcome> {
  const { key } = effect;
  try {
    await perform(context, { ...given, effect });
    return { result: { key, state: 'done', note: null }, retryAfterMs: null, newDayAt: null };
  } catch (error) {
    if (error instanceof WriteNotKnown)
      return { result: { key, state: 'open', note: error.message }, retryAfterMs: NOT_KNOWN_WAITS_MS, newDayAt: null };
    if (!isImsError(error) && !(error instanceof SheetNotDrawn)) throw error;
    const { retryAfterMs, newDayAt } = error instanceof ImsUnavailable ? error : { retryAfterMs: null, newDayAt: null };
    return { result: { key, state: stateAfter(effect, error), note: said(error) }, retryAfterMs, newDayAt };
  }
}

/** Another version of Waybridge has stored it, while instances of both are at work: one that knows it does it. */
class WriteNotKnown extends Error {
  constructor(kind: string) {
    super(`another version of Waybridge has to do this write, and this one does not know it: ${kind}`);
  }
}

const NOT_KNOWN_WAITS_MS = 10_000;

function stateAfter(effect: Effect, error: Error): Effect['state'] {
  if (error instanceof ImsForbidden) return 'not-allowed';
  if ([ImsRefused, ImsProblem, SheetNotDrawn].some((kind) => error instanceof kind)) return 'failed';
  if (error instanceof ImsUnavailable && error.effect === 'unknown' && isPerhapsEnough(effect)) return 'unknown';
  return 'open';
}

function said(error: Error): string {
  return error instanceof ImsRefused ? error.messageText : error.message;
}

async function perform(context: BookingContext, given: Attempt): Promise<void> {
  const { area, consignment, effect } = given;
  const { ims } = area;
  const { call } = effect;
  switch (call.kind) {
    case 'tracking': {
      const { trackingNumber, trackingUrl } = call;
      return ims.patchShippingContainer(call.containerId, {
        trackingNumber,
        ...(trackingUrl === null ? {} : { trackingUrl }),
      });
    }
    case 'carriers-number':
      return ims.patchShipment(consignment.shipmentId ?? '', { carriersShipmentNumber: call.number });
    case 'attachment':
      return attachTo(given, { fileName: call.fileName, bytes: await labelFile(context, given, 0) });
    case 'return-attachment':
      return attachTo(given, { fileName: call.fileName, bytes: await labelFile(context, given, RETURNS_FILE) });
    case 'customs-paper': {
      const bytes = await customsPaperOf(context, consignment, call.paper);
      return attachTo(given, { fileName: call.fileName, bytes });
    }
    case 'error-sheet':
      return attachTo(given, {
        fileName: call.fileName,
        bytes: await errorSheetOf(context, consignment, { area, target: call.target }),
      });
    case 'print':
    case 'print-error-sheet':
      return print(context, given);
    case 'work-status':
      await ims.setWorkStatus(consignment.documentId ?? '', call.status);
      return;
    case 'message':
      return sendMessage(context, area, { to: call.to, message: call.message, bookedOn: consignment.bookedOn });
    case 'not-allowed-notice':
      return tellMissingScopes(context, area, (message) => sendMessage(context, area, { to: call.to, message }));
    case 'still-booked-notice': {
      const { shipmentId } = consignment;
      const others = shipmentId === null ? [] : await siblings(context.database, consignment, shipmentId);
      for (const told of stillBooked(consignment, others)) await sendMessage(context, area, { to: call.to, ...told });
      return;
    }
    default:
      throw new WriteNotKnown((call as { readonly kind: string }).kind);
  }
}

/** @param k 0: the labels; `RETURNS_FILE`: the return labels */
async function labelFile(
  context: BookingContext,
  { consignment: { id }, labels }: Attempt,
  k: number,
): Promise<Uint8Array> {
  const files = await labelsOf(context.database, id, { parts: [0], justStored: labels });
  const whole = files.find((file) => file.k === k);
  if (!whole) throw new Error(`consignment ${id} has no label file to attach`);
  return whole.bytes;
}

/** A file of the same name is replaced. */
function attachTo(
  { area, consignment: { documentId, shipmentId } }: Attempt,
  { fileName, bytes }: { readonly fileName: string; readonly bytes: Uint8Array },
): Promise<void> {
  const file = { fileName, base64EncodedContent: Buffer.from(bytes).toString('base64') };
  if (documentId !== null) return area.ims.attachToDocument(documentId, file);
  return area.ims.attachToShipment(shipmentId ?? '', file);
}

function print(context: BookingContext, { area, consignment, effect }: Attempt): Promise<void> {
  // Marked as sent by a process that died before the answer: a second label would confuse more than a missing one.
  if (effect.state === 'sent') throw new ImsUnavailable('whether the IMS took the print request is unknown', 'unknown');
  const { call } = effect;
  const order =
    call.kind === 'print-error-sheet' ? { fileName: call.fileName, template: call.template, copies: 1 } : {};
  return printLabel(context, area, { consignment, order });
}

/** How a label is printed otherwise than its booking says; what is missing is as the booking says. */
export interface PrintOrder {
  readonly deviceName?: string;
  readonly fileName?: string;
  readonly copies?: number;
  /** Of a profile; `null`: the installation's own. */
  readonly template?: string | null;
}

/**
 * Prints an attached label in the way that the installation prints, by one request.
 * @throws ImsRefused also when the settings have changed since the print was planned: the profile's template is not there
 *   any more, printing is switched off, or documents are printed and the booking has none
 */
export async function printLabel(
  context: BookingContext,
  area: Area,
  { consignment, order = {} }: { readonly consignment: Consignment; readonly order?: PrintOrder },
): Promise<void> {
  const { documentId, plan } = consignment;
  const template = order.template === undefined ? (plan?.print?.template ?? null) : order.template;
  const call = callOf(context.printing, valuesOf(consignment, order), template);
  if (call.invocation === 'printResource') return area.ims.printResource(call.body);
  if (documentId === null) throw new ImsRefused(null, NO_DOCUMENT);
  return area.ims.printDocument(documentId);
}

const SWITCHED_OFF = 'printing is switched off in Waybridge by now';
const NO_DOCUMENT = 'Waybridge prints transport bookings only by now, and there is none';

function valuesOf(consignment: Consignment, order: PrintOrder): PrintValues {
  const { documentId, shipmentId, shipmentNumber, addressee, plan, area } = consignment;
  return {
    ...{ documentId, shipmentId, shipmentNumber, contextId: plan?.contextId ?? area, userId: addressee.userId },
    deviceName: order.deviceName ?? addressee.deviceName,
    fileName: order.fileName ?? attachedFileName(consignment),
    copies: order.copies ?? copiesInRequest(plan?.print),
  };
}

/** A change of the settings is told like a refusal of the IMS: it stays refused until a person acts. */
function callOf(...given: Parameters<typeof printCall>): PrintCall {
  try {
    const call = printCall(...given);
    if (call === null) throw new ImsRefused(null, SWITCHED_OFF);
    return call;
  } catch (error) {
    if (error instanceof TemplateGone) throw new ImsRefused(null, error.message);
    throw error;
  }
}
