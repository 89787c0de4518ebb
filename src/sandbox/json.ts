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
