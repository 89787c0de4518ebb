import type { BookingRequest, TextChange, Party } from '../contract/index.js';
import { said, textChangesIn, withoutField } from '../toolkit/index.js';
import { toShipper } from './booking.js';
import { addressTexts, depositTexts, parcelTexts, senderTexts } from './fields.js';
import type { ServiceSettings } from './services.js';
import { servicesOf } from './services.js';

/** What GLS gets shortened, in other letters or not at all. Of all its services a deposit alone has a field for notes. */
export function textChangesAtGls(request: BookingRequest, settings: ServiceSettings): readonly TextChange[] {
  const { sender, recipient, notesOnDelivery, parcels } = request;
  const isDeposit = servicesOf(request, settings).has('deposit');
  const unsent = { notesOnDelivery: withoutField(notesOnDelivery, 'meaning-lost') };
  return [
    ...textChangesIn('sender', toShipper(sender) ? senderTexts(sender) : withoutShipper(sender)),
    ...textChangesIn('recipient', addressTexts(recipient)),
    ...textChangesIn('shipment', isDeposit ? depositTexts(notesOnDelivery) : unsent),
    ...parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, parcelTexts(parcel))),
  ];
}

/** Half a sender is not sent. */
function withoutShipper({ address: { name, street, postalCode, city, countryCode } }: Party) {
  const isNamed = said(name, street, city).length > 0;
  const whole = isNamed ? said(name, street, postalCode, city, countryCode).join(', ') : null;
  return { AlternativeShipper: withoutField(whole, 'meaning-lost') };
}
