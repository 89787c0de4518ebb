import type { Booking, BookingRequest, BookingWithLabels, Goods, Label, Parcel, Party } from '../contract/index.js';
import type { PickupPoint } from '../contract/index.js';
import { bookedByPlace, cut, declaredGoods, fitsCn22, kilograms, labelsByNumber } from '../toolkit/index.js';
import { lineTotals, listAt, neededAt, neededList, numbersFor, otherText, partyTexts } from '../toolkit/index.js';
import { said, sentOf, sidesInCentimetres, textAt, toPlace, totalValue, unexpected } from '../toolkit/index.js';
import { isFailed } from './api.js';
import type { PostnordConfig } from './config.js';
import { FIELDS, LETTERS, RETURN, additionalServicesOf, serviceOf } from './services.js';

/** Tracking finds a shipment by it. */
const CONSIGNORS_REFERENCE = 'CU';

export const CN22 = { lines: 13, characters: 1025 };

type Context = Readonly<{ config: PostnordConfig; now: Date }>;

/** @param point `null`: PostNord chooses, or it goes to none */
export function toPostnordBooking(request: BookingRequest, point: PickupPoint | null, context: Context) {
  const [consignor, consignee] = [toParty(request.sender), toParty(request.recipient)];
  const returnParty = request.returnTo && toParty(request.returnTo);
  const codes = additionalServicesOf(request, context.config);
  const { typeOfInsurance, ...insuranceAmount } = Object(request.options.insurance) as Record<string, unknown>;
  const text = otherText(FIELDS, 'notes', request.notesOnDelivery).sent;
  const deliveryParty = point === null ? undefined : toDeliveryParty(point);
  return toEdi(request, context, {
    service: { basicServiceCode: serviceOf(request), additionalServiceCode: codes.length > 0 ? codes : undefined },
    customsDeclarationCN22: toCn22(request),
    insurance: typeOfInsurance && { typeOfInsurance, insuranceAmount },
    freeText: text === '' ? undefined : [{ usageCode: 'DEL', text }],
    parties: { consignor: { ...toCustomer(context.config), ...consignor }, consignee, deliveryParty, returnParty },
  });
}

/** The customer is the consignor; our customer number stands at the consignee. */
export function toPostnordReturn(request: BookingRequest, context: Context) {
  const consignor = { issuerCode: context.config.issuerCode, ...toParty(request.sender) };
  const consignee = { ...toCustomer(context.config), ...toParty(request.recipient) };
  return toEdi(request, context, { service: { basicServiceCode: RETURN }, parties: { consignor, consignee } });
}

function toEdi(request: BookingRequest, { config, now }: Context, own: object) {
  const { reference, parcels, options } = request;
  const planned = new Date(`${request.shipDate}T12:00:00Z`);
  const shipment = {
    dateAndTimes: { loadingDate: (planned > now ? planned : now).toISOString() },
    ...{ shipmentIdentification: { shipmentId: '0' }, numberOfPackages: { value: parcels.length } },
    totalGrossWeight: toWeight(parcels.reduce((sum, { weightGrams }) => sum + Math.max(1, weightGrams), 0)),
    references: [{ referenceNo: reference, referenceType: CONSIGNORS_REFERENCE }],
    ...own,
    goodsItem: [{ packageTypeCode: textAt(options, 'packageTypeCode') ?? 'PC', items: parcels.map(toItem) }],
  };
  const application = { applicationId: config.applicationId, name: 'Waybridge' };
  const about = { messageDate: now.toISOString(), messageFunction: 'Instruction', messageId: reference, application };
  return { ...about, updateIndicator: 'Original', testIndicator: config.testIndicator, shipment: [shipment] };
}

const toWeight = (grams: number) => ({ value: kilograms(grams), unit: 'KGM' });

/** An item with the number "0" gets one from PostNord. */
function toItem(parcel: Parcel) {
  const dimensions = sidesInCentimetres(parcel, (value) => ({ value, unit: 'CMT' }));
  const isBulk = dimensions === undefined && parcel.volumeMl !== null;
  const volume = isBulk ? { value: Math.max(1, parcel.volumeMl) / 1000, unit: 'DMQ' } : undefined;
  const references = [{ referenceNo: otherText(FIELDS, 'reference', parcel.label).sent, referenceType: 'ACD' }];
  const grossWeight = toWeight(parcel.weightGrams);
  return { itemIdentification: { itemId: '0' }, grossWeight, dimensions, volume, references };
}

function toCustomer({ issuerCode, customerNumber }: PostnordConfig) {
  return { issuerCode, partyIdentification: { partyId: customerNumber, partyIdType: '160' } };
}

