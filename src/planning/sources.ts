import type { SenderChoice } from '../../carriers/contract/adapter.js';
import type { Party } from '../../carriers/contract/model.js';
import type { ImsArea } from '../ims/calls/ims-area.js';
import { isRefusal } from '../ims/errors.js';
import type { JsonObject } from '../../carriers/contract/json.js';
import { isEmpty, toAddress, toParty } from '../ims/booking-request/parties.js';
import type { ImsCarrier, ImsContext, ImsSeller, ImsShipment } from '../ims/resources.js';
import type { SettingsDocuments } from '../config/settings-in-ims.js';
import { settingsDocuments } from './settled-account.js';

/**
 * Data beside the shipment, read only when needed. Each is `null`, or empty, where the IMS has none or does not let us
 * read it, and throws ImsUnavailable, ImsCredentials or ImsProblem when it cannot be read now.
 */
export interface Sources {
  seller(): Promise<ImsSeller | null>;
  carriers(): Promise<readonly ImsCarrier[]>;
  /** The addresses for the sender; without a choice, the seller's first. */
  senders(sender?: SenderChoice): Promise<Senders>;
  context(): Promise<ImsContext | null>;
  packedItems(): Promise<readonly JsonObject[] | null>;
  /** The documents with the settings of an account; `null`: not available here. @param carrierName in the IMS */
  settings(carrierName: string): Promise<SettingsDocuments | null>;
}

export interface Senders {
  readonly seller: ImsSeller | null;
  readonly context: ImsContext | null;
}

/** Contexts, sellers and carriers come through the area's cache. */
export function sourcesOf(ims: ImsArea, shipment: ImsShipment): Sources {
  const { sellerId } = shipment;
  const seller = async () => (sellerId === null ? null : orNone(ims.loadSeller(sellerId), null));
  const context = () => orNone(ims.loadContext(ims.contextId), null);
  return {
    seller,
    context,
    carriers: () => orNone(ims.listCarriers(), []),
    packedItems: () => (ims.can('listPackedItems') ? orNone(ims.listPackedItems(shipment.id), null) : none()),
    senders: (sender = 'seller') =>
      sender === 'area' ? areaFirst(shipment, { seller, context }) : sendersFor(shipment, { seller, context }),
    settings: (carrierName) => settingsDocuments(ims, { sellerId, carrierName }),
  };
}

/**
 * The area's own address, to which parcels come back; `null`: the IMS has none, or does not let us read it.
 * @throws ImsUnavailable | ImsCredentials | ImsProblem
 */
export async function warehouseOf(ims: ImsArea): Promise<Party | null> {
  const context = await orNone(ims.loadContext(ims.contextId), null);
  const party = toParty(context?.address, context?.contactPerson);
  return isEmpty(party.address) ? null : party;
}

/** For a shipment from a file: nothing else is known. */
export const noSources: Sources = {
  seller: () => none(),
  context: () => none(),
  packedItems: () => none(),
  carriers: async () => [],
  settings: () => none(),
  senders: async () => ({ seller: null, context: null }),
};

async function none(): Promise<null> {
  return null;
}

/** Reads the other two only where the shipment's own seller is incomplete. */
async function sendersFor(shipment: ImsShipment, from: Pick<Sources, 'seller' | 'context'>): Promise<Senders> {
  const own = !isEmpty(toAddress(shipment.sellerAddress));
  if (own && shipment.sellerContactPerson !== null) return { seller: null, context: null };
  const seller = await from.seller();
  if (own || !isEmpty(toAddress(seller?.address))) return { seller, context: null };
  return { seller, context: await from.context() };
}

/** Reads the seller only where the area has no address. */
async function areaFirst(shipment: ImsShipment, from: Pick<Sources, 'seller' | 'context'>): Promise<Senders> {
  const context = await from.context();
  if (!isEmpty(toAddress(context?.address))) return { seller: null, context };
  return { ...(await sendersFor(shipment, from)), context };
}

/**
 * Treats data that we may not read as missing. An error, page or redirect is not "missing" and is thrown: a guessed
 * sender would be printed on a label.
 */
async function orNone<T, None>(reading: Promise<T>, otherwise: None): Promise<T | None> {
  try {
    return await reading;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return otherwise;
  }
}
