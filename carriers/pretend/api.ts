import type { CarrierService, HttpAnswer, LabelForm, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient, listAt, readProblems } from '../toolkit/index.js';
import type { PretendConfig } from './config.js';

/* The pretended carrier's own API; this folder's README documents its shapes. */

const CHANGE_TIMEOUT_MS = 10_000;
/** A choice by price does not wait for one. */
const QUOTE_TIMEOUT_MS = 3_000;

/** What a service can be: this folder's README, "Services". */
export const SERVICE = /^(standard|refused|nolabel|(down|lost|slow):\d+)$/;
/** The services, in words for people. */
export const SERVICES: readonly CarrierService[] = [
  { code: 'standard', name: 'booked' },
  { code: 'refused', name: 'refused' },
  { code: 'down:<n>', name: 'closed for the first n attempts' },
  { code: 'lost:<n>', name: 'booked, and the answer is lost in the first n attempts' },
  { code: 'slow:<ms>', name: 'answered after so many milliseconds' },
  { code: 'nolabel', name: 'booked, and its labels cannot be fetched' },
];
const SIZE = { widthMm: 100, heightMm: 150 } as const;
/** For printers of these resolutions it draws ZPL. */
export const LABELS: readonly LabelForm[] = [
  { format: 'pdf', ...SIZE },
  { format: 'zpl', ...SIZE, dpi: 203 },
  { format: 'zpl', ...SIZE, dpi: 300 },
];
export const MAX_WEIGHT_KG = 30;
export const MAX_PARCELS = 99;
export const MAX_REFERENCE_LENGTH = 40;
/** Numbers in one question about parcels. */
export const TRACK_AT_ONCE = 50;

export const pretendApi = ({ apiKey }: PretendConfig, tools: Tools) =>
  jsonClient(
    tools,
    { headers: { authorization: `Bearer ${apiKey}` }, problemsFrom, neverDone },
    {
      book: { method: 'POST', path: '/bookings', effect: 'change', timeoutMs: CHANGE_TIMEOUT_MS },
      find: { method: 'GET', path: '/bookings', effect: 'read' },
      returnLabel: { method: 'POST', path: '/returns', effect: 'change', timeoutMs: CHANGE_TIMEOUT_MS },
      quote: { method: 'POST', path: '/quotes', effect: 'read', timeoutMs: QUOTE_TIMEOUT_MS },
      labels: { method: 'GET', path: '/bookings/{number}/labels', effect: 'read', answer: 'label' },
      cancel: {
        method: 'DELETE',
        path: '/bookings/{number}',
        effect: 'change',
        timeoutMs: CHANGE_TIMEOUT_MS,
        answer: 'none',
      },
      track: { method: 'GET', path: '/tracking', effect: 'read' },
      closeOut: { method: 'POST', path: '/manifests', effect: 'change', timeoutMs: CHANGE_TIMEOUT_MS },
      probe: {
        method: 'GET',
        path: '/bookings',
        effect: 'read',
        query: { reference: 'probe' },
        timeoutMs: PROBE_TIMEOUT_MS,
      },
    },
  );

/** `{ errors: [{ code, text, parcel? }] }`, where `parcel` is our id. */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  const rows = listAt(tryParseJson(answer.body), 'errors');
  return readProblems(rows, { code: 'code', text: 'text', parcel: 'parcel' });
}

/** Its documentation promises that nothing was done when it answers 503 `closed`. */
export function neverDone(answer: HttpAnswer): boolean {
  return answer.status === 503 && problemsFrom(answer).some((problem) => problem.code === 'closed');
}
