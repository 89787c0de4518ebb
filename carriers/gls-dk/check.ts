import type { BookingRequest, Party, TextChange } from '../contract/index.js';
import type { ValidationIssue } from '../toolkit/index.js';
import { addressProblems, heavierThan, longerThan, noDangerousGoods, noEmailAddress } from '../toolkit/index.js';
import { paperProblems, said, textChangesIn, uncutProblems, untoldAtShop, withoutField } from '../toolkit/index.js';
import type { GlsDkConfig } from './config.js';
import { FIELDS, MAX_CHARACTERS, addressTexts, countryNumber, depositTexts, parcelTexts } from './fields.js';
import { senderTexts, toShipper } from './fields.js';
import { servicesOf, unsendable } from './services.js';

export const HEAVIEST_GRAMS = 50_000;

/** What GLS would refuse, and what it would take in another sense than ours. */
export function check(request: BookingRequest, settings: GlsDkConfig): readonly ValidationIssue[] {
  const { recipient, options, pickUpPointId } = request;
  const { address, contact } = recipient;
  const services = servicesOf(request, settings);
  const shop = services.has('shop-delivery') ? pickUpPointId : null;
  const instead = { country: countryNumber(address.countryCode) };
  return [
    ...unsendable(request, settings),
    ...addressProblems('recipient', recipient, { fields: FIELDS, instead }),
    ...(services.has('shop-delivery') || services.has('direct-shop') ? untoldAtShop(request) : []),
    ...(options.notification === 'email' ? noEmailAddress(contact.email, 'GLS') : []),
    ...uncutProblems(recipient, FIELDS),
    ...longerThan(MAX_CHARACTERS.postalCode, [address.postalCode], { code: 'recipient-postal-code-too-long' }),
    ...longerThan(MAX_CHARACTERS.shop, [shop], { code: 'pick-up-point-too-long' }),
    ...paperProblems(request, 'DK'),
    ...noDangerousGoods(request, 'GLS'),
    ...heavierThan(HEAVIEST_GRAMS, request, 'parcel-too-heavy'),
  ];
}

/** What GLS gets shortened, in other letters or not at all. Of all its services a deposit alone has a field for notes. */
export function textChangesAtGls(request: BookingRequest, settings: GlsDkConfig): readonly TextChange[] {
  const { sender, recipient, notesOnDelivery: notes, parcels } = request;
  const isDeposit = servicesOf(request, settings).has('deposit');
  const noteTexts = isDeposit ? depositTexts(notes) : { notesOnDelivery: withoutField(notes, 'meaning-lost') };
  return [
    ...textChangesIn('sender', toShipper(sender) ? senderTexts(sender) : withoutShipper(sender)),
    ...textChangesIn('recipient', addressTexts(recipient)),
    ...textChangesIn('shipment', noteTexts),
    ...parcels.flatMap((parcel) => textChangesIn(`parcel ${parcel.id}`, parcelTexts(parcel))),
  ];
}

/** Half a sender is not sent. */
function withoutShipper({ address: { name, street, postalCode, city, countryCode } }: Party) {
  const isNamed = said(name, street, city).length > 0;
  const whole = isNamed ? said(name, street, postalCode, city, countryCode).join(', ') : null;
  return { AlternativeShipper: withoutField(whole, 'meaning-lost') };
}
