import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../../carriers/contract/model.js';
import { quoteProblems } from '../../messages/quote.js';
import { type Consignment, type Effect, type Part, carrierName, shipmentName } from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';

/** The limit of messages about one booking. */
const MAX_MESSAGES = 8;

/** The values that most messages share. */
export function subject(consignment: Consignment): { readonly shipmentNumber: string; readonly carrier: string } {
  return { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment) };
}

function quotedProblem(problem: Problem): string {
  return problem.code === null || problem.text.includes(problem.code)
    ? problem.text
    : `${problem.text} (${problem.code})`;
}

/** One message for each problem, in the carrier's words. */
export function refusals(
  consignment: Consignment,
  part: Part,
  because: 'data' | 'credentials' | 'account',
): readonly MessageDraft[] {
  const about = subject(consignment);
  if (because !== 'data') {
    const key = because === 'account' ? 'account-gone' : 'credentials';
    return [say(key, { ...about, problems: quoteAll(part.problems) })];
  }
  return part.problems.slice(0, MAX_MESSAGES).map((problem) => {
    const parcel =
      part.request.parcels.find((candidate) => candidate.id === problem.parcelId) ?? onlyParcel(consignment, part);
    const problems = quoteAll([problem]);
    return parcel
      ? say('refused-parcel', { ...about, problems, container: `${parcel.label} (${parcel.id})` })
      : say('refused', { ...about, problems });
  });
}

/** Why we did not find out ourselves whether it is booked. */
export function notLookedUp(consignment: Consignment, problems: readonly Problem[]): readonly MessageDraft[] {
  return problems.length === 0 ? [] : [say('not-looked-up', { ...subject(consignment), problem: quoteAll(problems) })];
}

/** A carrier's problems as one quotation. */
export function quoteAll(problems: readonly Problem[]): string {
  return quoteProblems(problems.map((problem) => ({ text: quotedProblem(problem) })));
}

/** Names the part's parcel where the shipment has several parts. */
function onlyParcel(consignment: Consignment, part: Part) {
  const severalContainers = (consignment.plan?.containers.length ?? 0) > 1;
  return severalContainers && part.request.parcels.length === 1 ? part.request.parcels[0] : undefined;
}

/**
 * Messages as effects, to the worker who caused the booking. A message that is already there, word for word, is not
 * added again.
 */
export function tell(consignment: Consignment, wave: number, messages: readonly MessageDraft[]): readonly Effect[] {
  return messages.map((message, index) => ({
    key: `message:${consignment.run}:${wave}:${index}:${message.key}`,
    wave,
    call: { kind: 'message', to: consignment.addressee, message },
    ...(stands(consignment, message) ? { state: 'done', note: 'told before' } : { state: 'open', note: null }),
  }));
}

function stands({ effects, addressee }: Consignment, message: MessageDraft): boolean {
  return effects.some(
    ({ call, state }) =>
      state === 'done' &&
      call.kind === 'message' &&
      call.to.eventId === addressee.eventId &&
      isDeepStrictEqual(call.message, message),
  );
}

/** The document's last status, when there is a document. */
export function workStatus(consignment: Consignment, wave: number, status: 'DONE' | 'FAILED'): readonly Effect[] {
  if (consignment.documentId === null) return [];
  return [
    { key: `work-status:${consignment.run}`, wave, call: { kind: 'work-status', status }, state: 'open', note: null },
  ];
}
