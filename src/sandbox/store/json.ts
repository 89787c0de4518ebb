/** What JSON can say. A member that is `undefined` is one that is not there. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** @throws SyntaxError */
export function readJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return value;
}

/** The members of a value; none of anything that is no object. */
export function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether arrays and objects lie within each other more than so many times. */
export function isDeeperThan(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member: Json | undefined) => isDeeperThan(member, levels - 1));
}

/** Deeper than this nothing is read: whoever looks through it calls himself for every level. */
export const DEEPEST = 100;

/** Whether a text in it, or a name, has half of a character that takes two (a lone surrogate). */
export function hasHalfCharacter(value: Json | undefined): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (isJsonArray(value)) return value.some(hasHalfCharacter);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => !name.isWellFormed() || hasHalfCharacter(member));
}

const ID_TEXT = /^[1-9]\d{0,15}$/;

/** An id as it was sent: a number, or its digits. `null` for anything else. */
export function readId(sent: Json | undefined): number | null {
  const id = typeof sent === 'string' && ID_TEXT.test(sent) ? Number(sent) : sent;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}
