import type { HttpAnswer, LabelForm, LabelFormat, Party, Problem, Tools } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { PROBE_TIMEOUT_MS, jsonClient, languageOf, listAt, problemOf, said, textAt } from '../toolkit/index.js';
import { valueAt } from '../toolkit/index.js';
import type { PostnordConfig } from './config.js';

export const PRODUCTION = 'https://api2.postnord.com';
export const TEST = 'https://atapi2.postnord.com';

const SHIPMENT = '/rest/shipment/v3';
const TRACKING = '/rest/shipment/v7/trackandtrace';
const POINTS = '/rest/businesslocation/v5/servicepoints';
export const SIZE = { widthMm: 105, heightMm: 190 };
/** Booking: `labelType` standard, a label for each parcel; ZPL for 8 dots per millimetre only. */
export const LABELS: readonly LabelForm[] = [
  { format: 'pdf', ...SIZE },
  { format: 'zpl', ...SIZE, dpi: 203 },
];
const PRINTOUTS = {
  pdf: { paperSize: 'LABEL', multiPDF: 'false' },
  zpl: { dpmm: '8dpmm', multiZPL: 'false' },
} as const satisfies Readonly<Record<LabelFormat, object>>;
const PRINT = { method: 'POST', effect: 'change', timeoutMs: 60_000 } as const;
const READ = { method: 'GET', effect: 'read' } as const;
const NEAREST = { returnType: 'json', context: 'optionalservicepoint', responseFilter: 'public' };
/** Only tracking itself says of a reference that it is unknown: the 404 of a gateway says nothing of a booking. */
const meansOtherwise = ({ status, body }: HttpAnswer) =>
  status === 404 && valueAt(tryParseJson(body), 'compositeFault') ? 'fine' : null;

const ENDPOINTS = {
  book: { ...PRINT, path: `${SHIPMENT}/edi/labels/{format}` },
  return: { ...PRINT, path: `${SHIPMENT}/returns/edi/labels/{format}` },
  labels: { ...PRINT, path: `${SHIPMENT}/labels/ids/{format}`, effect: 'read', answer: 'list' },
  track: { ...READ, path: `${TRACKING}/id/{id}/public`, query: { locale: 'en' }, noneOn: [404] },
  find: { ...READ, path: `${TRACKING}/customernumber/{customerNumber}/reference/{reference}/public`, meansOtherwise },
  pointsNear: { ...READ, path: `${POINTS}/nearest/byaddress`, query: NEAREST },
  points: { ...READ, path: `${POINTS}/ids`, query: { returnType: 'json' }, noneOn: [404] },
  /** Answered with a word, not with JSON. */
  customer: { ...READ, path: '/rest/shipment/v1/validate/customernumber', answer: 'any', timeoutMs: PROBE_TIMEOUT_MS },
} as const;

export type PostnordApi = ReturnType<typeof postnordApi>;

export function postnordApi({ apiKey, test }: PostnordConfig, { http, baseUrl }: Tools) {
  const tools = { http, baseUrl: test && baseUrl === PRODUCTION ? TEST : baseUrl };
  return jsonClient(tools, { query: { apikey: apiKey }, problemsFrom }, ENDPOINTS);
}

/**
 * The path and the query that ask for labels of a form.
 * @param told gets PostNord's messages, which are Swedish otherwise
 */
export function printedAs({ format }: Pick<LabelForm, 'format'> = { format: 'pdf' }, told?: Party) {
  const locale = told && { locale: languageOf(told.address.countryCode) };
  return { params: { format }, query: { ...PRINTOUTS[format], ...locale } };
}

export const isFailed = (row: unknown): boolean => ['FAIL', 'ERROR'].includes(textAt(row, 'status') ?? '');

/** PostNord also reports faults with status 200: at the root, in a search, or in a failed booking's or label's row. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const json = tryParseJson(body);
  const rows = listAt(json, 'bookingResponse', 'idInformation');
  if (status < 300 && rows.some((row) => textAt(row, 'status') === 'OK')) return [];
  const wrapped = ['servicePointInformationResponse', 'TrackingInformationResponse'].map((each) => valueAt(json, each));
  const labels = listAt(json).flatMap((printout) => listAt(printout, 'itemIds'));
  const reasons = [...rows, ...labels].filter(isFailed).map((row) => valueAt(row, 'errorResponse'));
  const faults = [json, ...wrapped, ...reasons].flatMap((each) => listAt(each, 'compositeFault', 'faults'));
  if (faults.length > 0) return faults.map(toProblem);
  // the gateway before the service looks at the key
  const gateway = textAt(json, 'error', 'message')?.concat(': is the key for this API of PostNord?');
  const refused = status < 300 ? [] : said(gateway ?? textAt(json, 'message'));
  return [...refused, ...reasons.map((each) => textAt(each, 'message'))].map((message) => problemOf(null, message));
}

function toProblem(fault: unknown): Problem {
  const about = (each: unknown) => `(${textAt(each, 'param')}: ${textAt(each, 'value') ?? 'empty'})`;
  const text = textAt(fault, 'explanationText') ?? 'no reason given';
  const code = textAt(fault, 'faultCode') ?? textAt(fault, 'faultReferences', 0, 'value');
  return problemOf(code, [text, ...listAt(fault, 'paramValues').map(about)].join(' '));
}
