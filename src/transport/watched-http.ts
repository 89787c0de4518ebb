import type { HttpAnswer, HttpPort } from '../../carriers/contract/http-port.js';

/** Passes everything on, and keeps what came last. */
export function watchingHttp(http: HttpPort): { readonly http: HttpPort; readonly last: () => HttpAnswer | null } {
  let last: HttpAnswer | null = null;
  const send: HttpPort['send'] = async (request) => (last = await http.send(request));
  return { http: { ...http, send, fetchLink: http.fetchLink }, last: () => last };
}

/** Whether the answer to a harmless call, which shows that the carrier is there, refuses our login. */
export function refusesLogin(status: number | null): boolean {
  return status === 401 || status === 403;
}
