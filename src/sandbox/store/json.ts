import { isJsonObject } from '../../../carriers/contract/json.js';

/** A JSON value. A member that is `undefined` counts as missing. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMembers;

/** The members of a JSON object, each of them JSON. */
export interface JsonMembers {
  readonly [name: string]: Json | undefined;
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** @throws SyntaxError */
export function readJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

/** The value as an object; an empty object when it is not one. */
export function membersOf(value: Json | undefined): JsonMembers {
  return isJsonObject(value) ? value : {};
}

/** Whether arrays and objects are nested in more than `levels` levels. */
export function isDeeperThan(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member: Json | undefined) => isDeeperThan(member, levels - 1));
}

/** Deepest nesting of accepted JSON, in levels: functions that walk through it recurse once per level. */
export const DEEPEST = 100;

/** Whether a text or member name in the value contains a lone surrogate. */
export function hasHalfCharacter(value: Json | undefined): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (isJsonArray(value)) return value.some(hasHalfCharacter);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => !name.isWellFormed() || hasHalfCharacter(member));
}

const ID_TEXT = /^[1-9]\d{0,15}$/;

/** Reads an id that a client sent as a positive whole number or its digits; `null` for anything else. */
export function readId(sent: Json | undefined): number | null {
  const id = typeof sent === 'string' && ID_TEXT.test(sent) ? Number(sent) : sent;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}
