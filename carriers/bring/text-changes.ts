import type { BookingRequest, TextChange } from '../contract/index.js';
import type { Fit } from '../toolkit/index.js';
import { textChangesIn, withoutField } from '../toolkit/index.js';
import { bringTexts, notesIn, packageTexts } from './fields.js';
import type { NotificationSettings } from './services.js';
import { UNATTENDED, additionalServices, showsAddressInfo } from './services.js';

/**
 * Notes on delivery are sent as the message of unattended delivery, unless the rule names another one, and beside the
 * address where Bring prints that. The longer of the two counts.
 */
function notesOf(request: BookingRequest, settings: NotificationSettings): Fit {
  const notes = request.notesOnDelivery;
  const message = notesIn('message', notes);
  const unattended = additionalServices(request, settings).filter(({ id }) => id === UNATTENDED);
  if (unattended.some((service) => service.message === message.sent)) return message;
  return showsAddressInfo(request) ? notesIn('additionalAddressInfo', notes) : withoutField(notes, 'meaning-lost');
}

/** What Bring gets shortened, in other letters or not at all. */
export function textChangesAtBring(request: BookingRequest, settings: NotificationSettings): readonly TextChange[] {
  return [
    ...textChangesIn('sender', bringTexts(request.sender, request.reference)),
    ...textChangesIn('recipient', bringTexts(request.recipient, request.customersReference)),
    ...textChangesIn('shipment', { notesOnDelivery: notesOf(request, settings) }),
    ...request.parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, packageTexts(parcel))),
  ];
}
