import type { HttpAnswer, Label, Operation, Problem, Tools, TrackingEvent } from '../contract/index.js';
import { accepted, carrierError, CarrierRejected, OutcomeUnknown, quoted, tryParseJson } from '../contract/index.js';
import { textAt } from '../toolkit/json.js';
import { pdfLabel } from '../toolkit/pdf-answer.js';
import { PROBE_TIMEOUT_MS, duringProbe, notTheCarrier } from '../toolkit/probe.js';
import type { DaoConfig } from './config.js';
import { withoutSecret } from './secrets.js';
import { fromDaoTracking } from './tracking/lookup.js';
import type { DaoOrder, DaoQuery } from './wire.js';
import { CANCEL_PATH, CODES_PATH, FAILED, LABEL_PATH, OK, TRACK_PATH } from './wire.js';

/** Long: without a search, an answer that we did not wait for costs a person's time. */
const ORDER_TIMEOUT_MS = 60_000;
const LABEL_TIMEOUT_MS = 15_000;
const TRACKING_TIMEOUT_MS = 15_000;

/** Where DAO complains of the account, and not of the parcel; its codes are not known to us. */
const ABOUT_THE_ACCOUNT = /\b(kundeid|kode)\b/i;

/** Each throws CarrierRejected where DAO says no. */
export interface DaoClient {
  /**
   * Books one parcel.
   * @returns its barcode
   * @throws CarrierUnavailable | OutcomeUnknown
   */
  placeOrder(order: DaoOrder): Promise<string>;
  /** @throws CarrierUnavailable */
  fetchLabel(barcode: string): Promise<Label>;
  /** @throws CarrierUnavailable | OutcomeUnknown */
  cancel(barcode: string): Promise<void>;
  /**
   * @returns nothing where DAO refuses the parcel: it may not know it yet
   * @throws CarrierUnavailable
   */
  track(barcode: string): Promise<readonly TrackingEvent[]>;
  /**
   * Asks for DAO's list of error codes.
   * @throws CarrierUnavailable
   */
  probe(): Promise<void>;
}

export function daoClient(config: DaoConfig, tools: Tools): DaoClient {
  const call = async <Result>(question: Question, read: (answer: HttpAnswer) => Result): Promise<Result> => {
    const { path, query, operation, timeoutMs } = question;
    const account = { kundeid: config.customerId, kode: config.code, format: 'JSON' };
    const url = tools.baseUrl + path;
    try {
      const effect = operation === 'change' ? { effect: operation } : {};
      const answer = await tools.http.send({
        method: 'GET',
        url,
        query: { ...account, ...query },
        timeoutMs,
        ...effect,
      });
      return read(accepted(answer, { operation, problemsFrom }));
    } catch (error) {
      throw withoutSecret(carrierError(error, operation), config.code);
    }
  };
  return {
    placeOrder: ({ path, query }) =>
      call(
        { path, query: { ...query, ...orderQuery(config) }, operation: 'change', timeoutMs: ORDER_TIMEOUT_MS },
        barcodeIn,
      ),
    fetchLabel: (barcode) => {
      const query = { stregkode: barcode, papir: config.paper };
      return call({ path: LABEL_PATH, query, operation: 'read', timeoutMs: LABEL_TIMEOUT_MS }, pdfLabel);
    },
    cancel: (barcode) => {
      const query = { stregkode: barcode };
      return call({ path: CANCEL_PATH, query, operation: 'change', timeoutMs: ORDER_TIMEOUT_MS }, confirmedIn);
    },
    track: (barcode) => {
      const query = { stregkode: barcode, sprog: 'EN' };
      const question: Question = { path: TRACK_PATH, query, operation: 'read', timeoutMs: TRACKING_TIMEOUT_MS };
      const asked = call(question, (answer) => fromDaoTracking(barcode, answer, config.trackingCodes));
      return asked.catch(nothingKnown);
    },
    probe: () => {
      const question: Question = { path: CODES_PATH, query: {}, operation: 'read', timeoutMs: PROBE_TIMEOUT_MS };
      return duringProbe(() => call(question, requireJson));
    },
  };
}

interface Question {
  readonly path: string;
  readonly query: DaoQuery;
  /** DAO asks for everything by GET, so the method does not tell. */
  readonly operation: Operation;
  readonly timeoutMs: number;
}

/** What the account's settings say about every order. */
function orderQuery(config: DaoConfig): DaoQuery {
  return { ...(config.senderId ? { afsenderid: config.senderId } : {}), ...(config.test ? { test: '1' } : {}) };
}

function barcodeIn(answer: HttpAnswer): string {
  const json = tryParseJson(answer.body);
  const barcode = textAt(json, 'resultat', 'stregkode');
  if (barcode === null) throw new OutcomeUnknown(`an answer without a barcode: ${quoted(answer)}`);
  return barcode;
}

function requireJson(answer: HttpAnswer): void {
  if (tryParseJson(answer.body) === undefined) throw notTheCarrier(answer);
}

function confirmedIn(answer: HttpAnswer): void {
  if (textAt(tryParseJson(answer.body), 'status') !== OK)
    throw new OutcomeUnknown(`an answer that confirms nothing: ${quoted(answer)}`);
}

/** A refusal that is not about the account is about the parcel. */
function nothingKnown(error: unknown): readonly TrackingEvent[] {
  const isRefused = error instanceof CarrierRejected && error.because === 'data';
  if (isRefused && !error.problems.some(({ text }) => ABOUT_THE_ACCOUNT.test(text))) return [];
  throw error;
}

/** DAO's own words are Danish. */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  const json = tryParseJson(answer.body);
  if (textAt(json, 'status') !== FAILED) return [];
  const code = textAt(json, 'fejlkode');
  const text = textAt(json, 'fejltekst') ?? 'DAO gives no reason';
  return [{ code, text: code === null ? text : `${text} (${code})`, parcelId: null }];
}
