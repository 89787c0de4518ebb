import { isDeepStrictEqual } from 'node:util';
import { type Area, areaOf } from '../../areas/area.js';
import { type Consignment, labelFileName, targetOf } from '../../consignment/consignment.js';
import type { BookingContext } from '../../consignment/context.js';
import { addToJournal } from '../../consignment/ledger/consignment-rows.js';
import { NotPossible } from '../../consignment/machine/operator.js';
import { isImsError } from '../../consignment/steps/ims-failure.js';
import { type PrintOrder, printLabel } from '../../consignment/steps/write.js';
import { ImsUnavailable } from '../../ims/errors.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { TemplateGone, callsFor, hasPlaceFor } from '../../printing/print-body.js';
import type { PrintProfile } from '../../printing/profile.js';
import { whyNotPrinted } from '../hindrances.js';
import { knownConsignment } from '../known-consignment.js';
import type { ActionEntry } from '../last-action.js';
import { cancelledIn, fileToPrint, type voidOfLabel } from './parcel-labels.js';

/** How a label is printed once more; what is missing is as the label was printed before. */
export interface ReprintRequest {
  readonly deviceName?: string;
  /** 1 to `MAX_COPIES`; 1 when missing. */
  readonly copies?: number;
  /** The container, or the tracking number, of the only parcel whose label is printed. */
  readonly parcel?: string;
  /** The name of a printing profile. */
  readonly profile?: string;
  /** Why, for the journal. */
  readonly reason?: string;
}

interface Reprint {
  readonly consignment: Consignment;
  /** The operator's name. */
  readonly by: string;
  readonly request: ReprintRequest;
}

/**
 * Prints the label again. The journal has who asks for it and why before anything leaves, and the result afterwards: a
 * process that dies in between leaves the result unknown, and no other prints in its place.
 * @throws NotPossible
 */
export async function reprint(context: BookingContext, given: Reprint): Promise<void> {
  const { consignment, request } = given;
  const profile = profileOf(context, request);
  const template = profile === null ? (consignment.plan?.print?.template ?? null) : profile.template;
  const { others, cancelled } = await cancelledIn(context.database, consignment);
  requireUsable(context, template, cancelled);
  requirePossible(context, request, template);
  const file = await fileOf(context, given, { profile, others, isWhole: cancelled === 'none' });
  await keep(context, given, { what: 'reprint requested by operator', result: 'unknown', text: LOOK_AT_PRINTER });
  const outcome = await carryOut(context, given, { file, template });
  await keep(context, given, outcome);
  if (outcome.result === 'refused') throw new NotPossible(outcome.text);
}

interface Outcome {
  readonly what: string;
  readonly result: NonNullable<ActionEntry['result']>;
  readonly text: string;
}

async function keep(
  { database, clock, log }: BookingContext,
  { consignment, by, request }: Reprint,
  { what, ...outcome }: Outcome,
): Promise<void> {
  const { id, run } = consignment;
  const entry: ActionEntry = { action: 'reprint', by, run, ...outcome };
  await addToJournal(database, { id, what, now: clock.now(), fields: { ...entry, ...request } });
  log.info(what, { consignment: id });
}

const LOOK_AT_PRINTER = 'The IMS did not answer: look at the printer before you print the label again.';

function profileOf({ profiles }: BookingContext, { profile: wanted }: ReprintRequest): PrintProfile | null {
  if (wanted === undefined) return null;
  const all = profiles?.profiles ?? [];
  const profile = all.find(({ name }) => name === wanted);
  if (profile) return profile;
  const there = all.length === 0 ? 'there are none' : `there are: ${all.map(({ name }) => name).join(', ')}`;
  throw new NotPossible(`"${wanted}" is not a profile of printing.profiles; ${there}`);
}

/** What the way of printing cannot do is refused, so that nothing is printed at another place than the operator expects. */
function requirePossible(context: BookingContext, request: ReprintRequest, template: string | null): void {
  const { deviceName, parcel, profile } = request;
  const places = placesIn(context, template);
  if (context.printing.mode !== 'resource' && [deviceName, parcel, profile].some((choice) => choice !== undefined))
    throw new NotPossible('with "printing" set to "document" the IMS prints the whole label, where it decides');
  if (deviceName !== undefined && !places.deviceName)
    throw new NotPossible('the template of the print request has no place for {{deviceName}}');
  if ((parcel ?? profile) !== undefined && !places.fileName)
    throw new NotPossible('the template of the print request has no place for {{fileName}}');
}

/** The IMS must not print the label of a cancelled parcel. */
function requireUsable(
  context: BookingContext,
  template: string | null,
  cancelled: ReturnType<typeof voidOfLabel>,
): void {
  if (cancelled === 'all') throw new NotPossible('its parcels are cancelled: their labels must not be used');
  const takesFile = context.printing.mode === 'resource' && placesIn(context, template).fileName;
  if (cancelled === 'some' && !takesFile)
    throw new NotPossible(
      'one of its parcels is cancelled, and the IMS would print the whole label: open the label, and print the pages of the other parcels',
    );
}

