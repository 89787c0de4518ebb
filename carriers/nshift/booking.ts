import type { Booking, BookingRequest, BookingWithLabels, Goods, Label, Parcel, Party } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { centimetres, declaredGoods, echoedParcels, exportersNumberFor, fitsCn22 } from '../toolkit/index.js';
import { kilograms, labelsInBase64, listAt, localDateTime, neededAt, neededList, numberOf } from '../toolkit/index.js';
import { otherText, partyTexts, plainPostalCode, problemOf, sentOf, textAt, unNumbers } from '../toolkit/index.js';
import { valueAt } from '../toolkit/index.js';
import type { NshiftApi } from './api.js';
import type { NshiftConfig } from './config.js';
import { CN22_LINES, FIELDS, LETTER, addonsOf, declaresDangerous, productOf } from './services.js';

/** What is asked for: the shipment, with its labels on the medium of the account, and papers for customs on A4. */
export function toPrint({ media }: NshiftConfig, shipment: object) {
  const target = (n: number, name: string) => ({
    ...{ [`target${n}Media`]: name, [`target${n}Type`]: 'pdf', [`target${n}XOffset`]: 0, [`target${n}YOffset`]: 0 },
    ...(name.startsWith('thermo') && { [`target${n}Options`]: [{ key: 'mode', value: 'DT' }] }),
  });
  const hasPapers = 'customsDeclaration' in shipment && shipment.customsDeclaration !== undefined;
  return { printConfig: { ...target(1, media), ...(hasPapers && target(2, 'laser-a4')) }, shipment };
}

export function toNshiftShipment(request: BookingRequest, config: NshiftConfig, now: Date) {
  const { options, incoterms, shipDate } = request;
  const { id, point } = productOf(request, config);
  const shipment = toShipment(request, config);
  const today = localDateTime(now, 'Europe/Copenhagen').slice(0, shipDate.length);
  const later = shipDate > today ? shipDate : undefined;
  const pickupDate = valueAt(options.service, 'pickupBooking') === true ? (later ?? today) : undefined;
  return {
    ...shipment,
    receiverReference: spaceless(request.customersReference ?? request.shipmentNumber),
    deliveryInstruction: otherText(FIELDS, 'notes', request.notesOnDelivery).sent || undefined,
    service: { id, ...Object(options.service), pickupDate, addons: addonsOf(request, config) },
    ...{ agent: point === null ? undefined : { quickId: point }, bulkId: id === LETTER ? config.bulkId : undefined },
    ...{ termsCode: incoterms ?? undefined, termsLocation: options.termsLocation, shipDate: later },
    options: noticeTo(shipment.receiver.email, options.preNotification),
    customsDeclaration: customsOf(request, config),
  };
}

/** nShift wants no spaces in what is printed as a reference. */
const spaceless = (reference: string | null) => reference?.replace(/\s+/g, '') || undefined;

/** nShift itself writes to the recipient, where a rule says so. */
const noticeTo = (to = '', notice: unknown) => (notice && to ? [{ id: 'ENOT', to, ...Object(notice) }] : undefined);

/** The parties stand as in the shipment that went out (README, Assumptions). @param request from the customer to the warehouse */
export function toNshiftReturn(request: BookingRequest, config: NshiftConfig) {
  const parties = { sender: request.recipient, recipient: request.sender, privateDelivery: null };
  const outbound = { ...request, ...parties, customsNumbers: {} };
  const service = { id: productOf(outbound, config).id, returnShipment: true, normalShipment: false };
  return { ...toShipment(outbound, config), service };
}

function toShipment(request: BookingRequest, config: NshiftConfig) {
  const { partner } = productOf(request, config);
  const custNo = partner === config.partner ? config.customerNumber : undefined;
  const vatNo = exportersNumberFor(request, ['voec', 'ioss', 'vat']);
  const sender = { quickId: config.senderQuickId, ...toParty(request.sender), vatNo };
  return {
    ...{ orderNo: request.reference, senderReference: spaceless(request.sendersReference), test: config.test },
    ...{ sender, receiver: toParty(request.recipient) },
    returnPart: request.returnTo && toParty(request.returnTo),
    senderPartners: partner === undefined ? undefined : [{ id: partner, custNo }],
    parcels: request.parcels.map((parcel) => toParcel(parcel, request, config)),
  };
}

function toParty({ address, contact }: Party) {
  const { stateOrProvince: state, countryCode: country } = address;
  const zipcode = plainPostalCode(address) ?? undefined;
  const texts = sentOf(partyTexts({ contact, address: { ...address, stateOrProvince: null } }, FIELDS));
  return { ...texts, zipcode, state: state ?? undefined, country: country ?? undefined };
}

