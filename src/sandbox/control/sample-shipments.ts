import type { JsonMembers } from '../store/json.js';

/**
 * A body as `POST /shipments` takes it, and bodies of its containers as `POST /shippingContainers` takes them. All data
 * is invented.
 */
export interface SampleShipment {
  readonly shipment: JsonMembers;
  readonly containers: readonly JsonMembers[];
}

/** `grossWeight` is in kilograms; length, width and height are in metres. */
function box(grossWeight: number, [length, width, height]: readonly [number, number, number]): JsonMembers {
  return { containerTypeName: 'Box', grossWeight, dimensions: { length, width, height } };
}

const oneParcel: SampleShipment = {
  shipment: {
    customerNumber: 'C-1001',
    deliveryAddress: {
      addressee: 'Signe Lund',
      streetNameAndNumber: 'Birkevej 12',
      floorBlockOrSuite: '2. tv',
      cityTownOrVillage: 'Odense C',
      postalCode: '5000',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Signe Lund', email: 'signe.lund@mail.example', mobileNumber: '+4522334455' },
    privateDelivery: true,
    sellersReference: 'WEB-40011',
    sellerNumber: 'FJORD',
    shipmentLines: [{ stockKeepingUnit: 'TENT-2P', numItemsOrdered: 1, salesPrice: 1299 }],
  },
  containers: [box(2.45, [0.4, 0.3, 0.2])],
};

const threeParcels: SampleShipment = {
  shipment: {
    customerNumber: 'C-1002',
    deliveryAddress: {
      addressee: 'Bakkegårdens Friskole',
      careOf: 'Kontoret',
      streetNameAndNumber: 'Skolevej 3',
      cityTownOrVillage: 'Silkeborg',
      postalCode: '8600',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Jens Friis', email: 'kontor@bakkegaarden.example', phoneNumber: '+4586112233' },
    privateDelivery: false,
    vatNumber: 'DK10101010',
    notesOnDelivery: 'Leveres i porten mod gården',
    shipmentLines: [{ stockKeepingUnit: 'SLEEPING-BAG', numItemsOrdered: 12, salesPrice: 449 }],
  },
  containers: [box(8.2, [0.6, 0.4, 0.4]), box(8.2, [0.6, 0.4, 0.4]), box(3.05, [0.4, 0.3, 0.3])],
};

const toPickUpPoint: SampleShipment = {
  shipment: {
    customerNumber: 'C-1003',
    deliveryAddress: {
      addressee: 'Omar Nielsen',
      streetNameAndNumber: 'Torvegade 41, 1. th',
      cityTownOrVillage: 'København K',
      postalCode: '1400',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Omar Nielsen', email: 'omar.n@mail.example', mobileNumber: '+4531415926' },
    privateDelivery: true,
    deliverToPickUpPoint: true,
    pickUpPointId: '95558',
  },
  containers: [box(0.8, [0.3, 0.2, 0.1])],
};

const toSweden: SampleShipment = {
  shipment: {
    customerNumber: 'C-1004',
    sellerNumber: 'ULDVARER',
    deliveryAddress: {
      addressee: 'Åsa Lindqvist',
      streetNameAndNumber: 'Storgatan 27',
      cityTownOrVillage: 'Göteborg',
      postalCode: '41124',
      countryCode: 'SE',
    },
    contactPerson: { name: 'Åsa Lindqvist', email: 'asa.lindqvist@post.example', mobileNumber: '+46709998877' },
    privateDelivery: true,
    shipmentLines: [{ stockKeepingUnit: 'WOOL-SWEATER-M', numItemsOrdered: 2, salesPrice: 899 }],
  },
  containers: [box(1.35, [0.4, 0.3, 0.12])],
};

const toNorway: SampleShipment = {
  shipment: {
    customerNumber: 'C-1005',
    deliveryAddress: {
      addressee: 'Fjelltur AS',
      streetNameAndNumber: 'Kirkegata 9',
      cityTownOrVillage: 'Lillehammer',
      postalCode: '2609',
      countryCode: 'NO',
    },
    contactPerson: { name: 'Ingrid Haugen', email: 'innkjop@fjelltur.example', phoneNumber: '+4761223344' },
    privateDelivery: false,
    incoterms: 'DAP',
    currencyCode: 'NOK',
    shipmentLines: [{ stockKeepingUnit: 'STOVE-GAS', numItemsOrdered: 4, salesPrice: 620, weight: 0.9 }],
  },
  containers: [box(4.6, [0.45, 0.35, 0.3]), box(1.9, [0.3, 0.3, 0.3])],
};

const toGermany: SampleShipment = {
  shipment: {
    customerNumber: 'C-1006',
    deliveryAddress: {
      addressee: 'Jürgen Weiß',
      streetNameAndNumber: 'Lindenstraße 5',
      cityTownOrVillage: 'Flensburg',
      postalCode: '24937',
      countryCode: 'DE',
    },
    contactPerson: { name: 'Jürgen Weiß', email: 'weiss@post.example', mobileNumber: '+4915112345678' },
    privateDelivery: true,
    unattendedDelivery: true,
    notesOnDelivery: 'Bitte in die Garage stellen',
  },
  containers: [box(12.75, [0.8, 0.4, 0.35])],
};

const withoutPostalCode: SampleShipment = {
  shipment: {
    customerNumber: 'C-1007',
    deliveryAddress: {
      addressee: 'Freja Skov',
      streetNameAndNumber: 'Engvej 1',
      cityTownOrVillage: 'Ribe',
      countryCode: 'DK',
    },
    contactPerson: { name: 'Freja Skov' },
    privateDelivery: true,
  },
  containers: [box(1.1, [0.3, 0.2, 0.2])],
};

/** Shipments for demonstrations; each key names what is special about its shipment. */
export const sampleShipments = {
  oneParcel,
  threeParcels,
  toPickUpPoint,
  toSweden,
  toNorway,
  toGermany,
  withoutPostalCode,
} satisfies Record<string, SampleShipment>;
