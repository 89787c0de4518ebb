import type { BookingRequest, BookingWithLabels } from '../contract/index.js';
import { CarrierRejected } from '../contract/index.js';
import { bookedByPlace, centimetresOf, inWords, onlyParcel, plainPostalCode } from '../toolkit/index.js';
import { refuseFor, textAt, unexpected, when } from '../toolkit/index.js';
import type { DaoQuery } from './api.js';
import type { DaoConfig } from './config.js';
import { NO_DEMAND } from './config.js';
import { recipientFields } from './fields.js';
import type { DaoService } from './services.js';
import { checkRule, serviceOf } from './services.js';

/** @throws CarrierRejected DAO has no such service */
export function toDaoOrder(request: BookingRequest, config: DaoConfig) {
  const service = serviceOf(request);
  if (service === null) throw new CarrierRejected(checkRule(request));
  const query: DaoQuery = {
    ...toRecipient(request),
    ...toParcel(request, config),
    ...toDemand(request, config),
    faktura: config.faktura === 'shipment-number' ? request.shipmentNumber : request.reference,
    ...toServiceQuery(request, service),
    ...(config.senderId && { afsenderid: config.senderId }),
  };
  return { service, query };
}

/**
 * An order for a parcel that the customer hands in at a pick-up point, with a label.
 * @throws CarrierRejected one of the addresses is not in Denmark: `postnr` would be read as a Danish one
 */
export function toDaoReturn(request: BookingRequest, config: DaoConfig): DaoQuery {
  const { sender, recipient } = request;
  const abroad = [sender, recipient].map(({ address }) => address.countryCode ?? 'DK').find((code) => code !== 'DK');
  const text = `DAO takes returns inside Denmark only, not with an address in ${abroad}.`;
  refuseFor(inWords(text, when(abroad !== undefined, 'not-in-denmark', { country: abroad ?? '', carrier: 'DAO' })));
  const { navn, adresse, postnr } = toRecipient(request);
  const customer = toRecipient({ ...request, recipient: sender });
  return {
    type: 'withlabel', // the default gives the customer a code to write on the parcel
    ...{ navn, adresse, postnr },
    ...{ afsender: customer.navn, afsender_adresse: customer.adresse, afsender_postnr: customer.postnr },
    ...{ afs_mobil: customer.mobil, afs_email: customer.email },
    ...toParcel(request, config),
    faktura: request.reference,
  };
}

function toRecipient(request: BookingRequest) {
  const { address, contact } = request.recipient;
  const { navn, adresse, mobil } = recipientFields(request);
  return {
    navn: navn.sent,
    adresse: adresse.sent,
    postnr: plainPostalCode(address) ?? '',
    mobil: mobil.sent.replace(/^\+45/, ''), // Danish numbers are written without it
    email: contact.email?.trim() ?? '',
  };
}

/** Without any measured side, all sides are left out; a single missing side is 0. Other clients do the same. */
function toParcel(request: BookingRequest, { test }: DaoConfig): DaoQuery {
  const { lengthMm, heightMm, widthMm, weightGrams } = onlyParcel(request);
  const isMeasured = [lengthMm, heightMm, widthMm].some((side) => side !== null);
  const side = (mm: number | null) => String(centimetresOf(mm) ?? 0);
  const sides = { l: side(lengthMm), h: side(heightMm), b: side(widthMm) };
  return { vaegt: String(Math.max(1, weightGrams)), ...(isMeasured && sides), ...(test && { test: '1' }) };
}

/** What the recipient must show: the rule's word before the account's. */
function toDemand({ options }: BookingRequest, config: DaoConfig): DaoQuery {
  const idkrav = typeof options.idkrav === 'string' ? options.idkrav.trim() : config.idkrav;
  return idkrav === '' || idkrav === NO_DEMAND ? {} : { idkrav };
}

function toServiceQuery(request: BookingRequest, service: DaoService): DaoQuery {
  const { deliverToPickUpPoint, pickUpPointId, recipient, reference } = request;
  if (service === 'home') return {};
  if (service === 'pickup-point') return { shopid: pickUpPointId ?? '0' }; // 0: the one nearest to the recipient
  const place = { by: recipientFields(request).by.sent, land: recipient.address.countryCode ?? '' };
  return { ...place, reference, ...(deliverToPickUpPoint && pickUpPointId && { shopid: pickUpPointId }) };
}

/** @throws Error the answer has no barcode */
export function fromDaoOrder(request: BookingRequest, json: unknown): BookingWithLabels {
  const barcode = textAt(json, 'resultat', 'stregkode');
  if (barcode === null) throw unexpected(json, 'a barcode');
  const booking = bookedByPlace(request, {
    ...{ carrierNumber: null, trackingNumbers: [barcode], labelSource: barcode },
    // One of several spellings in use; none is documented: see this folder's README.
    pageOf: (number) => `https://www.dao.as/privat/find-din-pakke?stregkode=${encodeURIComponent(number)}`,
  });
  return { booking, labels: [] };
}
