/** Bring's own shapes: Booking API, version 1 of the schema. What is `undefined` is not sent. */

export const MAX_PACKAGES = 50;
/** Of the message of unattended delivery: an assumption, see this folder's README. */
export const MAX_MESSAGE_LENGTH = 400;
export const MAX_TEXT_LENGTH = 35;
export const MAX_EMAIL_LENGTH = 60;
export const MAX_ADDRESS_INFO_LENGTH = 70;

export interface BringBookingRequest {
  readonly schemaVersion: 1;
  readonly testIndicator: boolean;
  readonly clientUrl: string | undefined;
  /** Exactly one. */
  readonly consignments: readonly [BringConsignment];
}

export interface BringConsignment {
  readonly correlationId: string;
  /** `YYYY-MM-DDThh:mm:ss`, local time. */
  readonly shippingDateTime: string;
  readonly parties: {
    readonly sender: BringParty;
    readonly recipient: BringParty;
    readonly pickupPoint: { readonly id: string; readonly countryCode: string } | undefined;
  };
  readonly product: BringProduct;
  readonly packages: readonly BringPackage[];
}

/** Texts are at most 35 characters long, e-mail addresses 60. */
export interface BringParty {
  readonly name: string;
  readonly addressLine: string;
  readonly addressLine2: string | undefined;
  readonly postalCode: string;
  readonly city: string;
  readonly countryCode: string;
  /** The sender's can be searched for in tracking. */
  readonly reference: string | undefined;
  /** For the driver; printed for a few services only. */
  readonly additionalAddressInfo?: string | undefined;
  readonly contact: {
    readonly name: string | undefined;
    readonly email: string | undefined;
    readonly phoneNumber: string | undefined;
  };
}

export interface BringProduct {
  readonly id: string;
  readonly customerNumber: string;
  readonly additionalServices: readonly AdditionalService[];
  readonly incotermRule: string | undefined;
  /** Other members that a rule names. */
  readonly [member: string]: unknown;
}

/** Further properties depend on the service. */
export interface AdditionalService {
  readonly id: string;
  readonly [property: string]: unknown;
}

export interface BringPackage {
  /** Ours; comes back with the package's number. */
  readonly correlationId: string;
  readonly weightInKg: number;
  readonly dimensions:
    { readonly lengthInCm: number; readonly widthInCm: number; readonly heightInCm: number } | undefined;
  readonly volumeInDm3: number | undefined;
  readonly goodsDescription: string | undefined;
}

/** Shipping Guide API, version 2: prices and working days of products. */
export interface ShippingGuideRequest {
  readonly language: 'en';
  readonly withPrice: true;
  readonly withExpectedDelivery: true;
  readonly withGuiInformation: false;
  readonly edi: true;
  readonly consignments: readonly [
    {
      readonly id: string;
      readonly fromCountryCode: string;
      readonly fromPostalCode: string;
      readonly toCountryCode: string;
      readonly toPostalCode: string;
      readonly shippingDate: { readonly year: string; readonly month: string; readonly day: string };
      readonly packages: readonly ShippingGuidePackage[];
      readonly products: readonly [{ readonly id: string; readonly customerNumber: string }];
    },
  ];
}

export interface ShippingGuidePackage {
  readonly id: string;
  /** Centimetres, as the other two sides. */
  readonly length: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Grams. */
  readonly grossWeight: number;
}
