import type { HttpRequest } from '../../carriers/contract/http-port.js';
import type { TextChange, Problem } from '../../carriers/contract/model.js';
import type { ImsShipment } from '../ims/resources.js';
import type { Verdict } from '../routing/choose-carrier.js';
import { DERIVED_FIELDS, type Missing } from '../routing/facts/derived-fields.js';
import type { Facts } from '../routing/facts/facts.js';
import type { InstructionWarning, TriedInstruction } from '../routing/instructions.js';
import { loadCarrierSetting } from '../planning/assignment/assignment-rows.js';
import type { MessageDraft } from '../messages/message.js';
import { masking } from '../consignment/requests/mask-secrets.js';
import { redactRequest } from '../consignment/requests/redact-request.js';
import { NO_REQUESTS, beforePacking, bookedAnyway, warningsBeforePacking, whyNotBooked } from '../planning/problems.js';
import { type Planning, type ShipmentPlan, planShipment } from '../planning/plan-shipment.js';
import type { Planner } from '../planning/planner.js';
import { type Requests, requestsFor } from '../planning/requests.js';
import { noSources, sourcesOf } from '../planning/sources.js';
import type { CarrierAssignment } from '../planning/assignment/assigned-carrier.js';
import type { BookingContext } from '../consignment/context.js';
import { type Area, areaOf } from '../areas/area.js';
import type { PrintedBooking } from '../printing/choose-profile.js';
import { type ExplainedPrinting, explainedPrinting } from './explain-printing.js';

/** Everything that the choice depends on, and its result. */
export interface ShipmentExplanation {
  readonly shipmentId: string;
  readonly shipmentNumber: string;
  readonly area: string;
  readonly at: Date;
  /** The next moment of decision; before packing much is unknown. */
  readonly moment: 'before-packing' | 'booking';
  /** The shipment's carrier, and who has set it. */
  readonly carrier: {
    readonly name: string | null;
    readonly chosenBy: CarrierAssignment['kind'];
    /** The carrier that the IMS refused, and why; `null`: none. */
    readonly refused: { readonly carrierName: string; readonly because: string } | null;
  };
  /** The shipment's fields, without other applications' data. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly derived: readonly DerivedFact[];
  readonly rules: readonly Verdict[];
  readonly choice: ExplainedChoice;
  /** `null`: prices and times do not decide. No quote is asked for here. */
  readonly quotes: {
    readonly by: 'cheapest' | 'fastest';
    readonly accounts: readonly string[];
    readonly asked: false;
  } | null;
  readonly instructions: ExplainedInstructions | null;
  /** `null`: there are no printing profiles, or no carrier is chosen. */
  readonly printing: ExplainedPrinting | null;
  /** The requests that would be sent, with secrets masked; empty before packing, and where nothing would be sent. */
  readonly requests: readonly HttpRequest[];
  readonly problems: readonly Problem[];
  readonly textChanges: readonly TextChange[];
  /** The text changes under their first name. */
  readonly losses: readonly TextChange[];
  /** The messages that the worker would get, in the area's language. */
  readonly messages: readonly string[];
}

export interface DerivedFact {
  readonly name: string;
  readonly unit: string | null;
  /** `null`: there is none. */
  readonly value: unknown;
  readonly why: Missing | null;
}

export type ExplainedChoice =
  | {
      readonly kind: 'chosen';
      readonly account: string;
      readonly carrierName: string;
      readonly service: string | null;
      readonly options: Readonly<Record<string, unknown>>;
      readonly rule: string | null;
      readonly provisional: boolean;
      /** When we set it for good; `rules` are judged as at that time. `null`: chosen now. */
      readonly keptSince: Date | null;
      /** Earlier rules that cannot be judged yet. */
      readonly undecided: readonly string[];
    }
  | { readonly kind: 'unknown-carrier'; readonly carrierName: string }
  | { readonly kind: 'none' };

