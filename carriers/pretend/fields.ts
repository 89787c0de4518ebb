import type { BookingRequest, Goods, Loss, Party } from '../contract/index.js';
import { crossesCustoms } from '../toolkit/customs.js';
import type { FieldLimit, Fit } from '../toolkit/fit.js';
import { LATIN_1, fit, lossesIn } from '../toolkit/fit.js';
import { careOfLine, said } from '../toolkit/text.js';
import { LONGEST } from './wire.js';

/** What it takes in the fields that hold texts of ours: this folder's README, "Limits". */
export const FIELDS = {
  name: { longest: LONGEST.name, letters: LATIN_1 },
  street: { longest: LONGEST.street, letters: LATIN_1 },
  city: { longest: LONGEST.city, letters: LATIN_1 },
  message: { longest: LONGEST.message, letters: LATIN_1 },
  description: { longest: LONGEST.description, letters: LATIN_1 },
} as const satisfies Readonly<Record<string, FieldLimit>>;

export function partyFields({ address, contact }: Party): Readonly<Record<'name' | 'street' | 'city', Fit>> {
  const { street, floorBlockOrSuite, careOf, district, stateOrProvince } = address;
  return {
    name: fit(said(address.name, contact.name).slice(0, 1), FIELDS.name),
    street: fit([street, floorBlockOrSuite, careOfLine(careOf), district, stateOrProvince], FIELDS.street),
    city: fit([address.city], FIELDS.city),
  };
}

export function messageField(request: BookingRequest): Fit {
  return fit([request.notesOnDelivery], FIELDS.message);
}

export function goodsFields(goods: Goods): Readonly<Record<'description', Fit>> {
  return { description: fit([goods.description], FIELDS.description) };
}

/** Whether it wants a customs declaration. */
export function isDeclared({ sender, recipient }: BookingRequest): boolean {
  return crossesCustoms(sender.address, recipient.address);
}

/** What Pretend gets shortened or in other letters; there is nothing it has no field for. */
export function lossesAtPretend(request: BookingRequest): readonly Loss[] {
  return [
    ...lossesIn('sender', partyFields(request.sender)),
    ...lossesIn('recipient', partyFields(request.recipient)),
    ...lossesIn('shipment', { message: messageField(request) }),
    ...(isDeclared(request) ? (request.goods ?? []) : []).flatMap((line, index) =>
      lossesIn(`goods ${index + 1}`, goodsFields(line)),
    ),
  ];
}
