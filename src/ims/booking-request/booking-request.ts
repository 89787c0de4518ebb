import type { SenderChoice } from '../../../carriers/contract/adapter.js';
import type { BookingRequest, Parcel, Problem } from '../../../carriers/contract/model.js';
import { goodsOf } from './goods.js';
import type { JsonObject } from '../../../carriers/contract/json.js';
import { gramsFromKilograms, millilitresFromLitres, millimetresFromMetres } from './measures.js';
import { goesToPickUpPoint, isEmpty, partiesOf, toAddress } from './parties.js';
import type { ImsContainer, ImsDimensions, ImsContext, ImsSeller, ImsShipment } from '../resources.js';

/** The input of a booking request. */
export interface Bookable {
  readonly shipment: ImsShipment;
  /** The sender where the shipment names none; `null`: not known. */
  readonly context: ImsContext | null;
  readonly seller: ImsSeller | null;
  /** Whose address the sender has; missing: the seller's. */
  readonly sender?: SenderChoice;
  /** What the account's settings add; missing: nothing. */
  readonly ofAccount?: Pick<BookingRequest, 'returnTo' | 'customsNumbers'>;
  readonly reference: string;
  /** The carrier's own code; `null`: the adapter decides by what the shipment asks for. */
  readonly service: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** Today in the area, `YYYY-MM-DD`. */
  readonly shipDate: string;
  /** Only these containers; all of them when it is not given. */
  readonly containerIds?: readonly string[];
  /** The shipment's packed instances as the IMS answers them; `null`: not read. */
  readonly packedItems?: readonly JsonObject[] | null;
}

export type BookingRequestOutcome =
  | { readonly kind: 'request'; readonly request: BookingRequest }
  | { readonly kind: 'unusable'; readonly problems: readonly Problem[] };

/**
 * Translates a shipment into the words all carriers share; pure.
 * @returns `unusable`: what is missing for every carrier, in words for the warehouse worker
 */
export function toBookingRequest(input: Bookable): BookingRequestOutcome {
  const { shipment } = input;
  const numbered = shipment.shippingContainers.map((container, index) => ({ container, number: index + 1 }));
  const wanted = numbered.filter(({ container }) => input.containerIds?.includes(container.id) ?? true);
  const parcels = wanted.map(({ container, number }) => toParcel(container, `${shipment.shipmentNumber} #${number}`));
  const problems = [...shipmentProblems(input, parcels), ...parcels.flatMap(weightProblem)];
  if (problems.length > 0) return { kind: 'unusable', problems };
  const goods = goodsOf(shipment, input.packedItems ?? []);
  return {
    kind: 'request',
    request: {
      ...{
        ...shipmentFields(input),
        ...partiesOf(input),
        ...input.ofAccount,
        parcels: parcels.filter(hasWeight),
        goods,
      },
      parcelsInShipment: numbered.length,
    },
  };
}

const CUBIC_MM_PER_ML = 1_000;

type Weighed = Omit<Parcel, 'weightGrams'> & { readonly weightGrams: number | null };

function hasWeight(parcel: Weighed): parcel is Parcel {
  return parcel.weightGrams !== null;
}

function weightProblem({ id, weightGrams }: Weighed): readonly Problem[] {
  const text = `container ${id} has no weight: weigh it or give its weight`;
  return weightGrams === null ? [{ code: 'no-weight', text, parcelId: id }] : [];
}

function shipmentProblems({ shipment }: Bookable, parcels: readonly unknown[]): readonly Problem[] {
  const address = toAddress(shipment.deliveryAddress);
  const called = `shipment ${shipment.shipmentNumber}`;
  const found = [
    shipment.cancelled === true && { code: 'cancelled', text: `${called} is cancelled` },
    isEmpty(address) && { code: 'no-delivery-address', text: `${called} has no delivery address` },
    !isEmpty(address) &&
      address.countryCode === null && { code: 'no-country', text: `the delivery address of ${called} has no country` },
    parcels.length === 0 && {
      code: 'no-containers',
      text: `${called} has no shipping containers: pack it into at least one`,
    },
  ];
  return found.filter((problem) => problem !== false).map((problem) => ({ ...problem, parcelId: null }));
}

function shipmentFields({ shipment, ...given }: Bookable) {
  return {
    reference: given.reference,
    shipmentNumber: shipment.shipmentNumber,
    service: given.service,
    options: given.options,
    shipDate: given.shipDate,
    deliverToPickUpPoint: goesToPickUpPoint(shipment),
    pickUpPointId: shipment.pickUpPointId,
    privateDelivery: shipment.privateDelivery ?? (shipment.vatNumber === null ? null : false),
    unattendedDelivery: shipment.unattendedDelivery ?? false,
    notesOnDelivery: shipment.notesOnDelivery,
    customersReference: shipment.customersReference,
    sendersReference: shipment.sellersReference ?? shipment.ourReference,
    incoterms: shipment.incoterms,
  };
}

/** A platform of the type `CUSTOM`, and a parcel without one, is no pallet. */
const PALLETS: ReadonlyMap<string, NonNullable<Parcel['pallet']>> = new Map([
  ['EUR_PALLET', 'full'],
  ['HALF_EUR_PALLET', 'half'],
  ['QUARTER_EUR_PALLET', 'quarter'],
]);

function toParcel(container: ImsContainer, label: string): Weighed {
  const sizes = toSizes(container.dimensions ?? NO_DIMENSIONS);
  const pallet = PALLETS.get(container.platformType ?? '');
  return {
    id: container.id,
    label,
    weightGrams: weightGrams(container),
    ...sizes,
    volumeMl: volumeOf(sizes) ?? millilitresFromLitres(container.outerVolume ?? container.volume),
    description: container.containerTypeName,
    ...(pallet && { pallet }),
  };
}

type Sizes = Pick<Parcel, 'lengthMm' | 'widthMm' | 'heightMm'>;

const NO_DIMENSIONS: ImsDimensions = { length: null, width: null, height: null };

function toSizes({ length, width, height }: ImsDimensions): Sizes {
  return {
    lengthMm: millimetresFromMetres(length),
    widthMm: millimetresFromMetres(width),
    heightMm: millimetresFromMetres(height),
  };
}

function volumeOf({ lengthMm, widthMm, heightMm }: Sizes): number | null {
  if (lengthMm === null || widthMm === null || heightMm === null) return null;
  return Math.ceil((lengthMm * widthMm * heightMm) / CUBIC_MM_PER_ML);
}

/** `grossWeight` is computed by the IMS, or is `weight` where a person entered that. */
function weightGrams({ grossWeight, weight, netWeight, tareWeight }: ImsContainer): number | null {
  const sum = netWeight === null || tareWeight === null ? null : netWeight + tareWeight;
  return gramsFromKilograms(grossWeight) ?? gramsFromKilograms(weight) ?? gramsFromKilograms(sum);
}
