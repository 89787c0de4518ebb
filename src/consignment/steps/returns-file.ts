import type { Label } from '../../../carriers/contract/model.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { quoteProblems } from '../../messages/quote.js';
import { type Consignment, returnFileName } from '../consignment.js';
import type { BookingContext } from '../context.js';
import type { StoredLabel } from '../ledger/label-rows.js';
import { subject } from '../machine/booking-messages.js';
import { type ReturnPlace, returnPlaceOf } from '../return-beside.js';

/** Return labels that a booking asks for; none of them holds its own labels up. */
export interface Returned {
  /** `null`: it asks for none. */
  readonly place: ReturnPlace | null;
  readonly labels: readonly Label[];
  /** Warnings for the end of the booking: which parcel has no return label, and what to do. */
  readonly warnings: readonly MessageDraft[];
}

/** The file of return labels beside the file of labels, which is 0. */
export const RETURNS_FILE = 1;

const NONE: Returned = { place: null, labels: [], warnings: [] };

export async function returnedWith(context: BookingContext, consignment: Consignment): Promise<Returned> {
  const place = returnPlaceOf(consignment);
  if (place === null || context.returnsBeside === undefined) return NONE;
  const all = await context.returnsBeside(consignment);
  return {
    place,
    labels: all.flatMap(({ label }) => (label === null ? [] : [{ format: 'pdf', bytes: label } as const])),
    warnings: all.flatMap(({ parcelId, problem }) =>
      problem === null ? [] : [missing(consignment, { parcelId, problem })],
    ),
  };
}

/** The document of return labels, also where they were to be last pages and cannot be; without it where it cannot be made. */
export async function returnsFile(
  context: BookingContext,
  consignment: Consignment,
  { place, labels, warnings }: Returned,
): Promise<{ readonly files: readonly StoredLabel[]; readonly warnings: readonly MessageDraft[] }> {
  if (labels.length === 0) return { files: [], warnings };
  try {
    const whole = await context.assemble(labels, null);
    const told = place === 'last-page' ? [...warnings, notOnThePaper(consignment)] : warnings;
    return { files: [{ n: 0, k: RETURNS_FILE, ...whole }], warnings: told };
  } catch (error) {
    if (!(error instanceof LabelUnusable)) throw error;
    return { files: [], warnings: [...warnings, unusable(consignment, error)] };
  }
}

/** The return labels are made, and cannot be printed from here. */
function unusable(consignment: Consignment, { message }: LabelUnusable): MessageDraft {
  return missing(consignment, { parcelId: containersOf(consignment), problem: message });
}

function notOnThePaper(consignment: Consignment): MessageDraft {
  const problem = `it does not go onto the paper of the label, and is attached as ${returnFileName(consignment)}`;
  return missing(consignment, { parcelId: containersOf(consignment), problem });
}

function containersOf({ parts }: Consignment): string {
  return parts.flatMap(({ request }) => request.parcels.map(({ id }) => id)).join(', ');
}

function missing(
  consignment: Consignment,
  { parcelId, problem }: { readonly parcelId: string; readonly problem: string },
): MessageDraft {
  const parcels = consignment.parts.flatMap(({ request }) => request.parcels);
  const label = parcels.find(({ id }) => id === parcelId)?.label;
  const container = label === undefined ? parcelId : `${label} (${parcelId})`;
  return say('return-label-missing', {
    ...subject(consignment),
    container,
    problem: quoteProblems([{ text: problem }]),
  });
}
