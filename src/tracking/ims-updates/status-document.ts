import { parse, stringify } from 'lossless-json';
import type { Parcel } from '../parcels/parcel-rows.js';

/** Applications keep their own things under their names in a `dataDocument`; this is ours. */
const OWN_KEY = 'Waybridge';

/** What the document is, and cannot be written into without harm to others. */
export class NotOurDocument extends Error {
  override readonly name = 'NotOurDocument';
}

/**
 * A shipment's `dataDocument` with the status of its parcels under our own key. Everything else in it stays as it is, to
 * the last digit of its numbers.
 * @param before `null` or blank: there is none yet
 * @returns `null`: it says so already
 * @throws NotOurDocument it holds no JSON object
 */
export function withStatuses(before: string | null, parcels: readonly Parcel[]): string | null {
  const document = readDocument(before);
  const own = isObject(document[OWN_KEY]) ? document[OWN_KEY] : {};
  const after = { ...document, [OWN_KEY]: { ...own, parcels: parcels.map(shown) } };
  const text = stringify(after) ?? '{}';
  return text === stringify(document) ? null : text;
}

function shown({ containerId, trackingNumber, status, statusAt, place, estimatedDelivery }: Parcel) {
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('isLosslessNumber' in value);
}