/** A row of its own for each parcel. */
function toParcel(parcel: Parcel, request: BookingRequest, config: NshiftConfig) {
  const { id: reference, weightGrams, lengthMm, widthMm, heightMm, volumeMl, description } = parcel;
  const inMetres = productOf(request, config).isPostnord ? config.dimensions !== 'cm' : config.dimensions === 'm';
  const side = (mm: number | null) => (mm === null ? undefined : inMetres ? mm / 1000 : centimetres(mm));
  const unCode = unNumbers(request)[0]?.replace(/^UN/i, '');
  return {
    ...{ copies: 1, valuePerParcel: true, weight: kilograms(weightGrams) },
    volume: volumeMl === null ? undefined : Math.max(1, volumeMl) / 1_000_000,
    ...{ length: side(lengthMm), width: side(widthMm), height: side(heightMm) },
    ...{ packageCode: request.options.packageCode, contents: description?.trim() || undefined, reference },
    dangerousGoods: declaresDangerous(request) ? { ...Object(request.options.dangerousGoods), unCode } : undefined,
  };
}

/** The form of the post with letters of PostNord; with its parcels their data too (README, Assumptions). */
function papersOf(request: BookingRequest, config: NshiftConfig): string {
  const { id, isPostnord } = productOf(request, config);
  if (id === LETTER) return fitsCn22(request, CN22_LINES) ? 'cn22' : 'cn23';
  return isPostnord ? 'proformaplabedi' : 'proforma';
}

/** What a rule says counts before what follows from the shipment; `undefined`: no declaration is needed. */
function customsOf(request: BookingRequest, config: NshiftConfig) {
  const lines = declaredGoods(request);
  if (lines === null) return undefined;
  return {
    printSet: [papersOf(request, config)],
    invoiceType: 'STANDARD', // of two spellings, that of the examples (README, Assumptions)
    ...{ invoiceNo: request.sendersReference ?? request.shipmentNumber, termLocation: request.options.termsLocation },
    ...{ currencyCode: lines[0]?.currency ?? undefined, termCode: request.incoterms ?? undefined },
    ...Object(request.options.customsDeclaration),
    lines: lines.map(toLine),
  };
}

/** Values and weights of a piece. */
function toLine(goods: Goods) {
  return {
    ...{ statNo: goods.tariffNumberAtDestination, contents: goods.description, copies: goods.quantity },
    ...{ valuesPerItem: true, value: Number(goods.unitValue), netWeight: kilograms(goods.unitWeightGrams ?? 0) },
    sourceCountryCode: goods.countryOfOrigin,
  };
}

/** Finds each parcel by the reference that we sent, else by its place among all of them. */
export function fromNshiftBooking(request: BookingRequest, json: unknown, config: NshiftConfig): BookingWithLabels {
  const [row] = neededList(json);
  const { isPostnord } = productOf(request, config);
  const answered = neededList(row, 'parcels').map((parcel) => {
    const trackingNumber = textAt(parcel, 'parcelNo') ?? neededAt(parcel, 'returnParcelNo');
    // PostNord's page; of other carriers none is known
    const trackingUrl = isPostnord ? `https://tracking.postnord.com/dk/?id=${trackingNumber}` : null;
    return { parcelId: textAt(parcel, 'reference'), trackingNumber, trackingUrl };
  });
  const booking = { carrierNumber: neededAt(row, 'id'), parcels: echoedParcels(request, answered), labelSource: null };
  const documents = labelsFirst([...listAt(row, 'prints'), ...listAt(row, 'pdfs')]);
  const labels = documents.map((each) => labelsInBase64(textAt(each, 'data') ?? textAt(each, 'pdf')));
  const answersReference = textAt(row, 'orderNo') ?? request.reference;
  return { booking, labels: labels.some((each) => each.length === 0) ? [] : labels.flat(), answersReference };
}

function labelsFirst(documents: readonly unknown[]): readonly unknown[] {
  const isLabel = (each: unknown) => /label/i.test(textAt(each, 'description') ?? '');
  return [...documents.filter(isLabel), ...documents.filter((each) => !isLabel(each))];
}

/** Loads them by the newer API's name, then by the older one's. @throws CarrierRejected nShift has none any more */
export async function documentsAt(api: NshiftApi, booking: Booking): Promise<readonly Label[]> {
  const id = numberOf(booking);
  for (const documents of ['prints', 'pdfs']) {
    const listed = labelsFirst((await api.documents({ params: { id, documents } })) ?? []);
    const fetched = listed.map((each) => api.document({ params: { id, documents, document: neededAt(each, 'id') } }));
    if (fetched.length > 0) return Promise.all(fetched);
  }
  throw new CarrierRejected([problemOf('gone', 'nShift has no documents any more, which it keeps for one hour')]);
}
