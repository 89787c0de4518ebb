import type { JsonObject } from './json-fields.js';
import { arrayAt, booleanAt, isJsonObject, numberAt, objectAt, textAt, timeAt, valueAt } from './json-fields.js';

/**
 * The parts of the IMS's answers that we use, under its own names. Ids are text, also where they came as numbers.
 * `null`: absent, null, or not readable. Unknown fields are ignored.
 */

export interface ImsAddress {
  readonly addressee: string | null;
  readonly careOf: string | null;
  readonly streetNameAndNumber: string | null;
  readonly floorBlockOrSuite: string | null;
  readonly districtOrCityArea: string | null;
  readonly cityTownOrVillage: string | null;
  readonly stateOrProvince: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2, or the literal `UNDEFINED`. */
  readonly countryCode: string | null;
}

export interface ImsContactPerson {
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly mobileNumber: string | null;
}

/** Metres. */
export interface ImsDimensions {
  readonly length: number | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** Weights in kilograms, volumes in litres. */
export interface ImsContainer {
  readonly id: string;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly containerTypeName: string | null;
  readonly platformType?: string | null;
  /** A person entered it; it replaces the sum of net weight and tare. */
  readonly weight: number | null;
  readonly grossWeight: number | null;
  readonly netWeight: number | null;
  readonly tareWeight: number | null;
  readonly dimensions: ImsDimensions | null;
  readonly outerVolume: number | null;
  readonly volume: number | null;
}

export interface ImsShipment {
  readonly id: string;
  readonly contextId: string | null;
  readonly shipmentNumber: string;
  readonly carrierName: string | null;
  readonly sellerId: string | null;
  readonly deliveryAddress: ImsAddress | null;
  readonly contactPerson: ImsContactPerson | null;
  readonly sellerAddress: ImsAddress | null;
  readonly sellerContactPerson: ImsContactPerson | null;
  readonly customerAddress: ImsAddress | null;
  readonly deliverToPickUpPoint: boolean | null;
  readonly pickUpPointId: string | null;
  readonly privateDelivery: boolean | null;
  readonly unattendedDelivery: boolean | null;
  readonly notesOnDelivery: string | null;
  readonly termsOfDelivery: string | null;
  /** `YYYY-MM-DD`: a day in the area, never shifted by a time zone. */
  readonly deliveryDate: string | null;
  readonly incoterms: string | null;
  readonly vatNumber: string | null;
  readonly customersReference: string | null;
  readonly sellersReference: string | null;
  readonly ourReference: string | null;
  readonly transportBookingId: string | null;
  readonly deliveryNoteId: string | null;
  readonly consignmentNoteId: string | null;
  readonly cancelled: boolean | null;
  readonly carriersShipmentNumber: string | null;
  readonly timeCreated: Date | null;
  /** The event that messages about this shipment are posted to before there is a document. */
  readonly shipmentCreatedEventId: string | null;
  readonly shippingContainers: readonly ImsContainer[];
  /** The unchanged shipment, for rules about fields that we do not model. */
  readonly fields: JsonObject;
}

export interface ImsDocument {
  readonly id: string;
  readonly documentType: string | null;
  readonly documentNumber: string | null;
  /** `PENDING`, `ON_GOING`, `DONE`, `FAILED`, `CANCELLED`, or one that is new. */
  readonly workStatus: string | null;
  readonly cancelled: boolean | null;
  readonly timeCreated: Date | null;
  /** The event that messages about this document are posted to. */
  readonly documentCreatedEventId: string | null;
}

export interface ImsCarrier {
  readonly id: string;
  readonly carrierName: string | null;
  /** Text holding a JSON object, keyed by application name. */
  readonly dataDocument: string | null;
}

export interface ImsSeller {
  readonly id: string;
  readonly sellerNumber: string | null;
  readonly address: ImsAddress | null;
  readonly contactPerson: ImsContactPerson | null;
  /** Text holding a JSON object, keyed by application name. */
  readonly dataDocument: string | null;
}

export interface ImsContext {
  readonly id: string;
  readonly contextName: string | null;
  readonly address: ImsAddress | null;
  readonly contactPerson: ImsContactPerson | null;
}

/** Each reader returns `null` for a value without the id of such a resource. */
export type Reader<T> = (value: unknown) => T | null;

/** A shipment with a container that has no id cannot be read: its numbers could not be written back. */
export const readShipment: Reader<ImsShipment> = (value) => {
  const own = withId(value);
  if (own === null) return null;
  const shippingContainers = containersIn(own.fields);
  if (shippingContainers === null) return null;
  return { ...own, ...shipmentParties(own.fields), ...shipmentFacts(own.fields, own.id), shippingContainers };
};

function containersIn(fields: JsonObject): readonly ImsContainer[] | null {
  const containers = arrayAt(fields, 'shippingContainers').map(readContainer);
  return containers.every((container) => container !== null) ? containers : null;
}

export const readDocument: Reader<ImsDocument> = (value) => {
  const own = withId(value);
  return own && documentOf(own);
};

/** The changed document; the interface promises none of its fields. */
export function documentAfter(id: string, value: unknown): ImsDocument {
  return documentOf(withId(value) ?? { id, fields: isJsonObject(value) ? value : {} });
}

function documentOf({ id, fields }: Own): ImsDocument {
  return {
    id,
    documentType: textAt(fields, 'documentType'),
    documentNumber: textAt(fields, 'documentNumber'),
    workStatus: textAt(fields, 'workStatus'),
    cancelled: booleanAt(fields, 'cancelled'),
    timeCreated: timeAt(fields, 'timeCreated'),
    documentCreatedEventId: textAt(fields, 'documentCreatedEventId'),
  };
}

export const readCarrier: Reader<ImsCarrier> = (value) => {
  const own = withId(value);
  return (
    own && {
      id: own.id,
      carrierName: textAt(own.fields, 'carrierName'),
      dataDocument: documentAt(own.fields, 'dataDocument'),
    }
  );
};

export const readSeller: Reader<ImsSeller> = (value) => {
  const own = withId(value);
  return (
    own && {
      id: own.id,
      sellerNumber: textAt(own.fields, 'sellerNumber'),
      address: addressAt(own.fields, 'address'),
      contactPerson: contactAt(own.fields, 'contactPerson'),
      dataDocument: documentAt(own.fields, 'dataDocument'),
    }
  );
};

export const readContext: Reader<ImsContext> = (value) => {
  const own = withId(value);
  return (
    own && {
      id: own.id,
      contextName: textAt(own.fields, 'contextName'),
      address: addressAt(own.fields, 'address'),
      contactPerson: contactAt(own.fields, 'contactPerson'),
    }
  );
};

interface Own {
  readonly id: string;
  readonly fields: JsonObject;
}

function withId(value: unknown): Own | null {
  const id = isJsonObject(value) ? textAt(value, 'id') : null;
  return isJsonObject(value) && id !== null ? { id, fields: value } : null;
}

function shipmentParties(fields: JsonObject) {
  return {
    deliveryAddress: addressAt(fields, 'deliveryAddress'),
    contactPerson: contactAt(fields, 'contactPerson'),
    sellerAddress: addressAt(fields, 'sellerAddress'),
    sellerContactPerson: contactAt(fields, 'sellerContactPerson'),
    customerAddress: addressAt(fields, 'customerAddress'),
  };
}

function shipmentFacts(fields: JsonObject, id: string) {
  return {
    contextId: textAt(fields, 'contextId'),
    shipmentNumber: textAt(fields, 'shipmentNumber') ?? id,
    carrierName: textAt(fields, 'carrierName'),
    sellerId: textAt(fields, 'sellerId'),
    deliverToPickUpPoint: booleanAt(fields, 'deliverToPickUpPoint'),
    pickUpPointId: textAt(fields, 'pickUpPointId'),
    privateDelivery: booleanAt(fields, 'privateDelivery'),
    unattendedDelivery: booleanAt(fields, 'unattendedDelivery'),
    notesOnDelivery: textAt(fields, 'notesOnDelivery'),
    termsOfDelivery: textAt(fields, 'termsOfDelivery'),
    deliveryDate: textAt(fields, 'deliveryDate'),
    incoterms: textAt(fields, 'incoterms'),
    vatNumber: textAt(fields, 'vatNumber'),
    customersReference: textAt(fields, 'customersReference'),
    sellersReference: textAt(fields, 'sellersReference'),
    ourReference: textAt(fields, 'ourReference'),
    transportBookingId: textAt(fields, 'transportBookingId'),
    deliveryNoteId: textAt(fields, 'deliveryNoteId'),
    consignmentNoteId: textAt(fields, 'consignmentNoteId'),
    cancelled: booleanAt(fields, 'cancelled'),
    carriersShipmentNumber: textAt(fields, 'carriersShipmentNumber'),
    timeCreated: timeAt(fields, 'timeCreated'),
    shipmentCreatedEventId: textAt(fields, 'shipmentCreatedEventId'),
  };
}

function readContainer(value: unknown): ImsContainer | null {
  const own = withId(value);
  if (own === null) return null;
  const { id, fields } = own;
  const dimensions = objectAt(fields, 'dimensions');
  return {
    id,
    trackingNumber: textAt(fields, 'trackingNumber'),
    trackingUrl: textAt(fields, 'trackingUrl'),
    containerTypeName: textAt(fields, 'containerTypeName'),
    platformType: textAt(fields, 'platformType'),
    weight: numberAt(fields, 'weight'),
    grossWeight: numberAt(fields, 'grossWeight'),
    netWeight: numberAt(fields, 'netWeight'),
    tareWeight: numberAt(fields, 'tareWeight'),
    dimensions: dimensions && {
      length: numberAt(dimensions, 'length'),
      width: numberAt(dimensions, 'width'),
      height: numberAt(dimensions, 'height'),
    },
    outerVolume: numberAt(fields, 'outerVolume'),
    volume: numberAt(fields, 'volume'),
  };
}

/** The IMS describes the field as text; a JSON value becomes text, so that it does not count as missing. */
function documentAt(fields: JsonObject, key: string): string | null {
  const value = valueAt(fields, key) ?? null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function addressAt(fields: JsonObject, key: string): ImsAddress | null {
  const address = objectAt(fields, key);
  return (
    address && {
      addressee: textAt(address, 'addressee'),
      careOf: textAt(address, 'careOf'),
      streetNameAndNumber: textAt(address, 'streetNameAndNumber'),
      floorBlockOrSuite: textAt(address, 'floorBlockOrSuite'),
      districtOrCityArea: textAt(address, 'districtOrCityArea'),
      cityTownOrVillage: textAt(address, 'cityTownOrVillage'),
      stateOrProvince: textAt(address, 'stateOrProvince'),
      postalCode: textAt(address, 'postalCode'),
      countryCode: textAt(address, 'countryCode'),
    }
  );
}

function contactAt(fields: JsonObject, key: string): ImsContactPerson | null {
  const contact = objectAt(fields, key);
  return (
    contact && {
      name: textAt(contact, 'name'),
      email: textAt(contact, 'email'),
      phoneNumber: textAt(contact, 'phoneNumber'),
      mobileNumber: textAt(contact, 'mobileNumber'),
    }
  );
}
