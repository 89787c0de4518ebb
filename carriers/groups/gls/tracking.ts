import type { HttpAnswer, Problem, Tools, TrackingEvent, TrackingStatus } from '../../contract/index.js';
import { tryParseJson } from '../../contract/index.js';
import type { EventFields } from '../../toolkit/index.js';
import { TOKEN_CALL, boundedEvents, clientLogin, jsonClient, listAt, momentWithOffset } from '../../toolkit/index.js';
import {
  neededList,
  problemOf,
  readEvents,
  statusIn,
  statusTable,
  textAt,
  trackingEvent,
} from '../../toolkit/index.js';
import type { GlsGroupConfig } from './config.js';

/** Traits of this tracking: the numbers in one question, and the calls a day that GLS allows at first (README). */
export const TRACKING_TRAITS = { trackAtOnce: 10, trackCallsPerDay: 500 } as const;

/**
 * `status` of a parcel (this folder's README). There is none for customs, returns
 * and losses.
 */
export const STATUSES = statusTable({
  registered: ['PREADVICE', 'PLANNEDPICKUP', 'INPICKUP', 'NOTPICKEDUP'], // not picked up: GLS has not got it
  'in-transit': ['INTRANSIT', 'INWAREHOUSE'],
  'out-for-delivery': ['INDELIVERY'],
  'at-pickup-point': ['DELIVEREDPS'],
  delivered: ['DELIVERED', 'FINAL'], // final: its history is closed
  'delivery-failed': ['NOTDELIVERED'],
  cancelled: ['CANCELED'],
});

/** `code` of an event in a parcel's history, with the spelling of GLS; seen in answers that others have published. */
export const EVENT_STATUSES = statusTable({
  registered: ['INTIAL.PREADVICE'],
  'handed-over': ['INTIAL.NORMAL'],
  'in-transit': ['INBOUD.NORMAL', 'OUTBOD.NORMAL'],
  'out-for-delivery': ['OUTDEL.NORMAL'],
  'at-pickup-point': ['DELIVD.PARCELSHOP'],
  delivered: ['DELIVD.NORMAL'],
  cancelled: ['CANCEL.NORMAL'],
});

export const EVENT: EventFields = {
  ...{ at: 'eventDateTime', code: 'code', text: 'description', place: ['postalCode', 'city', 'country'] },
  statusOf: (code) => statusIn(EVENT_STATUSES, code),
};

const ENDPOINTS = {
  token: { ...TOKEN_CALL, path: '/oauth2/v2/token' },
  track: {
    method: 'GET',
    path: '/track-and-trace-v1/tracking/simple/trackids/{numbers}',
    effect: 'read',
    headers: { accept: 'application/json', 'accept-language': 'EN' },
  },
} as const;

/** The Track & Trace of GLS Group: a host and credentials of its own, beside those of the country's carrier. */
export function glsTracking(config: GlsGroupConfig, { http }: Tools) {
  const api = jsonClient({ http, baseUrl: config.baseUrl }, { problemsFrom }, ENDPOINTS);
  return async (numbers: readonly string[]): Promise<readonly TrackingEvent[]> => {
    // A token for each call: nothing is kept between calls, and GLS gives out many times more tokens a day than answers.
    const headers = await clientLogin(config, api.token);
    return fromGlsTracking(numbers, await api.track({ headers, params: { numbers } }));
  };
}

/** Three shapes: of the token service, of the gateway, of Track & Trace. */
function problemsFrom({ status, body }: HttpAnswer): readonly Problem[] {
  const json = tryParseJson(body);
  const messages = listAt(json, 'errors').map((error) => textAt(error, 'message'));
  const texts = [...messages, textAt(json, 'fault', 'faultstring'), textAt(json, 'detail')];
  return texts.filter((text) => status >= 400 && text !== null).map((text) => problemOf(`${status}`, text));
}

/**
 * What happened to some parcels. Those that GLS does not know stand in the answer with an error of their own.
 * @throws Error the answer has no parcels
 */
export function fromGlsTracking(trackingNumbers: readonly string[], json: unknown): readonly TrackingEvent[] {
  const parcels = neededList(json, 'parcels');
  return trackingNumbers.flatMap((number) => {
    const asked = parcels.filter((parcel) => textAt(parcel, 'requested') === number);
    return boundedEvents(asked.flatMap((parcel) => eventsOf(number, parcel)));
  });
}

/** Says that nothing more will happen; how the parcel ended is in its history, if it is anywhere. */
const CLOSED = 'FINAL';
const ENDS: readonly TrackingStatus[] = ['delivered', 'cancelled'];

/**
 * The history, and the parcel's status as an event of its own when none in the history is of that moment. The event that
 * is has led to the status, which says what its code means where the table does not; it has no word for "handed over".
 */
function eventsOf(trackingNumber: string, parcel: unknown): readonly TrackingEvent[] {
  const [code, at] = [textAt(parcel, 'status'), momentWithOffset(textAt(parcel, 'statusDateTime'))];
  const history = readEvents(listAt(parcel, 'events'), EVENT, { trackingNumber });
  if (code === null || at === null) return history;
  if (code === CLOSED && history.some(({ status }) => ENDS.includes(status))) return history;
  const status = statusIn(STATUSES, code);
  const last = history.find((event) => Date.parse(event.at) === Date.parse(at));
  if (!last) return [...history, trackingEvent({ trackingNumber, at, status, code })];
  return history.map((event) => (event === last && event.status === 'unrecognised' ? { ...event, status } : event));
}
