import type { LabelForm } from '../../../carriers/contract/traits.js';
import type { BookingRequest } from '../../../carriers/contract/model.js';
import { type SettledAccount, accountOf } from '../../accounts/account.js';
import type { Area } from '../../areas/area.js';
import { notSentBefore } from '../../areas/send-once.js';
import type { ImsShipment } from '../../ims/resources.js';
import type { MessageDraft } from '../../messages/message.js';
import type { ShipmentPlan } from '../../planning/plan-shipment.js';
import { NO_REQUESTS, bookedAnyway, whyNotBooked } from '../../planning/problems.js';
import { type Requests, requestsFor } from '../../planning/requests.js';
import { chooseProfile } from '../../printing/choose-profile.js';
import { labelFormFor } from '../../printing/label-form.js';
import { callsFor } from '../../printing/print-body.js';
import { papersFor } from '../../papers/customs/which-papers.js';
import type { Choice } from '../../routing/choose-carrier.js';
import {
  type ChosenCarrier,
  type Consignment,
  type Part,
  type Plan,
  missingContainers,
  partsIn,
} from '../consignment.js';
import type { BookingContext } from '../context.js';
import type { SiblingsWithSnapshot } from '../ledger/consignment-rows.js';
import { nextSequence } from '../ledger/sequence.js';
import type { Fact } from '../machine/facts.js';

export type ChosenAccount = Extract<Choice, { kind: 'chosen' }>;

/** A decided booking. */
export interface Decided extends SiblingsWithSnapshot {
  readonly area: Area;
  readonly shipment: ImsShipment;
  readonly claimed: boolean;
  readonly plan: ShipmentPlan;
  readonly choice: ChosenAccount;
  readonly reference: string;
  /** Booked parts of one of them. */
  readonly takenOver: readonly Part[];
  /** Messages that go out in addition. */
  readonly messages: readonly MessageDraft[];
}

/**
 * Freezes the requests for the containers that are not booked yet: every attempt sends exactly these.
 * @returns `unusable` when the shipment cannot be booked as it is
 */
export async function freeze(context: BookingContext, consignment: Consignment, decided: Decided): Promise<Fact> {
  const { shipment, reference, claimed, area, takenOver, snapshot } = decided;
  const { id: shipmentId, shipmentNumber } = shipment;
  const kept = partsIn({ ...consignment, parts: [...takenOver, ...consignment.parts] }, 'booked', 'cancelled');
  const printed = printedAs(context, consignment, decided);
  const plan = { ...planOf(context, consignment, decided), ...(printed && { print: printed.print }) };
  const found = requestsBeside(kept, { consignment, plan, decided, labelForm: printed?.labelForm ?? null });
  // Skips the checks where another program has begun the booking: the carrier may have accepted what we would refuse,
  // so it is asked first.
  const refused = consignment.possiblyBooked === true ? [] : found.refused;
  const problems = whyNotBooked(context, area, { plan: decided.plan, shipment, found: { ...found, refused } });
  if (problems.length > 0)
    return {
      kind: 'unusable',
      messages: problems,
      claimed,
      shipmentNumber,
      chosen: chosenCarrierOf(context, plan.account),
    };
  context.ahead.booking(consignment.area, { account: plan.account, containers: plan.containers.length });
  const requests = found.requests.map(({ request }) => request);
  const warnings = await warningsFor(context, { area: consignment.area, found, decided });
  return {
    kind: 'prepared',
    plan: { ...plan, warnings, ...papersOf(context, plan, [...kept.map(({ request }) => request), ...requests]) },
    ...{ reference, shipmentId, shipmentNumber, claimed, takenOver },
    requests: found.requests,
    snapshot,
  };
}

