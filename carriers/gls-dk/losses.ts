import type { BookingRequest, Loss, Party } from '../contract/index.js';
import type { Fit } from '../toolkit/fit.js';
import { lossesIn, withoutField } from '../toolkit/fit.js';
import { said } from '../toolkit/text.js';
import { toShipper } from './booking.js';
import { addressFields, depositField, parcelFields } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf } from './services.js';

/** What GLS gets shortened, in other letters or not at all. */
export function lossesAtGls(request: BookingRequest, settings: ServiceSettings): readonly Loss[] {
  // Notes on delivery say where to leave a deposit; other services have no field for them.
  const notes = servicesOf(request, settings).has('deposit')
    ? { Deposit: depositField(request) }
    : { notesOnDelivery: withoutField(request.notesOnDelivery, 'meaning-lost') };
  return [
    ...lossesIn('sender', senderFields(request.sender)),
    ...lossesIn('recipient', addressFields(request.recipient)),
    ...lossesIn('shipment', notes),
    ...request.parcels.flatMap((parcel) => lossesIn(`parcel ${parcel.id}`, parcelFields(parcel))),
  ];
}

/** Half a sender is not sent, nor is a contact that is too long. */
function senderFields(sender: Party): Readonly<Record<string, Fit>> {
  const shipper = toShipper(sender);
  const { address, contact } = sender;
  const { name, street, postalCode, city, countryCode } = address;
  const whole = said(name, street, postalCode, city, countryCode).join(', ');
  if (!shipper)
    return said(name, street, city).length > 0 ? { AlternativeShipper: withoutField(whole, 'meaning-lost') } : {};
  const unless = (sent: string | undefined, given: string | null) =>
    withoutField(sent === undefined ? given : null, 'meaning-lost');
  return {
    ...addressFields(sender),
    Email: unless(shipper.Email, contact.email),
    Phone: unless(shipper.Phone, contact.phone),
    Mobile: unless(shipper.Mobile, contact.mobile),
  };
}
