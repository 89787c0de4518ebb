import { type Consignment, type Effect, isOfRun } from '../consignment/consignment.js';

/** A write to the IMS that was not done, in an operator's words. */
export interface NotDone {
  readonly what: Effect['call']['kind'];
  /** `unknown`: the answer was lost, so it may be done. */
  readonly state: 'not-allowed' | 'failed' | 'unknown';
  readonly text: string;
  /** The IMS's answer, or why it was not asked. */
  readonly because: string | null;
}

/** The writes of the current run that were not done; empty when all were done. Pure. */
export function notDone(consignment: Consignment): readonly NotDone[] {
  return consignment.effects.flatMap(({ key, call, state, note }) => {
    const isMissing = state === 'not-allowed' || state === 'failed' || state === 'unknown';
    if (!isMissing || !isOfRun(key, consignment.run)) return [];
    return [{ what: call.kind, state, text: textOf(consignment, call, state), because: note }];
  });
}

/** Whether the label was sent to the printer. */
export function printedOf({ effects, run }: Consignment): 'yes' | 'no' | 'unknown' {
  const prints = effects.filter(({ key, call }) => call.kind === 'print' && isOfRun(key, run));
  if (prints.some(({ state }) => state === 'unknown' || state === 'sent')) return 'unknown';
  return prints.some(({ state }) => state === 'done') ? 'yes' : 'no';
}

function textOf(consignment: Consignment, call: Effect['call'], state: NotDone['state']): string {
  switch (call.kind) {
    case 'tracking':
      return `Tracking number ${call.trackingNumber} is not on container ${call.containerId} in the IMS.`;
    case 'carriers-number':
      return `The carrier's number ${call.number} is not on the shipment in the IMS.`;
    case 'attachment':
      return `The label is not attached in the IMS: it is at /api/v1/consignments/${consignment.id}/labels/0.`;
    case 'return-attachment':
      return (
        'The return labels are not attached in the IMS: each is at /api/v1/consignments/' +
        consignment.id +
        '/return-label/pdf.'
      );
    case 'print':
      return state === 'unknown'
        ? 'Whether the label was printed is unknown: the IMS did not answer.'
        : 'The label was not printed.';
    case 'customs-paper':
      return `The customs paper ${call.fileName} is not attached in the IMS.`;
    case 'error-sheet':
      return 'The sheet that says what went wrong is not attached in the IMS.';
    case 'print-error-sheet':
      return state === 'unknown'
        ? 'Whether the sheet that says what went wrong was printed is unknown: the IMS did not answer.'
        : 'The sheet that says what went wrong was not printed.';
    case 'work-status':
      return `The document stays ${consignment.claimed ? 'ON_GOING' : 'PENDING'} in the IMS instead of ${call.status}.`;
    case 'message':
      return state === 'unknown'
        ? `Whether the worker got the message "${call.message.key}" is unknown: the IMS did not answer.`
        : `The worker was not told: the message "${call.message.key}" was not taken.`;
    case 'not-allowed-notice':
      return 'The worker was not told what our access to the IMS does not cover.';
    case 'still-booked-notice':
      return 'The worker was not told which other transport bookings of the shipment are booked.';
    default:
      return `A write of another version of Waybridge, which this one does not know, was not done: ${(call as { readonly kind: string }).kind}.`;
  }
}
