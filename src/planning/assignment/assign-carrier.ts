import { ImsForbidden, ImsProblem, ImsRefused } from '../../ims/errors.js';
import type { ImsArea } from '../../ims/calls/ims-area.js';
import type { ImsShipment } from '../../ims/resources.js';
import { sameName } from '../../routing/language/rule.js';
import {
  type ShipmentKey,
  confirmCarrierSetting,
  keepCarrierSetting,
  refuseCarrierSetting,
} from './assignment-rows.js';
import { type MessageDraft, say } from '../../messages/message.js';
import type { ShipmentPlan } from '../plan-shipment.js';
import type { CarrierAssignment } from './assigned-carrier.js';
import type { PlanningContext } from '../planner.js';
import { accountOf } from '../../accounts/account.js';

/** A shipment that was read earlier is read again before its carrier is set: a person may have chosen one. */
const STALE_AFTER_MS = 500;

interface Setting {
  readonly ims: ImsArea;
  readonly shipment: ImsShipment;
  /** When it was asked for. */
  readonly readAt: Date;
  readonly plan: ShipmentPlan;
}

/** The result of setting a carrier. */
export type CarrierSet =
  /** `messages`: the IMS refused it; the booking continues. */
  | { readonly kind: 'settled'; readonly messages: readonly MessageDraft[] }
  /** A person has changed the carrier meanwhile: nothing is set, and the plan is out of date. */
  | { readonly kind: 'changed'; readonly shipment: ImsShipment; readonly readAt: Date };

const SETTLED: CarrierSet = { kind: 'settled', messages: [] };

/**
 * Before packing: sets a carrier on a shipment without one, provisionally where more will be known later. One that a
 * person has removed is not set again. The intent is stored first, so that another instance continues it after a crash.
 * @throws ImsUnavailable | ImsCredentials
 */
export async function setNewCarrier(context: PlanningContext, setting: Setting): Promise<CarrierSet> {
  const { ims, shipment, plan } = setting;
  const { choice, provisional, decision } = plan;
  const { assignment } = decision;
  if (choice.kind !== 'chosen' || assignment.kind === 'removed') return SETTLED;
  const key = { area: ims.contextId, shipmentId: shipment.id };
  if (shipment.carrierName !== null) return confirmed(context, { key, assignment, carrierName: shipment.carrierName });
  const changed = await changedMeanwhile(context, setting);
  if (changed) return changed;
  const { name, imsCarrierName } = accountOf(context, choice.account);
  const kept = await keepCarrierSetting(context.database, key, {
    ...{ carrierName: imsCarrierName, account: name, rule: choice.rule, provisional },
    ...{ insteadOf: null, decidedAt: 'creation', setAt: decidedAt(context, plan) },
  });
  return kept === 'decided-later' ? SETTLED : setInIms(context, setting, { key, name: imsCarrierName });
}

interface Found {
  readonly key: ShipmentKey;
  readonly assignment: CarrierAssignment;
  /** Of the shipment. */
  readonly carrierName: string;
}

/** The shipment has a carrier. If it is the one that we tried to set, only the answer was lost. */
async function confirmed({ database }: PlanningContext, { key, assignment, carrierName }: Found): Promise<CarrierSet> {
  const set = assignment.kind === 'open' || assignment.kind === 'ours' ? assignment.setting : null;
  if (set !== null && !set.confirmed && sameName(carrierName, set.carrierName))
    await confirmCarrierSetting(database, key, set.carrierName);
  return SETTLED;
}

/**
 * At the booking: makes a provisional or missing choice final, as far as everything is known, and sets it where the
 * shipment has another carrier.
 * @throws ImsUnavailable | ImsCredentials
 */
export async function settleCarrier(context: PlanningContext, setting: Setting): Promise<CarrierSet> {
  const { ims, shipment, plan } = setting;
  const { choice, provisional, decision } = plan;
  const { assignment } = decision;
  if (choice.kind !== 'chosen' || assignment.kind === 'theirs' || assignment.kind === 'ours') return SETTLED;
  const changed = await changedMeanwhile(context, setting);
  if (changed) return changed;
  const key = { area: ims.contextId, shipmentId: shipment.id };
  const { name, imsCarrierName } = accountOf(context, choice.account);
  await keepCarrierSetting(context.database, key, {
    ...{ carrierName: imsCarrierName, account: name, rule: choice.rule, provisional },
    ...{ insteadOf: shipment.carrierName, decidedAt: 'booking', setAt: decidedAt(context, plan) },
  });
  const isThere = shipment.carrierName !== null && sameName(shipment.carrierName, imsCarrierName);
  if (!isThere) return setInIms(context, setting, { key, name: imsCarrierName });
  await confirmCarrierSetting(context.database, key, imsCarrierName);
  return SETTLED;
}

/** A retry keeps the time of the first decision. */
function decidedAt({ clock }: PlanningContext, { decision }: ShipmentPlan): Date {
  return decision.kept?.setAt ?? clock.now();
}

/** Reads the shipment again, unless it was read a moment ago and no price was asked for. */
async function changedMeanwhile(
  { clock }: PlanningContext,
  { ims, shipment, readAt, plan }: Setting,
): Promise<Extract<CarrierSet, { kind: 'changed' }> | null> {
  const now = clock.now();
  if (now.getTime() - readAt.getTime() <= STALE_AFTER_MS && plan.quotes?.asked !== true) return null;
  const again = await ims.loadShipment(shipment.id);
  const isSame = (again.carrierName ?? '') === (shipment.carrierName ?? '');
  return isSame ? null : { kind: 'changed', shipment: again, readAt: now };
}

/** Sets the carrier in the IMS; a refusal does not stop the booking. */
async function setInIms(
  { database, log }: PlanningContext,
  { ims, shipment }: Setting,
  { key, name }: { readonly key: ShipmentKey; readonly name: string },
): Promise<CarrierSet> {
  try {
    await ims.patchShipment(key.shipmentId, { carrierName: name });
  } catch (error) {
    const saysNo = [ImsForbidden, ImsRefused, ImsProblem].some((kind) => error instanceof kind);
    if (!saysNo) throw error;
    const answer = answerOf(error);
    await refuseCarrierSetting(database, key, { name, why: answer });
    // A missing scope is told once for all shipments.
    if (error instanceof ImsForbidden) return SETTLED;
    log.warn('carrier not set', { area: key.area, shipment: key.shipmentId, error });
    const { shipmentNumber } = shipment;
    return { kind: 'settled', messages: [say('carrier-not-set', { shipmentNumber, carrier: name, answer })] };
  }
  await confirmCarrierSetting(database, key, name);
  return SETTLED;
}

function answerOf(error: unknown): string {
  if (error instanceof ImsRefused) return error.messageText;
  return error instanceof ImsForbidden ? error.refusal : String(error);
}
