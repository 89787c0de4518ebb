import type { SenderChoice } from '../../../carriers/contract/adapter.js';
import type { Address, Contact, Party } from '../../../carriers/contract/model.js';
import type { ImsAddress, ImsContactPerson, ImsContext, ImsSeller, ImsShipment } from '../resources.js';

interface Sources {
  readonly shipment: ImsShipment;
  readonly seller: ImsSeller | null;
  readonly context: ImsContext | null;
  /** Whose address it is; the seller's where nobody says. */
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
 * Of a shipment that goes to a pick-up point, `deliveryAddress` may be the shop's, and the carrier wants to know who
 * fetches the parcel. So the customer's own address is the recipient's, if it is whole and in the same country: see
 * docs/decisions/0020.
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
 * The seller sends, and where there is none the area itself; or the other way round, where the carrier's account says so. A seller's address goes with a seller's contact, never with
 * the warehouse's: that would answer for somebody else. Without any the carrier's account knows the sender, or its
 * adapter complains.
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

/** An address in the words all carriers share; every part `null` when there is none. */
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

/** An address with nothing but a country leads nowhere. */
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
