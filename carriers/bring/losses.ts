import type { BookingRequest, Loss } from '../contract/index.js';
import type { Fit } from '../toolkit/fit.js';
import { lossesIn, withoutField } from '../toolkit/fit.js';
import { messageField, packageFields, partyFields } from './fields.js';
import { UNATTENDED, additionalServices } from './product.js';

/** Notes on delivery are sent as the message of unattended delivery and nowhere else, unless the rule names another one. */
function notesField(request: BookingRequest): Readonly<Record<string, Fit>> {
  const message = messageField(request.notesOnDelivery);
  const isSent = additionalServices(request).some(
    ({ id, message: sent }) => id === UNATTENDED && sent === message.sent,
  );
  return { notesOnDelivery: isSent ? message : withoutField(request.notesOnDelivery, 'meaning-lost') };
}

/** What Bring gets shortened, in other letters or not at all. */
export function lossesAtBring(request: BookingRequest): readonly Loss[] {
  return [
    ...lossesIn('sender', partyFields(request.sender, request.reference)),
    ...lossesIn('recipient', partyFields(request.recipient, request.customersReference)),
    ...lossesIn('shipment', notesField(request)),
    ...request.parcels.flatMap((parcel) => lossesIn(`parcel ${parcel.id}`, packageFields(parcel))),
  ];
}
