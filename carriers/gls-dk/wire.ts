/** The shapes and limits of `CreateShipment`, in GLS's spelling: see Sources in this folder's README. */

export interface GlsAddress {
  readonly Name1: string;
  readonly Name2?: string | undefined;
  readonly Name3?: string | undefined;
  readonly Street1: string;
  /** ISO 3166-1 numeric with its leading zeros, e.g. `040`. */
  readonly CountryNum: string;
  readonly ZipCode: string;
  readonly City: string;
  readonly Contact?: string | undefined;
  readonly Email?: string | undefined;
  readonly Phone?: string | undefined;
  readonly Mobile?: string | undefined;
}

export interface GlsParcel {
  /** Kilograms. */
  readonly Weight: number;
  readonly Reference?: string | undefined;
  readonly Comment?: string | undefined;
  /** Collected from the recipient, in the currency of the account. */
  readonly Cashservice?: number | undefined;
}

/** GLS ignores keys it does not know, so a misspelt one silently buys another service. */
export interface GlsServices {
  /** Number of the parcel shop. */
  readonly ShopDelivery?: string;
  readonly DirectShop?: 'Y';
  readonly PrivateDelivery?: 'Y';
  readonly FlexDelivery?: 'Y';
  /** Where to leave the parcel. */
  readonly Deposit?: string;
  /** Before ten o'clock. */
  readonly Express10?: 'Y';
  /** Before noon. */
  readonly Express12?: 'Y';
  readonly NotificationEmail?: string;
}

export interface GlsShipment {
  readonly UserName: string;
  readonly Password: string;
  readonly Customerid: string;
  readonly Contactid: string;
  /** `YYYYMMDD` */
  readonly ShipmentDate: string;
  readonly Reference: string;
  readonly Addresses: { readonly Delivery: GlsAddress; readonly AlternativeShipper?: GlsAddress | undefined };
  readonly Parcels: readonly GlsParcel[];
  readonly Services: GlsServices;
}

/** The longest text GLS takes in each field. */
export const LONGEST = {
  reference: 20,
  line: 40,
  postalCode: 10,
  email: 100,
  phone: 40,
  parcelReference: 50,
  comment: 40,
  shop: 10,
  deposit: 100,
} as const;

export const HEAVIEST_GRAMS = 50_000;

/** What we call GLS's products; `business` is the one without a service key. */
export const SERVICES = [
  'business',
  'private-delivery',
  'shop-delivery',
  'flex-delivery',
  'deposit',
  'direct-shop',
  'express-10',
  'express-12',
] as const;

export type GlsService = (typeof SERVICES)[number];

/** Numbers in one question to Track & Trace of GLS Group. */
export const TRACK_AT_ONCE = 10;
