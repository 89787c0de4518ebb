/** The pretended carrier's own shapes; this folder's README documents them. */

export interface PretendParty {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
  readonly email?: string;
  readonly phone?: string;
}

export interface PretendParcel {
  readonly id: string;
  readonly weightKg: number;
}

export interface PretendBookingRequest {
  readonly reference: string;
  readonly service: string;
  readonly shipDate: string;
  readonly sender: PretendParty;
  readonly recipient: PretendParty;
  readonly pickUpPoint?: string;
  readonly message?: string;
  readonly parcels: readonly PretendParcel[];
}

export interface PretendBooking {
  readonly number: string;
  readonly reference: string;
  readonly parcels: readonly { readonly id: string; readonly number: string; readonly url: string }[];
}

export interface PretendError {
  readonly code: string;
  readonly text: string;
  readonly parcel?: string;
}

export const MAX_WEIGHT_KG = 30;
export const MAX_PARCELS = 99;
export const MAX_REFERENCE_LENGTH = 40;
