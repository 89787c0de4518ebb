import type { HttpAnswer, Problem, Tools, TrackingEvent, TrackingStatus } from '../contract/index.js';
import { tryParseJson } from '../contract/index.js';
import { listAt, neededAt, neededList, textAt } from '../toolkit/json.js';
import { jsonClient } from '../toolkit/json-client.js';
import { statusTable } from '../toolkit/tracking/status-table.js';
import { boundedEvents, momentWithOffset } from '../toolkit/tracking/tracking-event.js';
import type { GlsTrackingConfig } from './config.js';

/** Numbers in one question. */
export const TRACK_AT_ONCE = 10;

/**
 * `status` of a parcel in the group's Track & Trace: this folder's README, Tracking. There is none for customs, returns
 * and losses.
 */
export const STATUSES = statusTable({
  PREADVICE: 'registered',
  PLANNEDPICKUP: 'registered',
  INPICKUP: 'registered',
  NOTPICKEDUP: 'registered', // at the sender's: GLS has not got it
  INTRANSIT: 'in-transit',
  INWAREHOUSE: 'in-transit',
  INDELIVERY: 'out-for-delivery',
  DELIVEREDPS: 'at-pickup-point',
  DELIVERED: 'delivered',
  FINAL: 'delivered', // its history is closed
  NOTDELIVERED: 'delivery-failed',
  CANCELED: 'cancelled',
});

/** `code` of an event in a parcel's history, with the spelling of GLS; seen in answers that others have published. */
export const EVENTS = statusTable({
  'INTIAL.PREADVICE': 'registered',
  'INTIAL.NORMAL': 'handed-over',
  'INBOUD.NORMAL': 'in-transit',
  'OUTBOD.NORMAL': 'in-transit',
  'OUTDEL.NORMAL': 'out-for-delivery',
  'DELIVD.PARCELSHOP': 'at-pickup-point',
  'DELIVD.NORMAL': 'delivered',
  'CANCEL.NORMAL': 'cancelled',
});

/** The Track & Trace of GLS Group: another host and other credentials than the web service of GLS Denmark. */
const groupApi = ({ baseUrl }: GlsTrackingConfig, { http }: Tools) =>
  jsonClient(
    { http, baseUrl: baseUrl.replace(/\/+$/, '') },
    { problemsFrom },
    {
      token: {
        method: 'POST',
        path: '/oauth2/v2/token',
        effect: 'read',
        // it says 400 of a client that it does not know
        meansOtherwise: ({ status }) => (status === 400 ? 'credentials' : null),
      },
      track: { method: 'GET', path: '/track-and-trace-v1/tracking/simple/trackids/{numbers}', effect: 'read' },
    },
  );

/** Three shapes: of the token service, of the gateway, of Track & Trace. */
function problemsFrom(answer: HttpAnswer): readonly Problem[] {
  if (answer.status < 400) return [];
  const json = tryParseJson(answer.body);
  const said = [
    ...listAt(json, 'errors').map((error) => textAt(error, 'message')),
    textAt(json, 'fault', 'faultstring'),
    textAt(json, 'detail'),
  ];
  return said.filter((text) => text !== null).map((text) => ({ code: String(answer.status), text, parcelId: null }));
}

export function credentialsOf({ clientId, clientSecret }: GlsTrackingConfig): string {
  return Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
}

/** Asks what happened to parcels. */
export function glsTracking(config: GlsTrackingConfig, tools: Tools) {
  const api = groupApi(config, tools);
  // A token for each call: nothing is kept between calls, and GLS gives out many times more tokens a day than answers.
  return async (numbers: readonly string[]): Promise<readonly TrackingEvent[]> => {
    const token = await api.token({
      headers: { authorization: `Basic ${credentialsOf(config)}` },
      form: { grant_type: 'client_credentials' },
    });
    const authorization = `Bearer ${neededAt(token, 'access_token')}`;
    const headers = { authorization, accept: 'application/json', 'accept-language': 'EN' };
    return fromGlsTracking(numbers, await api.track({ headers, params: { numbers } }));
  };
}

/** Says that nothing more will happen; how the parcel ended is in its history, if it is anywhere. */
const CLOSED = 'FINAL';
const ENDS: readonly TrackingStatus[] = ['delivered', 'cancelled'];

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

/**
 * The history, and the parcel's status as an event of its own when none in the history is of that moment; the event that
 * is has led to the status, which says what its code means.
 */
function eventsOf(trackingNumber: string, parcel: unknown): readonly TrackingEvent[] {
  const current = textAt(parcel, 'status');
  const since = momentWithOffset(textAt(parcel, 'statusDateTime'));
  const history = listAt(parcel, 'events').flatMap((row) => historyEvent(trackingNumber, row));
  if (current === null || since === null) return history;
  if (current === CLOSED && history.some(({ status }) => ENDS.includes(status))) return history;
  const status = STATUSES.get(current) ?? 'unrecognised';
  const last = history.find(({ at }) => Date.parse(at) === Date.parse(since));
  if (last) return history.map((event) => (event === last ? { ...event, status: known(event, status) } : event));
  return [...history, { ...eventAt(trackingNumber, since), status, code: current }];
}

/** A code that is in the table says more than the parcel's status, which has no word for "handed over". */
function known({ status }: TrackingEvent, ofParcel: TrackingStatus): TrackingStatus {
  return status === 'unrecognised' ? ofParcel : status;
}

function historyEvent(trackingNumber: string, row: unknown): readonly TrackingEvent[] {
  const code = textAt(row, 'code');
  const at = momentWithOffset(textAt(row, 'eventDateTime'));
  if (at === null) return [];
  const status = EVENTS.get(code ?? '') ?? 'unrecognised';
  return [{ ...eventAt(trackingNumber, at), status, code, text: textAt(row, 'description'), place: placeOf(row) }];
}

function eventAt(trackingNumber: string, at: string) {
  const unknown = { text: null, place: null, estimatedDelivery: null, id: null };
  return { trackingNumber, at, zone: 'stated', ...unknown } as const;
}

function placeOf(row: unknown): string | null {
  return ['postalCode', 'city', 'country'].flatMap((field) => textAt(row, field) ?? []).join(' ') || null;
}
