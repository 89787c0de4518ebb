import type { BookingRequest, BookingWithLabels, FoundBooking } from '../contract/index.js';
import type { Label, LabelForm, Parcel, Party, Quote } from '../contract/index.js';
import { bookedParcels, centimetresOf, dayOfSending, declaredGoods, exportersNumberFor } from '../toolkit/index.js';
import { labelsInBase64, listAt, neededAt, neededList, partyTexts, readParcels, readQuote } from '../toolkit/index.js';
import { plainPostalCode, sentOf, textAt } from '../toolkit/index.js';
import type { ShipmondoApi } from './api.js';
import { LABELS, type ShipmondoConfig } from './config.js';
import { PARTY, isToShop, productOf, serviceCodesOf, takesNotes } from './services.js';

/** Options that go as they are. */
const PASSED = ['contents', 'cod', 'carrier_insurance', 'pallet_exchange', 'dfm'];
const MILLILITRES_IN_M3 = 1_000_000;
const DAY_MS = 86_400_000;
/** What is asked for in a page of the list, whose pages may have fewer, and the most pages that are read. */
const PER_PAGE = 50;
const MAX_PAGES = 40;

export function toShipmondoShipment(request: BookingRequest, config: ShipmondoConfig, now: Date) {
  const { options, reference, customersReference, sendersReference, notesOnDelivery } = request;
  const { own_agreement = config.ownAgreement } = options;
  return {
    own_agreement,
    ...toProduct(request, config),
    customer_number: textAt(options, 'customer_number') ?? config.customerNumber,
    label_format: labelFormatFor(request.labelForm, config),
    ...{ reference, additional_reference: customersReference ?? sendersReference ?? undefined },
    ...Object.fromEntries(PASSED.map((name) => [name, options[name]])),
    ...{ ...toPoint(request, config), origin_shipment_id: request.returnOf },
    pickup_details: toPickup(request, now),
    delivery_details: takesNotes(request) && notesOnDelivery ? { instruction: notesOnDelivery } : undefined,
    ...toCustoms(request, request.service === config.returnProduct ? 'returned_goods' : 'sale_of_goods'),
    parties: [
      { type: 'sender', ...toParty(request.sender), ...toVat(request, config) },
      { type: 'receiver', ...toParty(request.recipient) },
    ],
    parcels: request.parcels.map((parcel) => toParcel(parcel, options)),
  };
}

function toProduct(request: BookingRequest, config: ShipmondoConfig) {
  return { product_code: productOf(request, config) ?? '', service_codes: serviceCodesOf(request, config).join(',') };
}

/** The form that suits the printer, else that of the account. */
export function labelFormatFor(form: LabelForm | undefined, { labelFormat }: ShipmondoConfig): string {
  const isAsked = ([, { format, widthMm }]: [string, LabelForm]) => format === form?.format && widthMm === form.widthMm;
  return Object.entries(LABELS).find(isAsked)?.[0] ?? labelFormat;
}

/** Sends the shop's id; without one, Shipmondo takes the shop that is nearest to the recipient. */
function toPoint(request: BookingRequest, config: ShipmondoConfig) {
  if (!isToShop(request, config)) return {};
  const { pickUpPointId } = request;
  return pickUpPointId ? { service_point_id: pickUpPointId } : { automatic_select_service_point: true };
}

/** Shipmondo wants times with seconds, which a rule may leave out. */
function toPickup(request: BookingRequest, now: Date) {
  const { pickup_details: pickup } = request.options;
  if (typeof pickup !== 'object') return undefined;
  const [from, to] = ['from', 'to'].map((name) => textAt(pickup, name)?.replace(/^\d\d:\d\d$/, '$&:00'));
  return { date: dayOfSending(request, now), ...pickup, from, to };
}

function toCustoms(request: BookingRequest, reason: string) {
  const goods = declaredGoods(request);
  if (goods === null) return {};
  return {
    term_of_trade: request.incoterms ?? undefined,
    customs: {
      export_reason: textAt(request.options, 'export_reason') ?? reason,
      currency_code: goods[0]?.currency ?? undefined,
      goods: goods.map(({ quantity, countryOfOrigin, description, unitValue, ...one }) => ({
        ...{ quantity, unit: 'piece', country_code: countryOfOrigin, content: description },
        ...{ commodity_code: one.tariffNumberAtDestination, unit_value: Number(unitValue) },
        unit_weight: one.unitWeightGrams,
      })),
    },
  };
}