export interface ExplainedInstructions {
  readonly key: string;
  readonly chosenFrom: 'seller' | 'carrier' | null;
  readonly tried: readonly TriedInstruction[];
  readonly warnings: readonly InstructionWarning[];
}

/** Whose booking is explained; what is missing is not known. */
export interface ExplainedEvent {
  readonly deviceName?: string | null;
  readonly userId?: string | null;
}

type ExplainContext = Planner & Pick<BookingContext, 'mask' | 'profiles'>;

/** What explaining needs of an area. */
type Speaking = Pick<Area, 'contextId' | 'timeZone' | 'checksDangerousGoods' | 'text' | 'language' | 'phrase'>;

/**
 * Explains a shipment in the IMS as it is now; only reads.
 * @throws ImsRefused there is no such shipment
 * @throws ImsUnavailable | ImsForbidden | ImsCredentials | ImsProblem
 */
export async function explainShipment(
  context: BookingContext,
  contextId: string,
  about: { readonly shipmentId: string; readonly event: ExplainedEvent },
): Promise<ShipmentExplanation> {
  const { shipmentId, event } = about;
  const area = areaOf(context, contextId);
  const shipment = await area.imsBackground.loadShipment(shipmentId);
  const setting = await loadCarrierSetting(context.database, { area: contextId, shipmentId: shipment.id });
  return explained(context, area, { shipment, event, setting, sources: sourcesOf(area.imsBackground, shipment) });
}

/** Explains a shipment from a file; reads nothing from the IMS. */
export function explainFromFile(
  planner: ExplainContext,
  area: Speaking,
  about: { readonly shipment: ImsShipment; readonly event: ExplainedEvent },
): Promise<ShipmentExplanation> {
  return explained(planner, area, { ...about, setting: null, sources: noSources });
}

async function explained(
  context: ExplainContext,
  area: Speaking,
  { event, ...about }: Pick<Planning, 'shipment' | 'setting' | 'sources'> & { readonly event: ExplainedEvent },
): Promise<ShipmentExplanation> {
  const { shipment } = about;
  const { timeZone, checksDangerousGoods } = area;
  const { carrierName } = shipment;
  // Adds fields that are always shown, since they cost nothing.
  const rules = { ...context.rules, asked: new Set([...context.rules.asked, 'isDomestic']) };
  const planner = { ...context, rules };
  const plan = await planShipment(planner, {
    ...{ ...about, id: shipment.id, carrierName, timeZone, checksDangerousGoods, quoting: 'never' },
  });
  const moment = shipment.shippingContainers.length === 0 ? 'before-packing' : 'booking';
  const printing = explainedPrinting(context, { area: area.contextId, plan, event: printedFor(event) });
  const found = moment === 'booking' ? forBooking(plan, printing) : beforePacking(plan);
  const { decision, quotes } = plan;
  const messages =
    moment === 'booking'
      ? messagesOfBooking(whyNotBooked(context, area, { plan, shipment, found }), textChangesIn(area, plan, found))
      : warningsBeforePacking(context, area, { plan, shipment });
  return {
    ...{ shipmentId: shipment.id, shipmentNumber: shipment.shipmentNumber, area: area.contextId },
    ...{ at: context.clock.now(), moment },
    carrier: { name: carrierName, chosenBy: decision.assignment.kind, refused: refusedIn(decision.assignment) },
    fields: withoutDataDocument(shipment),
    derived: derivedFacts(decision.facts),
    rules: decision.verdicts,
    choice: explainedChoice(context, plan),
    quotes: quotes && { by: quotes.by, accounts: quotes.accounts, asked: false },
    instructions: explainedInstructions(plan),
    printing,
    requests: moment === 'booking' ? await dryRunOf(context, plan, found) : [],
    problems: [...found.unusable, ...found.refused, ...found.warnings],
    ...{ textChanges: found.textChanges, losses: found.textChanges },
    messages: messages.map((message) => area.text(message)),
  };
}

