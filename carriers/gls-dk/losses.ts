import type { BookingRequest, Loss } from '../contract/index.js';
import { lossesIn, withoutField } from '../toolkit/fit.js';
import { addressFields, depositField, parcelFields } from './fields.js';
import { toShipper } from './mapping.js';
import { serviceOf } from './service.js';

/** What GLS gets shortened, in other letters or not at all. */
export function lossesAtGls(request: BookingRequest): readonly Loss[] {
  return [
    ...(toShipper(request.sender) ? lossesIn('sender', addressFields(request.sender)) : []),
    ...lossesIn('recipient', addressFields(request.recipient)),
    ...lossesIn('shipment', notes(request)),
    ...request.parcels.flatMap((parcel) => lossesIn(`parcel ${parcel.id}`, parcelFields(parcel))),
  ];
}

/** Notes on delivery say where to leave a deposit; other services have no field for them. */
function notes(request: BookingRequest): Parameters<typeof lossesIn>[1] {
  return serviceOf(request) === 'deposit'
    ? { Deposit: depositField(request) }
    : { notesOnDelivery: withoutField(request.notesOnDelivery, 'meaning-lost') };
}