/** The one that holds at the destination, else that of the config. A return has none, because the customer sends it. */
function toVat(request: BookingRequest, config: ShipmondoConfig) {
  const value = exportersNumberFor(request, ['voec', 'vat', 'eori']) ?? config.vatNumber;
  const isSent = value !== undefined && declaredGoods(request) !== null && request.service !== config.returnProduct;
  return isSent ? { attributes: [{ name: 'vat_no', value }] } : {};
}

function toParty(party: Party) {
  const { attention, ...texts } = sentOf(partyTexts(party, PARTY));
  const [postalCode, { countryCode }] = [plainPostalCode(party.address), party.address];
  const about = { postal_code: postalCode ?? undefined, country_code: countryCode ?? undefined };
  return { ...texts, ...about, attention: attention === texts.name ? undefined : attention };
}

/** One line for each parcel, so that each has its own number; in grams, centimetres and cubic metres. */
function toParcel(parcel: Parcel, options: BookingRequest['options']) {
  const { packaging, stackable, declared_value, running_metre } = options;
  const [length, width, height] = [parcel.lengthMm, parcel.widthMm, parcel.heightMm].map(centimetresOf);
  return {
    ...{ quantity: 1, weight: Math.max(1, Math.round(parcel.weightGrams)), length, width, height },
    volume: parcel.volumeMl ? parcel.volumeMl / MILLILITRES_IN_M3 : undefined,
    ...{ description: parcel.description ?? undefined, internal_reference: parcel.id },
    ...{ packaging, stackable, declared_value, running_metre },
  };
}

/** Finds each parcel by its `internal_reference`; labels come in the order of the parcels that were sent. */
export function fromShipmondoShipment(request: BookingRequest, json: unknown): BookingWithLabels {
  const booking = { carrierNumber: neededAt(json, 'id'), parcels: bookedParcels(request, parcelsIn(json)) };
  const labels = labelsIn(listAt(json, 'labels'));
  const reference = textAt(json, 'reference');
  return { booking: { ...booking, labelSource: null }, labels, ...(reference && { answersReference: reference }) };
}

function parcelsIn(shipment: unknown): FoundBooking['parcels'] {
  return readParcels(neededList(shipment, 'parcels'), { id: 'internal_reference', number: 'pkg_no' });
}

export function labelsIn(labels: readonly unknown[]): readonly Label[] {
  return labels.flatMap((label) => labelsInBase64(textAt(label, 'base64')));
}

/**
 * Reads the shipments since the day before it was planned, because Shipmondo finds none by our reference.
 * @throws Error there are more than are read
 */
export async function findShipment(
  api: ShipmondoApi,
  { reference, shipDate }: BookingRequest,
  { config, now }: { readonly config: ShipmondoConfig; readonly now: Date },
): Promise<FoundBooking | null> {
  const planned = Math.min(now.getTime(), Date.parse(`${shipDate}T00:00:00Z`) || now.getTime());
  const since = { created_at_min: new Date(planned - DAY_MS).toISOString(), per_page: `${PER_PAGE}` };
  const query = { ...since, ...(config.searchByReference && { reference }) };
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { rows, headers } = await api.find({ query: { ...query, page: `${page}` } });
    const ours = rows.filter((row) => textAt(row, 'reference') === reference);
    // a return shipment that Shipmondo made with the booking may have its reference
    const found = ours.find((row) => !ours.some((one) => textAt(one, 'return_shipment_id') === neededAt(row, 'id')));
    if (found) return { carrierNumber: neededAt(found, 'id'), parcels: parcelsIn(found), labelSource: null };
    if (rows.length === 0 || page >= Number(headers['x-total-pages'] || Infinity)) return null;
  }
  throw new Error(`${MAX_PAGES} pages of shipments, and ours is on none of them`);
}

/** Asks with the older names of a party's fields. */
export function toShipmondoQuestion(request: BookingRequest, config: ShipmondoConfig) {
  const [sender, receiver] = [request.sender, request.recipient].map((party) => {
    const { address1, city, postal_code: zipcode, country_code } = toParty(party);
    return { address1, zipcode, city, country_code };
  });
  const parcels = request.parcels.map((each) => toParcel(each, {}));
  return { ...toProduct(request, config), sender, receiver, parcels };
}

/** @throws Error the answer has no price that can be read */
export function fromShipmondoQuote(json: unknown): Quote {
  return readQuote(json, { amount: 'price_before_vat', currency: 'currency_code' });
}