/** A refused booking has its refusals alone: the other messages are about a booking that is made. */
function messagesOfBooking(refusals: readonly MessageDraft[], others: readonly MessageDraft[]) {
  return refusals.length > 0 ? refusals : others;
}

function refusedIn(assignment: CarrierAssignment): ShipmentExplanation['carrier']['refused'] {
  const setting = assignment.kind === 'open' || assignment.kind === 'ours' ? assignment.setting : null;
  if (setting === null || setting.refused === null) return null;
  return { carrierName: setting.carrierName, because: setting.refused };
}

function textChangesIn(
  area: Speaking,
  { order }: ShipmentPlan,
  { warnings, textChanges }: Requests,
): readonly MessageDraft[] {
  if (order === null) return [];
  return bookedAnyway(area, {
    warnings,
    textChanges,
    account: order.account,
    shipmentNumber: order.shipment.shipmentNumber,
  });
}

/** Without device and user the event is not known. With one of them it is, and the other counts as missing in it. */
function printedFor({ deviceName, userId }: ExplainedEvent): PrintedBooking['event'] {
  if ((deviceName ?? null) === null && (userId ?? null) === null) return 'not-known';
  return { deviceName: deviceName ?? null, userId: userId ?? null };
}

function forBooking({ order }: ShipmentPlan, printing: ExplainedPrinting | null): Requests {
  if (order === null) return NO_REQUESTS;
  const { shipment } = order;
  const containerIds = shipment.shippingContainers.map((container) => container.id);
  const labelForm = printing?.labelForm;
  return requestsFor(
    { ...order, ...(labelForm && { labelForm }) },
    { containerIds, reference: shipment.shipmentNumber, first: 1 },
  );
}

/** Removes the data document, in which other applications keep settings and secrets. */
function withoutDataDocument({ fields }: ImsShipment): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'dataDocument'));
}

function derivedFacts({ values, notKnown, none }: Facts): readonly DerivedFact[] {
  return Object.entries(DERIVED_FIELDS).map(([name, { unit }]) => ({
    name,
    unit,
    value: values[name] ?? null,
    why: notKnown.get(name) ?? none.get(name) ?? null,
  }));
}

function explainedChoice(
  { accounts }: Planner,
  { choice, decision, provisional, selection }: ShipmentPlan,
): ExplainedChoice {
  if (choice.kind !== 'chosen')
    return choice.kind === 'none' ? { kind: 'none' } : { kind: choice.kind, carrierName: choice.carrierName };
  const { account, rule, undecided } = choice;
  return {
    ...{ kind: 'chosen', account, rule, provisional, undecided, keptSince: keptSince(decision) },
    carrierName: accounts.get(account)?.imsCarrierName ?? account,
    service: selection?.service ?? choice.service,
    options: selection?.options ?? choice.options,
  };
}

function keptSince({ kept }: ShipmentPlan['decision']): Date | null {
  return kept && kept.setAt;
}

function explainedInstructions({ selection }: ShipmentPlan): ExplainedInstructions | null {
  const report = selection?.instructions ?? null;
  return report && { key: report.key, chosenFrom: report.from, tried: report.tried, warnings: report.warnings };
}

/** No request for a shipment that would certainly be refused. */
async function dryRunOf(
  { mask }: Pick<BookingContext, 'mask'>,
  { order, selection, settled }: ShipmentPlan,
  { requests, unusable, refused }: Requests,
): Promise<readonly HttpRequest[]> {
  const unbookable = selection?.kind === 'nothing-fits' || settled?.kind === 'unusable';
  const isRefused = unusable.length + refused.length > 0 || unbookable;
  if (order === null || isRefused) return [];
  const sent: HttpRequest[] = [];
  for (const { request } of requests) sent.push(...(await order.account.dryRun(request)));
  const known = masking(mask, order.account.adapter.requestFields?.secret ?? []);
  return sent.map((request) => redactRequest(request, known));
}
