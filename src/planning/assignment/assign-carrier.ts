import { ImsForbidden, ImsProblem, ImsRefused } from '../../ims/errors.js';
import type { ImsArea } from '../../ims/calls/area.js';
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
import type { PlanningContext } from '../context.js';
import { accountOf } from '../../accounts/account.js';

/** A shipment that was read longer ago is read again before its carrier is set: a person may have chosen one meanwhile. */
const STALE_AFTER_MS = 500;

interface Setting {
  readonly ims: ImsArea;
  readonly shipment: ImsShipment;
  /** When it was asked for. */
  readonly readAt: Date;
  readonly plan: ShipmentPlan;
}

/** What came of setting a carrier. */
export type CarrierSet =
  /** `messages`: where the IMS refused it, which keeps nobody from working. */
  | { readonly kind: 'settled'; readonly messages: readonly MessageDraft[] }
  /** Somebody changed the carrier while it was thought about: nothing is set, and what was planned is out of date. */
  | { readonly kind: 'changed'; readonly shipment: ImsShipment; readonly readAt: Date };

const SETTLED: CarrierSet = { kind: 'settled', messages: [] };

/**
 * Before anyone packs: sets the carrier on a shipment that has none, for the time being where more will be known later.
 * One that somebody has taken away is not set again. What is about to be set is written down first: whoever dies in between
 * is followed by one that sets it.
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

/** It has one. Where that is what we tried to set before, only the answer was lost. */
async function confirmed({ database }: PlanningContext, { key, assignment, carrierName }: Found): Promise<CarrierSet> {
  const set = assignment.kind === 'open' || assignment.kind === 'ours' ? assignment.setting : null;
  if (set !== null && !set.confirmed && sameName(carrierName, set.carrierName))
    await confirmCarrierSetting(database, key, set.carrierName);
  return SETTLED;
}

/**
 * At the booking: what was chosen for the time being, or not at all, is settled as far as all is known, and set where that
 * is another carrier than the shipment has.
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

/** What is tried again was decided when it was tried first. */
function decidedAt({ clock }: PlanningContext, { decision }: ShipmentPlan): Date {
  return decision.kept?.setAt ?? clock.now();
}

/** Where it was read a moment ago, and nobody was asked for a price, there is nothing to ask. */
async function changedMeanwhile(
  { clock }: PlanningContext,
  { ims, shipment, readAt, plan }: Setting,
): Promise<Extract<CarrierSet, { kind: 'changed' }> | null> {
  const now = clock.now();
  if (now.getTime() - readAt.getTime() <= STALE_AFTER_MS && plan.bids?.asked !== true) return null;
  const again = await ims.loadShipment(shipment.id);
  const isSame = (again.carrierName ?? '') === (shipment.carrierName ?? '');
  return isSame ? null : { kind: 'changed', shipment: again, readAt: now };
}

/** What the IMS refuses or does not allow stays as it is: nobody is kept from working by it. */
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
    // What we may not do is told once for all shipments.
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
