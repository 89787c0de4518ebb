import { type OperationName, operation, operationNames } from '../../ims/operations.js';
import type { RecordedExchange } from '../../transport/recorded-http.js';
import type { RequestStep } from './kept-request.js';

/** What a request to a carrier is for, by its step. */
const AT_CARRIER: Readonly<Record<RequestStep, string>> = {
  prepare: 'Ask',
  book: 'Book',
  'find-outcome': 'Look for the booking',
  'fetch-labels': 'Fetch label',
  cancel: 'Cancel',
  write: 'Ask',
  return: 'Book the return',
};

/** The names of requests to the IMS; `{id}` is replaced. The others are named by what their operation does. */
const AT_IMS: Partial<Readonly<Record<OperationName, string>>> = {
  setWorkStatus: 'Set document {id}',
  loadDocument: 'Read document {id}',
  loadShipment: 'Read shipment {id}',
  listPackedItems: 'Read what is packed in shipment {id}',
  patchShipment: 'Carrier and number to shipment {id}',
  patchShippingContainer: 'Number to container {id}',
  attachToDocument: 'Attach label to document {id}',
  attachToShipment: 'Attach label to shipment {id}',
  postEventMessage: 'Tell the packer',
  printResource: 'Print the label',
  printDocument: 'Print the label',
  loadContext: 'Read area {id}',
  loadSeller: 'Read seller {id}',
};

const PATTERNS = operationNames.map((name) => {
  const { method, path } = operation(name);
  const pattern = new RegExp(`${path.replace('{id}', '([^/]+)')}$`);
  return { name, method, pattern, words: AT_IMS[name] ?? capital(operation(name).does) };
});

/** What a request does, for people. */
export function requestName({ receiver, request }: RecordedExchange, path: string, step: RequestStep | null): string {
  if (receiver.kind === 'carrier') return `${step === null ? request.method : AT_CARRIER[step]}: ${lastOf(path)}`;
  if (path.endsWith('/oauth2/token')) return 'Get a token';
  for (const { method, pattern, words, name } of PATTERNS) {
    const match = method === request.method ? pattern.exec(path) : null;
    if (match)
      return `${words.replace('{id}', match[1] ?? '')}${name === 'setWorkStatus' ? statusIn(request.json) : ''}`;
  }
  return `${request.method} ${path}`;
}

/** The whole path stands beside the name. */
function lastOf(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

function statusIn(json: unknown): string {
  const status = (json as { readonly workStatus?: unknown } | null | undefined)?.workStatus;
  return typeof status === 'string' ? ` to ${status}` : '';
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
