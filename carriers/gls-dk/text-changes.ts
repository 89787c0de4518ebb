import type { BookingRequest, TextChange, Party } from '../contract/index.js';
import type { Fit } from '../toolkit/fit.js';
import { textChangesIn, withoutField } from '../toolkit/fit.js';
import { said } from '../toolkit/text.js';
import { toShipper } from './booking.js';
import { addressTexts, depositText, parcelTexts, senderTexts } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf } from './services.js';

/** What GLS gets shortened, in other letters or not at all. */
export function textChangesAtGls(request: BookingRequest, settings: ServiceSettings): readonly TextChange[] {
  // Notes on delivery say where to leave a deposit; other services have no field for them.
  const notes = servicesOf(request, settings).has('deposit')
    ? { Deposit: depositText(request) }
    : { notesOnDelivery: withoutField(request.notesOnDelivery, 'meaning-lost') };
  return [
    ...textChangesIn('sender', toShipper(request.sender) ? senderTexts(request.sender) : halfSender(request.sender)),
    ...textChangesIn('recipient', addressTexts(request.recipient)),
    ...textChangesIn('shipment', notes),
    ...request.parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, parcelTexts(parcel))),
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
