import type { BookingRequest, TextChange } from '../contract/index.js';
import type { Fit } from '../toolkit/fit.js';
import { textChangesIn, withoutField } from '../toolkit/fit.js';
import { addressInfoText, messageText, packageTexts, bringTexts } from './fields.js';
import type { NotificationSettings } from './services.js';
import { UNATTENDED, additionalServices, showsAddressInfo } from './services.js';

/**
 * Notes on delivery are sent as the message of unattended delivery, unless the rule names another one, and beside the
 * address where Bring prints that. The longer of the two counts.
 */
function notesField(request: BookingRequest, settings: NotificationSettings): Readonly<Record<string, Fit>> {
  const message = messageText(request.notesOnDelivery);
  const isSent = additionalServices(request, settings).some(
    ({ id, message: sent }) => id === UNATTENDED && sent === message.sent,
  );
  if (isSent) return { notesOnDelivery: message };
  return {
    notesOnDelivery: showsAddressInfo(request)
      ? addressInfoText(request.notesOnDelivery)
      : withoutField(request.notesOnDelivery, 'meaning-lost'),
  };
}

/** What Bring gets shortened, in other letters or not at all. */
export function textChangesAtBring(request: BookingRequest, settings: NotificationSettings): readonly TextChange[] {
  return [
    ...textChangesIn('sender', bringTexts(request.sender, request.reference)),
    ...textChangesIn('recipient', bringTexts(request.recipient, request.customersReference)),
    ...textChangesIn('shipment', notesField(request, settings)),
    ...request.parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, packageTexts(parcel))),
  ];
}