function planOf(context: BookingContext, consignment: Consignment, decided: Decided): Plan {
  const { choice, shipment, area, others } = decided;
  return {
    ...chosenCarrierOf(context, choice.account),
    rule: choice.rule,
    containers: shipment.shippingContainers.map((container) => container.id),
    contextId: area.contextId,
    turn: nextSequence(consignment, others),
    ...customerOf(context, decided),
  };
}

/** Decided by what is booked, so that a later change of the shipment or of the settings changes no paper. */
function papersOf(
  context: BookingContext,
  { account }: Plan,
  requests: readonly BookingRequest[],
): Pick<Plan, 'papers' | 'customsNumbers'> {
  const { adapter, customs = {} } = accountOf(context, account);
  const papers = papersFor(adapter.traits, requests);
  return papers.length === 0 ? {} : { papers, customsNumbers: { ...customs } };
}

export function chosenCarrierOf(context: BookingContext, account: string): ChosenCarrier {
  const { adapter, name } = accountOf(context, account);
  return { account: name, carrierId: adapter.id, carrierName: adapter.name };
}

/** How its labels are printed, and the form that its carrier is asked for; `null`: no profile matches. */
function printedAs(context: BookingContext, { addressee }: Consignment, { plan, shipment, area, choice }: Decided) {
  const { profiles, printing } = context;
  if (profiles === undefined || plan.order === null) return null;
  const { adapter } = accountOf(context, choice.account);
  const { service } = plan.order;
  const profile = chooseProfile(profiles, {
    ...{ area: area.contextId, carrier: adapter.id, service, event: addressee },
    country: shipment.deliveryAddress?.countryCode ?? null,
  });
  if (profile === null) return null;
  const { name, target, copies, template } = profile;
  const print = { profile: name, target, copies, template, calls: callsFor(printing, profile) };
  return { print, labelForm: labelFormFor(adapter.traits.labels, service, target) };
}

/** The customer of the carrier that the settings belong to; `null`: nothing identifies it. */
export function settledCustomer(settled: SettledAccount | null): string | null {
  return settled?.kind === 'settled' ? settled.customer : null;
}

/** Whose booking it is, so that later steps use the same settings, and no other customer's. */
function customerOf(
  context: BookingContext,
  { plan: { settled }, choice, shipment }: Decided,
): Pick<Plan, 'seller' | 'customer' | 'configuredCustomer'> {
  const customer = settledCustomer(settled);
  if (customer === null) return {};
  const isInIms = accountOf(context, choice.account).settle !== undefined;
  return isInIms ? { seller: shipment.sellerId, customer } : { configuredCustomer: customer };
}

/** The requests for the containers that no kept part has booked; their parts are numbered after the kept ones. */
function requestsBeside(
  kept: readonly Part[],
  about: {
    readonly consignment: Consignment;
    readonly plan: Plan;
    readonly decided: Decided;
    readonly labelForm: LabelForm | null;
  },
): Requests {
  const { consignment, plan, decided, labelForm } = about;
  const { order } = decided.plan;
  const containerIds = missingContainers({ ...consignment, plan, parts: kept });
  const isAllBooked = plan.containers.length > 0 && containerIds.length === 0;
  if (order === null || isAllBooked) return NO_REQUESTS;
  const first = Math.max(0, ...kept.map((part) => part.n)) + 1;
  const asked = labelForm === null ? order : { ...order, labelForm };
  return requestsFor(asked, { containerIds, reference: decided.reference, first });
}

async function warningsFor(
  context: BookingContext,
  about: { readonly area: string; readonly found: Requests; readonly decided: Decided },
): Promise<readonly MessageDraft[]> {
  const { warnings, textChanges } = about.found;
  const { choice, area, shipment, messages } = about.decided;
  const account = accountOf(context, choice.account);
  const anyway = bookedAnyway(area, { warnings, textChanges, account, shipmentNumber: shipment.shipmentNumber });
  const whose = { area: about.area, shipmentId: shipment.id };
  return [...messages, ...(await notSentBefore(context, whose, anyway))];
}