function toParty(party: Party) {
  const { name, careOfName, city, ...texts } = sentOf(partyTexts(party, FIELDS));
  const { 'streets.0': street, 'streets.1': more, ...contact } = texts;
  const address = { streets: said(street, more), city, ...toPlace(party.address) };
  const phoneNo = contact.phoneNo ?? contact.smsNo;
  return { party: { nameIdentification: { name, careOfName }, address, contact: { ...contact, phoneNo } } };
}

/** Its address goes as the search has it, or sorting fails. */
const toDeliveryParty = ({ id, name, street, postalCode, city, countryCode }: PickupPoint) => ({
  partyIdentification: { partyId: id, partyIdType: '156' },
  party: { nameIdentification: { name }, address: { streets: said(street), postalCode, city, countryCode } },
});

/** The page on which the recipient follows a parcel, of their country where PostNord has one. */
export function pageOf({ recipient }: BookingRequest, number: string): string {
  const [country] = /^(SE|NO|FI)$/.exec(recipient.address.countryCode ?? '') ?? ['DK'];
  return `https://tracking.postnord.com/${country.toLowerCase()}/?id=${encodeURIComponent(number)}`;
}

/** The CN 22 of a letter, by its lines and the numbers of the exporter; `undefined`: it has none, and papers travel with it. */
export function toCn22(request: BookingRequest) {
  const { eori, voec, ioss } = numbersFor(request.customsNumbers ?? {}, request);
  const lines = LETTERS.some((each) => each === request.service) ? declaredGoods(request) : null;
  if (!lines?.length || said(eori, voec, ioss).length === 0 || !fitsCn22(request, CN22.lines)) return undefined;
  return {
    ...{ countryOfOrigin: request.sender.address.countryCode, categoryOfItem: { categoryType: ['SALE OF GOODS'] } },
    totalGrossWeight: toWeight(request.parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0)),
    totalValue: { amount: totalValue(lines), currency: lines[0]?.currency },
    ...{ detailedDescription: lines.map(toLine), EORIorPersonalIdNumber: eori, voec, ioss },
  };
}

function toLine(goods: Goods, place: number) {
  const { value: amount, weightGrams } = lineTotals(goods);
  return {
    ...{ content: cut(goods.description ?? '', CN22.characters), quantity: { value: goods.quantity } },
    ...{ grossWeight: toWeight(weightGrams), value: { amount, currency: goods.currency } },
    hsTariffNumber: goods.tariffNumberAtDestination ?? undefined,
    ...{ countryCode: goods.countryOfOrigin, rowNo: place + 1 },
  };
}

/** Parcels are told apart by their place. @throws Error the answer does not say that they are booked */
export function fromPostnordBooking(request: BookingRequest, json: unknown): BookingWithLabels {
  const [row] = neededList(json, 'bookingResponse', 'idInformation');
  if (textAt(row, 'status') !== 'OK') throw unexpected(json, 'the status OK');
  const idsOf = (type: string) => neededList(row, 'ids').filter((id) => textAt(id, 'idType') === type);
  const carrierNumber = neededAt(idsOf('shipmentId'), 0, 'value');
  const trackingNumbers = idsOf('itemId').map((id) => textAt(id, 'value'));
  const booking = bookedByPlace(request, { carrierNumber, trackingNumbers, pageOf: (each) => pageOf(request, each) });
  const reference = listAt(row, 'references', 'shipment').find(isOfConsignor('referenceType'));
  const labels = labelsOf(booking, listAt(json, 'labelPrintout'));
  return { booking, labels, ...(reference ? { answersReference: textAt(reference, 'referenceNo') } : {}) };
}

export const isOfConsignor = (name: string) => (reference: unknown) => textAt(reference, name) === CONSIGNORS_REFERENCE;

/** Returns no labels where one is missing. ZPL comes as plain text; another encoding is not known. */
export function labelsOf(booking: Booking, printouts: readonly unknown[]): readonly Label[] {
  const printed = printouts.map((printout) => {
    const rows = listAt(printout, 'itemIds').filter((row) => !isFailed(row));
    const [encoding = '', data = ''] = ['encoding', 'data'].map((name) => textAt(printout, 'printout', name) ?? '');
    const inBase64 = new Map(Object.entries({ none: Buffer.from(data).toString('base64'), base64: data }));
    return { trackingNumbers: rows.map((row) => textAt(row, 'itemIds')), base64: inBase64.get(encoding) ?? null };
  });
  return labelsByNumber(booking, printed);
}
