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
  /** Between customs areas. */
  readonly customs?: readonly PretendGoods[];
}

/** A line of the customs declaration; each field is needed. */
export interface PretendGoods {
  readonly description: string;
  readonly quantity: number;
  /** Of a piece. */
  readonly value: string;
  readonly currency: string;
  readonly weightKg: number;
  readonly tariffNumber: string;
  readonly origin: string;
}

export interface PretendQuestion {
  readonly service: string;
  readonly from: string;
  readonly to: string;
  readonly weightsKg: readonly number[];
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

/** What a service can be: this folder's README, "Services". */
export const SERVICE = /^(standard|refused|nolabel|(down|lost|slow):\d+)$/;

export const MAX_WEIGHT_KG = 30;
export const MAX_PARCELS = 99;
export const MAX_REFERENCE_LENGTH = 40;
/** Numbers in one question about parcels. */
export const TRACK_AT_ONCE = 50;

/** The longest texts, in Latin-1. */
export const LONGEST = { name: 60, street: 100, city: 40, message: 200, description: 60 } as const;
