import { areaNotOurs, areaOf } from '../areas/area.js';
import { forgetSent, notSentBefore, rememberSent, sentKey } from '../areas/send-once.js';
import type { BookingContext } from '../consignment/context.js';
import { isAskedFor } from '../consignment/ledger/consignment-rows.js';
import type { ImsShipment } from '../ims/resources.js';
import { setNewCarrier } from '../planning/assignment/assign-carrier.js';
import { loadCarrierSetting } from '../planning/assignment/assignment-rows.js';
import { logInstructions, logUnusableSettings } from '../planning/log-instructions.js';
import { type ShipmentPlan, planShipment } from '../planning/plan-shipment.js';
import { warningsBeforePacking } from '../planning/problems.js';
import { sourcesOf } from '../planning/sources.js';
import type { MessageDraft } from '../messages/message.js';
import { type Task, markTaskTold, toldByTask } from './task-rows.js';
import { type Done, type TaskHandler, digestOf, warn } from './task.js';

export const choosingCarrier: TaskHandler = {
  perform: chooseForShipment,
  giveUp: leaveUnsaidToBooking,
};

/** Before packing: sets a carrier where there is none, and warns of what that carrier would refuse. */
async function chooseForShipment(context: BookingContext, task: Task): Promise<Done> {
  const area = areaOf(context, task.area);
  const ims = area.imsBackground;
  const readAt = context.clock.now();
  const read = await ims.loadShipment(task.shipmentId ?? '');
  const otherArea = areaNotOurs(context, read);
  if (otherArea !== null)
    return { note: `the shipment belongs to area ${otherArea}, which is not configured`, wake: [] };
  if (read.cancelled === true) return { note: 'cancelled', wake: [] };
  let shipment = read;
  let plan = await planBeforePacking(context, task, shipment);
  const set = await setNewCarrier(context, { ims, shipment, readAt, plan });
  if (set.kind === 'changed') {
    // A person has set a carrier meanwhile; the worker is still told what that carrier would refuse.
    ({ shipment } = set);
    plan = await planBeforePacking(context, task, shipment);
  }
  await logInstructions(context, task.area, plan);
  logUnusableSettings(context, task.area, plan);
  const refused = set.kind === 'settled' ? set.messages : [];
  const warnings = await unsaidWarnings(
    context,
    { task, shipmentId: shipment.id },
    warningsBeforePacking(context, area, { plan, shipment }),
  );
  const messages = [...refused, ...warnings];
  await warn(context, { area, task }, messages);
  return { note: noteOn(plan, messages.length), wake: [] };
}

/**
 * The warnings that this task sends. A booking that was asked for before sends its own; a later one leaves them to this task,
 * as does another task of the shipment. The task also sends what an earlier attempt has planned, given up or not: others may
 * have left it to the task meanwhile.
 */
async function unsaidWarnings(
  context: BookingContext,
  { task, shipmentId }: { readonly task: Task; readonly shipmentId: string },
  warnings: readonly MessageDraft[],
): Promise<readonly MessageDraft[]> {
  const whose = { area: task.area, shipmentId };
  const plannedOf = (warning: MessageDraft) => planned(warning, sentKey(whose, warning).topic);
  const own = warnings.filter((each) => task.told.includes(plannedOf(each)));
  const unsent = await notSentBefore(context, whose, warnings);
  if (unsent.length === 0 || (await isAskedFor(context.database, whose))) return own;
  for (const warning of unsent) await markTaskTold(context.database, task.id, plannedOf(warning));
  await rememberSent(context, whose, unsent);
  return warnings.filter((each) => own.includes(each) || unsent.includes(each));
}

/** An entry in `told` of the task: it has planned to send a message, so bookings leave that to it. Stored entries begin with `promised`. */
function planned(message: MessageDraft, topic: string): string {
  return `promised ${digestOf(message)} ${topic}`;
}

const PLANNED = /^promised (\w+) (.+)$/;

/** Lets bookings that are asked for from now on send what this task has planned and not sent. */
async function leaveUnsaidToBooking(context: BookingContext, { id, area }: Task): Promise<void> {
  const told = await toldByTask(context.database, id);
  const topics = told.flatMap((entry) => {
    const [, digest = '', topic = ''] = PLANNED.exec(entry) ?? [];
    return topic === '' || told.includes(digest) ? [] : [topic];
  });
  await forgetSent(context, { area, topics });
}

async function planBeforePacking(context: BookingContext, task: Task, shipment: ImsShipment): Promise<ShipmentPlan> {
  const { timeZone, checksDangerousGoods, imsBackground } = areaOf(context, task.area);
  return planShipment(context, {
    ...{ id: task.id, shipment, carrierName: shipment.carrierName, timeZone, checksDangerousGoods, quoting: 'never' },
    setting: await loadCarrierSetting(context.database, { area: task.area, shipmentId: shipment.id }),
    sources: sourcesOf(imsBackground, shipment),
  });
}

function noteOn({ choice, provisional }: ShipmentPlan, problems: number): string {
  if (choice.kind === 'none') return 'no rule matched';
  // A carrier without an account of ours is left to its own integration until a booking is asked for.
  if (choice.kind === 'unknown-carrier') return `carrier ${choice.carrierName} is not ours`;
  return [
    choice.account,
    ...(provisional ? ['provisional'] : []),
    ...(problems > 0 ? [`${problems} problems`] : []),
  ].join(', ');
}
