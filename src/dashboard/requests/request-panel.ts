import type { KeptBody, KeptSide } from '../../consignment/requests/kept-request.js';
import type { RequestDetails } from '../../operator/requests/request-queries.js';
import { count, duration } from '../format.js';
import { type WaterfallOf, faultName, receiverOf, statusOf, toneOf } from './waterfall.js';

/** Both sides of one request, as texts. */
export interface RequestPanel {
  readonly id: string;
  readonly name: string;
  readonly requestId: string | null;
  readonly receiver: string;
  readonly time: string;
  readonly at: string;
  readonly request: string;
  readonly status: string;
  readonly took: string;
  readonly tone: string;
  readonly fault: string | null;
  /** `null`: no answer came; `because` says why. */
  readonly answer: string | null;
  readonly because: string | null;
  readonly curl: string | null;
}

const CLOCK = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;

export function panelOf(
  request: RequestDetails,
  { of, timeZone }: { readonly of: Pick<WaterfallOf, 'account' | 'carrier'>; readonly timeZone: string },
): RequestPanel {
  const { id, name, requestId, at, tookMs, because, sides, curl } = request;
  const receiver = receiverOf(request, of);
  return {
    ...{ id, name, requestId, at, because, curl, receiver: receiver === 'IMS' ? 'the IMS' : receiver },
    time: new Intl.DateTimeFormat('en-GB', { timeZone, ...CLOCK }).format(new Date(at)),
    request: requestText(request),
    ...{ status: statusOf(request), took: duration(tookMs), tone: toneOf(request), fault: faultName(request, of) },
    answer: answerText(request.status, sides?.answer ?? null),
  };
}

function requestText({ method, path, sides }: RequestDetails): string {
  if (sides === null) return `${method} ${path}\n\n${DELETED}`;
  const query = Object.entries(sides.query).map(
    ([name, value], place) => `  ${place === 0 ? '?' : '&'}${name}=${value}`,
  );
  return [`${method} ${path}`, ...query, sideText(sides.request)].join('\n');
}

const DELETED = 'Headers and body were deleted after the time that they are kept.';

function answerText(status: number | null, answer: KeptSide | null): string | null {
  if (status === null) return null;
  return answer === null ? DELETED : sideText(answer);
}

function sideText({ headers, body }: KeptSide): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...lines, '', bodyText(body)].join('\n').trimEnd();
}

function bodyText(body: KeptBody): string {
  switch (body.kind) {
    case 'none':
      return '';
    case 'text':
      return body.text;
    case 'form':
    case 'json':
      return JSON.stringify(body.value, null, 2) ?? '';
    case 'left-out':
      return `(${body.type === '' ? 'no type' : body.type}, ${count(body.bytes)} bytes: not kept)`;
  }
}
