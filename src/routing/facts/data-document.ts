import { tryParseJson, type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';

/** Longer documents are ignored. */
const MAX_DOCUMENT = 1_000_000;

/** What one application keeps in a data document of the IMS. `path` never holds a value. */
export type ApplicationData =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly data: JsonObject }
  | { readonly kind: 'unusable'; readonly path: string; readonly trouble: 'unreadable' | 'not-an-object' };

/**
 * Reads what stands under an application's name; pure.
 * @param dataDocument text holding a JSON object by application; `null` or blank: there is none
 */
export function applicationData(dataDocument: string | null, key: string): ApplicationData {
  if (dataDocument === null || dataDocument.trim() === '') return { kind: 'none' };
  const all = dataDocument.length <= MAX_DOCUMENT ? tryParseJson(dataDocument) : undefined;
  if (all === null) return { kind: 'none' };
  if (!isJsonObject(all)) return { kind: 'unusable', path: 'dataDocument', trouble: 'unreadable' };
  const data = Object.hasOwn(all, key) ? (all[key] ?? null) : null;
  if (data === null) return { kind: 'none' };
  return isJsonObject(data) ? { kind: 'found', data } : { kind: 'unusable', path: key, trouble: 'not-an-object' };
}
