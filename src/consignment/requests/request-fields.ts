import type { CarrierAdapter } from '../../../carriers/contract/adapter.js';
import type { RequestFields } from '../../../carriers/contract/http-port.js';

/** What all carriers together declare: stored requests may be of a carrier that no account has any more. */
export function requestFieldsOf(adapters: readonly CarrierAdapter[]): Required<RequestFields> {
  const all = (kind: keyof RequestFields) => adapters.flatMap(({ requestFields }) => requestFields?.[kind] ?? []);
  return { plain: all('plain'), personal: all('personal'), secret: all('secret'), plainHeaders: all('plainHeaders') };
}
