import { parse, stringify } from 'lossless-json';
import { isJsonObject } from '../../../carriers/contract/json.js';
import type { TrackedParcel } from '../parcels/parcel-rows.js';

/** Each application has a key of its own in a `dataDocument`; this is ours. */
const OWN_KEY = 'Waybridge';

/** The document cannot be changed without damage to other applications' data. */
export class NotOurDocument extends Error {
  override readonly name = 'NotOurDocument';
}

/**
 * Adds the parcels' status to a shipment's `dataDocument`, under our own key. Everything else stays as it is, including
 * the digits of its numbers.
 * @param before `null` or blank: there is no document yet
 * @returns `null`: the document has these statuses already
 * @throws NotOurDocument it is not a JSON object
 */
export function withStatuses(before: string | null, parcels: readonly TrackedParcel[]): string | null {
  const document = readDocument(before);
  const own = isObject(document[OWN_KEY]) ? document[OWN_KEY] : {};
  const after = { ...document, [OWN_KEY]: { ...own, parcels: parcels.map(shown) } };
  const text = stringify(after) ?? '{}';
  return text === stringify(document) ? null : text;
}

function shown({ containerId, trackingNumber, status, statusAt, place, estimatedDelivery }: TrackedParcel) {
  return {
    containerId,
    trackingNumber,
    status,
    at: statusAt?.toISOString() ?? null,
    place,
    estimatedDelivery,
  };
}

function readDocument(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null || text.trim() === '') return {};
  const document = parsed(text);
  if (!isObject(document)) throw new NotOurDocument('the dataDocument of the shipment holds no JSON object');
  return document;
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && !('isLosslessNumber' in value);
}
