import type { BookingRequest, Loss, Party } from '../contract/index.js';
import type { Fit } from '../toolkit/fit.js';
import { lossesIn, withoutField } from '../toolkit/fit.js';
import { said } from '../toolkit/text.js';
import { toShipper } from './booking.js';
import { addressTexts, depositText, parcelTexts, senderTexts } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf } from './services.js';

/** What GLS gets shortened, in other letters or not at all. */
export function lossesAtGls(request: BookingRequest, settings: ServiceSettings): readonly Loss[] {
  // Notes on delivery say where to leave a deposit; other services have no field for them.
  const notes = servicesOf(request, settings).has('deposit')
    ? { Deposit: depositText(request) }
    : { notesOnDelivery: withoutField(request.notesOnDelivery, 'meaning-lost') };
  return [
    ...lossesIn('sender', toShipper(request.sender) ? senderTexts(request.sender) : halfSender(request.sender)),
    ...lossesIn('recipient', addressTexts(request.recipient)),
    ...lossesIn('shipment', notes),
    ...request.parcels.flatMap((parcel) => lossesIn(`parcel ${parcel.id}`, parcelTexts(parcel))),
  ];
}

/** Half a sender is not sent. */
function halfSender({
  address: { name, street, postalCode, city, countryCode },
}: Party): Readonly<Record<string, Fit>> {
  const isNamed = said(name, street, city).length > 0;
  const whole = isNamed ? said(name, street, postalCode, city, countryCode).join(', ') : null;
  return { AlternativeShipper: withoutField(whole, 'meaning-lost') };
}
