import { type JsonObject, isJsonObject } from '../../carriers/contract/json.js';

/**
 * Tolerant reading of JSON from the IMS: a field of the wrong type is read where that is safe, and is `null` otherwise.
 * Absent and `null` mean the same. Only own properties count, so that no key can reach into a prototype.
 */

/** The object at `key`; `null` when there is none. */
export function objectField(object: JsonObject, key: string): JsonObject | null {
  const value = fieldValue(object, key);
  return isJsonObject(value) ? value : null;
}

/** The array at `key`; empty when there is none. */
export function arrayField(object: JsonObject, key: string): readonly unknown[] {
  const value = fieldValue(object, key);
  return Array.isArray(value) ? value : [];
}

/** Text that is not blank; a number as its digits. */
export function textField(object: JsonObject, key: string): string | null {
  const value = fieldValue(object, key);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A finite number, also one that came as text. */
export function numberField(object: JsonObject, key: string): number | null {
  const value = fieldValue(object, key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A truth value, also one that came as text. */
export function booleanField(object: JsonObject, key: string): boolean | null {
  const value = fieldValue(object, key);
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** A moment, as ISO text or as milliseconds since 1970. */
export function timeField(object: JsonObject, key: string): Date | null {
  const value = fieldValue(object, key);
  const time = typeof value === 'string' || typeof value === 'number' ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/** The unchecked value; `undefined`: missing. */
export function fieldValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