/** @throws NotPossible the template is not there any more */
function placesIn({ printing }: BookingContext, template: string | null) {
  try {
    const [deviceName, fileName] = [
      hasPlaceFor(printing, template, 'deviceName'),
      hasPlaceFor(printing, template, 'fileName'),
    ];
    return { deviceName, fileName };
  } catch (error) {
    if (!(error instanceof TemplateGone)) throw error;
    throw new NotPossible(`${error.message}: name another profile, or put the file back and restart Waybridge`);
  }
}

interface LabelFile {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** Some label does not fit on the paper. */
  readonly left: boolean;
}

interface FileChoice {
  readonly profile: PrintProfile | null;
  /** The other bookings of its shipment. */
  readonly others: readonly Consignment[];
  /** No parcel of the attached file is cancelled. */
  readonly isWhole: boolean;
}

/** @returns `null`: the file that is attached already */
async function fileOf(
  context: BookingContext,
  { consignment, request }: Reprint,
  { profile, others, isWhole }: FileChoice,
): Promise<LabelFile | null> {
  const { parcel } = request;
  const before = targetOf(consignment);
  const target = profile?.target ?? before;
  if (parcel === undefined && isWhole && isDeepStrictEqual(target, before)) return null;
  const { assemble, database } = context;
  const whole = await fileToPrint(database, consignment, { parcel: parcel ?? null, others, assemble, target }).catch(
    (error: unknown) => {
      throw error instanceof LabelUnusable ? new NotPossible(`it cannot be printed so: ${error.message}`) : error;
    },
  );
  const name = labelFileName(consignment, whole.format);
  const digest = whole.sha256.slice(0, DIGEST_IN_NAME);
  return {
    bytes: whole.bytes,
    // A name of its own beside the label of the booking; the same reprint replaces its own file.
    fileName: name.replace(/\.\w+$/, (extension) => `_${digest}${extension}`),
    left: whole.leftAsTheyCame.length > 0,
  };
}

const DIGEST_IN_NAME = 8;

/** Attaches the file, where it is another one than the booking's, then prints it. */
async function carryOut(
  context: BookingContext,
  { consignment, request }: Reprint,
  { file, template }: { readonly file: LabelFile | null; readonly template: string | null },
): Promise<Outcome> {
  const area = areaOf(context, consignment.area);
  const problem = file === null ? null : await attach(area, consignment, file);
  if (problem !== null) return refused(`the IMS did not take the label file: ${problem}`);
  // Its cancellation may have been asked for since the request.
  const hindrance = whyNotPrinted(context, await knownConsignment(context, consignment.id));
  if (hindrance !== null) return refused(hindrance);
  const { deviceName, copies = 1 } = request;
  const order: PrintOrder = {
    ...{ copies, template },
    ...(deviceName !== undefined && { deviceName }),
    ...(file && { fileName: file.fileName }),
  };
  const calls = callsFor(context.printing, { copies, template });
  const outcome = await printAll(() => printLabel(context, area, { consignment, order }), calls);
  if (outcome !== null) return outcome;
  const left = file?.left === true ? ' It does not fit on the paper, and was printed in its own size.' : '';
  const text = `The label was handed to the printer once more.${left}`;
  return { what: 'reprinted by operator', result: 'done', text };
}

/** @returns why the IMS did not take it; `null`: it did */
async function attach({ ims }: Area, consignment: Consignment, { bytes, fileName }: LabelFile): Promise<string | null> {
  const { documentId, shipmentId } = consignment;
  const file = { fileName, base64EncodedContent: Buffer.from(bytes).toString('base64') };
  try {
    if (documentId === null) await ims.attachToShipment(shipmentId ?? '', file);
    else await ims.attachToDocument(documentId, file);
    return null;
  } catch (error) {
    if (!isImsError(error)) throw error;
    return error.message;
  }
}

/**
 * One request after the other, up to the first that fails.
 * @returns `null`: all were taken
 */
async function printAll(print: () => Promise<void>, calls: number): Promise<Outcome | null> {
  for (let call = 1; call <= calls; call += 1) {
    try {
      await print();
    } catch (error) {
      if (!isImsError(error)) throw error;
      const before = call === 1 ? '' : `${call - 1} of ${calls} copies were handed to the printer; then `;
      if (!(error instanceof ImsUnavailable && error.effect === 'unknown'))
        return refused(`${before}the IMS did not print it: ${error.message}`);
      return { what: 'reprint without an answer', result: 'unknown', text: LOOK_AT_PRINTER };
    }
  }
  return null;
}

function refused(text: string): Outcome {
  return { what: 'reprint refused', result: 'refused', text };
}
