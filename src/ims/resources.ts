import { type JsonObject, isJsonObject } from '../../carriers/contract/json.js';
import { arrayField, booleanField, numberField, objectField, textField, timeField, fieldValue } from './json-fields.js';

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
  const containers = arrayField(fields, 'shippingContainers').map(readContainer);
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
    documentType: textField(fields, 'documentType'),
    documentNumber: textField(fields, 'documentNumber'),
    workStatus: textField(fields, 'workStatus'),
    cancelled: booleanField(fields, 'cancelled'),
    timeCreated: timeField(fields, 'timeCreated'),
    documentCreatedEventId: textField(fields, 'documentCreatedEventId'),
  };
}

export const readCarrier: Reader<ImsCarrier> = (value) => {
  const own = withId(value);
  return (
    own && {
      id: own.id,
      carrierName: textField(own.fields, 'carrierName'),
      dataDocument: documentAt(own.fields, 'dataDocument'),
    }
  );
};

export const readSeller: Reader<ImsSeller> = (value) => {
  const own = withId(value);
  return (
    own && {
      id: own.id,
      sellerNumber: textField(own.fields, 'sellerNumber'),
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
      contextName: textField(own.fields, 'contextName'),
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
  const id = isJsonObject(value) ? textField(value, 'id') : null;
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
    contextId: textField(fields, 'contextId'),
    shipmentNumber: textField(fields, 'shipmentNumber') ?? id,
    carrierName: textField(fields, 'carrierName'),
    sellerId: textField(fields, 'sellerId'),
    deliverToPickUpPoint: booleanField(fields, 'deliverToPickUpPoint'),
    pickUpPointId: textField(fields, 'pickUpPointId'),
    privateDelivery: booleanField(fields, 'privateDelivery'),
    unattendedDelivery: booleanField(fields, 'unattendedDelivery'),
    notesOnDelivery: textField(fields, 'notesOnDelivery'),
    termsOfDelivery: textField(fields, 'termsOfDelivery'),
    deliveryDate: textField(fields, 'deliveryDate'),
    incoterms: textField(fields, 'incoterms'),
    vatNumber: textField(fields, 'vatNumber'),
    customersReference: textField(fields, 'customersReference'),
    sellersReference: textField(fields, 'sellersReference'),
    ourReference: textField(fields, 'ourReference'),
    transportBookingId: textField(fields, 'transportBookingId'),
    deliveryNoteId: textField(fields, 'deliveryNoteId'),
    consignmentNoteId: textField(fields, 'consignmentNoteId'),
    cancelled: booleanField(fields, 'cancelled'),
    carriersShipmentNumber: textField(fields, 'carriersShipmentNumber'),
    timeCreated: timeField(fields, 'timeCreated'),
    shipmentCreatedEventId: textField(fields, 'shipmentCreatedEventId'),
  };
}

function readContainer(value: unknown): ImsContainer | null {
  const own = withId(value);
  if (own === null) return null;
  const { id, fields } = own;
  const dimensions = objectField(fields, 'dimensions');
  return {
    id,
    trackingNumber: textField(fields, 'trackingNumber'),
    trackingUrl: textField(fields, 'trackingUrl'),
    containerTypeName: textField(fields, 'containerTypeName'),
    platformType: textField(fields, 'platformType'),
    weight: numberField(fields, 'weight'),
    grossWeight: numberField(fields, 'grossWeight'),
    netWeight: numberField(fields, 'netWeight'),
    tareWeight: numberField(fields, 'tareWeight'),
    dimensions: dimensions && {
      length: numberField(dimensions, 'length'),
      width: numberField(dimensions, 'width'),
      height: numberField(dimensions, 'height'),
    },
    outerVolume: numberField(fields, 'outerVolume'),
    volume: numberField(fields, 'volume'),
  };
}

/** The IMS describes the field as text; a JSON value becomes text, so that it does not count as missing. */
function documentAt(fields: JsonObject, key: string): string | null {
  const value = fieldValue(fields, key) ?? null;
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}

function addressAt(fields: JsonObject, key: string): ImsAddress | null {
  const address = objectField(fields, key);
  return (
    address && {
      addressee: textField(address, 'addressee'),
      careOf: textField(address, 'careOf'),
      streetNameAndNumber: textField(address, 'streetNameAndNumber'),
      floorBlockOrSuite: textField(address, 'floorBlockOrSuite'),
      districtOrCityArea: textField(address, 'districtOrCityArea'),
      cityTownOrVillage: textField(address, 'cityTownOrVillage'),
      stateOrProvince: textField(address, 'stateOrProvince'),
      postalCode: textField(address, 'postalCode'),
      countryCode: textField(address, 'countryCode'),
    }
  );
}

function contactAt(fields: JsonObject, key: string): ImsContactPerson | null {
  const contact = objectField(fields, key);
  return (
    contact && {
      name: textField(contact, 'name'),
      email: textField(contact, 'email'),
      phoneNumber: textField(contact, 'phoneNumber'),
      mobileNumber: textField(contact, 'mobileNumber'),
    }
  );
}
