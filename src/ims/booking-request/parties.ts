import type { SenderChoice } from '../../../carriers/contract/adapter.js';
import type { Address, Contact, Party } from '../../../carriers/contract/model.js';
import type { ImsAddress, ImsContactPerson, ImsContext, ImsSeller, ImsShipment } from '../resources.js';

interface Sources {
  readonly shipment: ImsShipment;
  readonly seller: ImsSeller | null;
  readonly context: ImsContext | null;
  /** Whose address it is; missing: the seller's. */
  readonly sender?: SenderChoice;
}

const NO_ADDRESS: Address = {
  name: null,
  careOf: null,
  street: null,
  floorBlockOrSuite: null,
  district: null,
  city: null,
  stateOrProvince: null,
  postalCode: null,
  countryCode: null,
};

const NO_CONTACT: Contact = { name: null, email: null, phone: null, mobile: null };

/** The sender and the recipient. */
export function partiesOf(sources: Sources): { readonly sender: Party; readonly recipient: Party } {
  return { sender: senderOf(sources), recipient: recipientOf(sources.shipment) };
}

/** A shipment asks for a pick-up point by its flag, or by the point's id where it has no flag. */
export function goesToPickUpPoint(shipment: ImsShipment): boolean {
  return shipment.deliverToPickUpPoint ?? shipment.pickUpPointId !== null;
}

/**
 * Finds the recipient. For a shipment to a pick-up point, `deliveryAddress` may be the shop's, but the carrier needs
 * the person who fetches the parcel. So the recipient gets the customer's own address, if it is complete and in the
 * same country: see docs/decisions/0020.
 */
function recipientOf(shipment: ImsShipment): Party {
  const { deliveryAddress, customerAddress, contactPerson } = shipment;
  const delivery = toParty(deliveryAddress, contactPerson);
  const customer = toParty(customerAddress, contactPerson);
  const { name, street, postalCode, city, countryCode } = customer.address;
  const whole = [name, street, postalCode, city, countryCode].every((part) => part !== null);
  const near = countryCode === delivery.address.countryCode;
  return goesToPickUpPoint(shipment) && whole && near ? customer : delivery;
}

/**
 * The sender is the seller, and without a seller's address the area; an account may choose the other order. A seller's
 * address is combined with the seller's contact, never with the warehouse's, which could not answer for the seller.
 * Without either, the carrier uses the account's own address, or the adapter reports the missing sender.
 */
function senderOf({ shipment, seller, context, sender = 'seller' }: Sources): Party {
  const sellersContact = shipment.sellerContactPerson ?? seller?.contactPerson;
  const sellers = [toParty(shipment.sellerAddress, sellersContact), toParty(seller?.address, sellersContact)];
  const area = toParty(context?.address, context?.contactPerson);
  const candidates = sender === 'area' ? [area, ...sellers] : [...sellers, area];
  return candidates.find(({ address }) => !isEmpty(address)) ?? toParty(null, null);
}

export function toParty(address: ImsAddress | null | undefined, contact: ImsContactPerson | null | undefined): Party {
  return { address: toAddress(address), contact: toContact(contact) };
}

/** The contract's form of an address; without an address every part is `null`. */
export function toAddress(address: ImsAddress | null | undefined): Address {
  if (!address) return NO_ADDRESS;
  return {
    name: address.addressee,
    careOf: address.careOf,
    street: address.streetNameAndNumber,
    floorBlockOrSuite: address.floorBlockOrSuite,
    district: address.districtOrCityArea,
    city: address.cityTownOrVillage,
    stateOrProvince: address.stateOrProvince,
    postalCode: address.postalCode,
    countryCode: toCountryCode(address.countryCode),
  };
}

/** An address with only a country counts as empty. */
export function isEmpty(address: Address): boolean {
  return Object.values({ ...address, countryCode: null }).every((part) => part === null);
}

/** The IMS writes `UNDEFINED` where no country was chosen. */
function toCountryCode(code: string | null): string | null {
  const upper = code?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(upper) ? upper : null;
}

function toContact(contact: ImsContactPerson | null | undefined): Contact {
  if (!contact) return NO_CONTACT;
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phoneNumber,
    mobile: contact.mobileNumber,
  };
}
