import type { CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { Problem } from '../../carriers/contract/model.js';
import { quoteProblems } from '../messages/quote.js';
import type { ImsShipment } from '../ims/resources.js';
import { type MessageDraft, say } from '../messages/message.js';
import type { Account } from '../accounts/account.js';
import type { Area } from '../areas/area.js';
import type { ShipmentPlan } from './plan-shipment.js';
import type { Planner } from './planner.js';
import { type Requests, requestsBeforePacking } from './requests.js';
import { problemInWords } from './problem-words.js';
import { textChangesInWords, triedInWords } from './decision-words.js';

/** The limit for one shipment. */
const MAX_ISSUES = 5;

type Speaking = Pick<Area, 'language' | 'phrase'>;

/** The messages before packing, about what can be known then. */
export function warningsBeforePacking(
  { rules }: Planner,
  area: Speaking,
  { plan, shipment }: Pick<About, 'plan' | 'shipment'>,
): readonly MessageDraft[] {
  const { shipmentNumber } = shipment;
  const { choice, order } = plan;
  if (choice.kind === 'none' && rules.rules.length > 0)
    return [say('no-rule-yet', { shipmentNumber, tried: triedInWords(choice.verdicts, area.phrase) })];
  if (order === null) return [];
  const carrier = order.account.adapter.name;
  const lacking = lackingSettings(plan, area);
  if (lacking !== null) return [say('no-settings-yet', { shipmentNumber, carrier, ...lacking })];
  const key = unfitting(plan);
  if (key !== null) return [say('no-instruction-yet', { shipmentNumber, carrier, key })];
  const { unusable, refused, warnings, textChanges } = beforePacking(plan);
  const problems = [...unusable, ...refused].slice(0, MAX_ISSUES);
  return [
    ...problems.map((problem) =>
      say('preflight', { shipmentNumber, carrier, problems: quoted(problem, area, order.account.adapter) }),
    ),
    ...bookedAnyway(area, { warnings, textChanges, account: order.account, shipmentNumber }),
  ];
}

interface About {
  readonly plan: ShipmentPlan;
  readonly shipment: ImsShipment;
  /** The requests of the plan. */
  readonly found: Pick<Requests, 'unusable' | 'refused'>;
}

/** The reasons not to send the booking; empty when it is sent. */
export function whyNotBooked(
  planner: Planner,
  area: Speaking,
  { plan, shipment, found }: About,
): readonly MessageDraft[] {
  const { shipmentNumber } = shipment;
  const { choice, order } = plan;
  if (choice.kind === 'none')
    return [say('no-rule', { shipmentNumber, tried: triedInWords(choice.verdicts, area.phrase) })];
  if (choice.kind === 'unknown-carrier') {
    const carriers = [...new Set([...planner.accounts.values()].map((account) => account.imsCarrierName))].join(', ');
    return [say('no-carrier', { shipmentNumber, carrierName: choice.carrierName, carriers })];
  }
  const carrier = order?.account.adapter.name ?? choice.account;
  const lacking = lackingSettings(plan, area);
  if (lacking !== null) return [say('no-settings', { shipmentNumber, carrier, ...lacking })];
  const key = unfitting(plan);
  if (key !== null) return [say('no-instruction', { shipmentNumber, carrier, key })];
  return [
    ...found.unusable.map((problem) => unusableProblem(shipment, problem)),
    ...found.refused
      .slice(0, MAX_ISSUES)
      .map((problem) =>
        say('preflight-refused', { shipmentNumber, carrier, problems: quoted(problem, area, order?.account.adapter) }),
      ),
  ];
}

function quoted(problem: Problem, { language, phrase }: Speaking, adapter: CarrierAdapter | undefined): string {
  return quoteProblems([{ text: problemInWords(problem, phrase, adapter?.texts?.[language]) }]);
}

/** The message for a problem that we found ourselves. */
function unusableProblem(shipment: ImsShipment, problem: Problem): MessageDraft {
  const { shipmentNumber } = shipment;
  switch (problem.code) {
    case 'no-delivery-address':
    case 'no-country':
    case 'no-containers':
      return say(problem.code, { shipmentNumber });
    case 'no-weight':
      return say('no-weight', { shipmentNumber, container: containerName(shipment, problem.parcelId) });
    default:
      return say('shipment-unusable', { shipmentNumber, problems: problem.text });
  }
}

function containerName(shipment: ImsShipment, id: string | null): string {
  const place = shipment.shippingContainers.findIndex((container) => container.id === id) + 1;
  return `#${place} (${id})`;
}

/** Messages that do not prevent the booking: warnings, and texts that the carrier gets changed. */
export function bookedAnyway(
  area: Speaking,
  about: Pick<Requests, 'warnings' | 'textChanges'> & { readonly account: Account; readonly shipmentNumber: string },
): readonly MessageDraft[] {
  const { shipmentNumber } = about;
  const { name: carrier, fields } = about.account.adapter;
  const missed = about.textChanges.filter(({ meaningLost }) => meaningLost);
  const left = missed.filter(({ sent }) => sent === '');
  const changed = missed.filter(({ sent }) => sent !== '');
  return [
    ...about.warnings
      .slice(0, MAX_ISSUES)
      .map((problem) =>
        say('preflight-doubt', { shipmentNumber, carrier, problems: quoted(problem, area, about.account.adapter) }),
      ),
    ...(changed.length > 0
      ? [say('losses', { shipmentNumber, carrier, losses: textChangesInWords(changed, fields, area.phrase) })]
      : []),
    ...(left.length > 0
      ? [say('losses-left-out', { shipmentNumber, carrier, losses: textChangesInWords(left, fields, area.phrase) })]
      : []),
  ];
}

/** The owner of incomplete settings in the IMS, with their names; `null`: the settings are complete. */
function lackingSettings(
  { settled }: ShipmentPlan,
  { phrase }: Speaking,
): { readonly of: string; readonly settings: string } | null {
  if (settled?.kind !== 'unusable') return null;
  const { of, troubles } = settled;
  const paths = troubles.slice(0, MAX_ISSUES).map(({ path }) => path);
  return { of: phrase(`settings-of-${of.kind}`, { name: of.name }), settings: paths.join(', ') };
}

/** The key of instructions of which none fits; `null`: instructions do not prevent the booking. */
function unfitting({ selection }: ShipmentPlan): string | null {
  return selection?.kind === 'nothing-fits' ? (selection.instructions?.key ?? null) : null;
}

/** The result when nothing is booked. */
export const NO_REQUESTS: Requests = { requests: [], unusable: [], refused: [], warnings: [], textChanges: [] };

/** The requests as far as they are known before packing. */
export function beforePacking({ order }: ShipmentPlan): Requests {
  return order === null ? NO_REQUESTS : requestsBeforePacking(order);
}
