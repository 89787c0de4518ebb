import type { BookingRequest, Goods, TextChange, Party } from '../contract/index.js';
import type { FieldTable, Fit } from '../toolkit/index.js';
import { LATIN_1, declaredGoods, fit, partyTexts, textChangesIn } from '../toolkit/index.js';

/** What it takes in the fields that hold texts of ours: this folder's README, "Limits". */
export const FIELDS = {
  name: { means: 'name', longest: 60, letters: LATIN_1 },
  street: { means: 'street', longest: 100, letters: LATIN_1 },
  city: { means: 'city', longest: 40, letters: LATIN_1 },
  message: { means: 'notes', longest: 200, letters: LATIN_1 },
  description: { means: 'description', longest: 60, letters: LATIN_1 },
} as const satisfies FieldTable;

export function partyFields(party: Party): Readonly<Record<'name' | 'street' | 'city', Fit>> {
  return partyTexts(party, FIELDS);
}

export function messageField(request: BookingRequest): Fit {
  return fit([request.notesOnDelivery], FIELDS.message);
}

export function goodsFields(goods: Goods): Readonly<Record<'description', Fit>> {
  return { description: fit([goods.description], FIELDS.description) };
}

/** What Pretend gets shortened or in other letters; there is nothing it has no field for. */
export function textChangesAtPretend(request: BookingRequest): readonly TextChange[] {
  return [
    ...textChangesIn('sender', partyFields(request.sender)),
    ...textChangesIn('recipient', partyFields(request.recipient)),
    ...textChangesIn('shipment', { message: messageField(request) }),
    ...(declaredGoods(request) ?? []).flatMap((line, index) => textChangesIn(`goods ${index + 1}`, goodsFields(line))),
  ];
}
