import type { Problem } from '../../../carriers/contract/model.js';
import { quoteProblems } from '../../messages/quote.js';
import type { ImsShipment } from '../../ims/wire.js';
import { type MessageDraft, say } from '../consignment.js';
import type { Account, Area } from '../world.js';
import type { Planner, ShipmentPlan } from './plan-shipment.js';
import { type Requests, requestsFor } from './requests.js';
import { lossesInWords, triedInWords } from './words.js';

/** More about one shipment helps nobody. */
const MOST_COMPLAINTS = 5;

type Speaking = Pick<Area, 'phrase'>;

/** What is said before packing, of what can be known then. */
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
  const key = unfitting(plan);
  if (key !== null) return [say('no-instruction-yet', { shipmentNumber, carrier, key })];
  const { unusable, refused, losses } = beforePacking(plan);
  const problems = [...unusable, ...refused].slice(0, MOST_COMPLAINTS);
  return [
    ...problems.map((problem) => say('preflight', { shipmentNumber, carrier, problems: quoteProblems([problem]) })),
    ...lossMessages(area, { losses, account: order.account, shipmentNumber }),
  ];
}

interface About {
  readonly plan: ShipmentPlan;
  readonly shipment: ImsShipment;
  /** What was made of the plan. */
  readonly found: Pick<Requests, 'unusable' | 'refused'>;
}

/** Why a booking is not even sent; empty when it is. */
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
  const key = unfitting(plan);
  if (key !== null) return [say('no-instruction', { shipmentNumber, carrier, key })];
  return [
    ...found.unusable.map((problem) => unusableProblem(shipment, problem)),
    ...found.refused
      .slice(0, MOST_COMPLAINTS)
      .map((problem) => say('preflight-refused', { shipmentNumber, carrier, problems: quoteProblems([problem]) })),
  ];
}

/** Our own complaints have texts of their own in every language. */
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

/** One message, of what a reader would miss. */
export function lossMessages(
  { phrase }: Speaking,
  about: Pick<Requests, 'losses'> & { readonly account: Account; readonly shipmentNumber: string },
): readonly MessageDraft[] {
  const { account, shipmentNumber } = about;
  const lost = about.losses.filter(({ meaningLost }) => meaningLost);
  if (lost.length === 0) return [];
  return [say('losses', { shipmentNumber, carrier: account.adapter.name, losses: lossesInWords(lost, phrase) })];
}

/** The key under which there are instructions of which none fits; `null`: nothing keeps it from being booked. */
function unfitting({ wishes }: ShipmentPlan): string | null {
  return wishes?.kind === 'nothing-fits' ? (wishes.instructions?.key ?? null) : null;
}

/** Where nothing is to be booked. */
export const NO_REQUESTS: Requests = { requests: [], unusable: [], refused: [], losses: [] };

/** Where nothing is packed, a parcel is made up, and what is said about parcels does not count. */
export function beforePacking({ order }: ShipmentPlan): Requests {
  if (order === null) return NO_REQUESTS;
  const { shipment } = order;
  const shippingContainers = shipment.shippingContainers.length > 0 ? shipment.shippingContainers : [ASSUMED_CONTAINER];
  const found = requestsFor(
    { ...order, shipment: { ...shipment, shippingContainers } },
    { containerIds: shippingContainers.map(({ id }) => id), reference: shipment.shipmentNumber, first: 1 },
  );
  const general = (problems: readonly Problem[]) => problems.filter(({ parcelId }) => parcelId === null);
  return { ...found, unusable: general(found.unusable), refused: general(found.refused) };
}

const ASSUMED_CONTAINER = {
  id: 'not-packed-yet',
  trackingNumber: null,
  trackingUrl: null,
  containerTypeName: null,
  weight: null,
  grossWeight: 1,
  netWeight: null,
  tareWeight: null,
  dimensions: null,
  outerVolume: null,
  volume: null,
};
