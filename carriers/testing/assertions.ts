import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import type { Booking, Label } from '../contract/index.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../contract/index.js';

const POINTS_PER_MM = 72 / 25.4;
const CLASSES = { CarrierRejected, CarrierUnavailable, OutcomeUnknown };

/** @returns the error with which the promise was rejected; fails the case when it was not */
export async function errorOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  return Promise.resolve(promise).then(
    (value) => assert.fail(`expected an error, but it returned ${inspect(value, { depth: 3 })}`),
    (error: unknown) => error,
  );
}

/** Fails the case unless the promise is rejected with an error of this class. @returns the error */
export async function rejects<Name extends keyof typeof CLASSES>(
  promise: Promise<unknown> | undefined,
  name: Name,
): Promise<InstanceType<(typeof CLASSES)[Name]>> {
  const error = await errorOf(promise);
  assert.ok(error instanceof CLASSES[name], `expected ${name}, but it threw ${inspect(error, { depth: 1 })}`);
  return error as InstanceType<(typeof CLASSES)[Name]>;
}

/** Fails the case when an error shows one of the secrets anywhere: in its message, its causes, its fields. */
export function showsNoSecret(error: unknown, secrets: readonly string[]): void {
  const text = inspect(error, { depth: 8, showHidden: true });
  // The secret itself does not belong into a report either.
  assert.ok(!secrets.some((secret) => text.includes(secret)), 'the error shows a secret of the account');
}

export function trackingNumbers(booking: Booking): readonly string[] {
  return booking.parcels.map((parcel) => (parcel.kind === 'booked' ? parcel.trackingNumber : 'refused'));
}

/** Fails the case unless each page shows the number at its place, and none of the others. */
export function showNumbers(pages: readonly string[], numbers: readonly string[]): void {
  pages.forEach((text, place) => {
    const own = numbers[place] ?? 'no parcel';
    const shown = numbers.filter((number) => text.includes(number) && !own.includes(number));
    assert.deepEqual(
      shown,
      text.includes(own) ? [] : [own],
      `page ${place + 1} is that of ${shown.join(', ') || NONE}`,
    );
  });
}

const NONE =
  "none of the booking's parcels (a simulator's label names its tracking number in text: books.labels draws such ones)";

export async function pageCount(labels: readonly Label[]): Promise<number> {
  const pages = await Promise.all(
    labels.map(async (label) => (await PDFDocument.load(new Uint8Array(label.bytes))).getPageCount()),
  );
  return pages.reduce((sum, count) => sum + count, 0);
}

/** Width and height of each page, in whole millimetres. */
export async function pageSizes(labels: readonly Label[]): Promise<readonly (readonly [number, number])[]> {
  const files = await Promise.all(labels.map((label) => PDFDocument.load(new Uint8Array(label.bytes))));
  const pages = files.flatMap((file) => file.getPages());
  return pages.map((page) => [
    Math.round(page.getWidth() / POINTS_PER_MM),
    Math.round(page.getHeight() / POINTS_PER_MM),
  ]);
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
