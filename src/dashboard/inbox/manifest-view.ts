import { readCloseOutNote } from '../../manifests/close-out-note.js';
import type { HandoverDetails, HandoverSummary } from '../../manifests/handover-queries.js';
import { type Times, plural } from '../format.js';
import { SHAPES, type Shown, quiet } from '../shapes.js';

type State = HandoverSummary['state'];

const STATES: Readonly<Record<State, Shown>> = {
  open: quiet('Being done', SHAPES.waiting),
  failed: { word: 'Failed', tone: 'danger', shape: SHAPES.octagon },
  done: quiet('Done', SHAPES.tick),
};

/** What the tabs of the page show, in this order. */
export const TABS: readonly { readonly state: State | null; readonly word: string }[] = [
  { state: null, word: 'All' },
  ...(['failed', 'open', 'done'] as const).map((state) => ({ state, word: STATES[state].word })),
];

type Steps = Pick<HandoverSummary, 'carrierName' | 'closeOut' | 'attachment'>;

/** What failed, and what to do about it; empty: nothing failed. */
export function whatToDo({ carrierName, closeOut, attachment }: Steps): readonly string[] {
  return [closeOutAdvice(carrierName, closeOut), attachmentAdvice(attachment)].filter((each) => each !== null);
}

function closeOutAdvice(carrier: string, { state, note }: Steps['closeOut']): string | null {
  const said = note === null ? '' : `: “${note.replaceAll('\n', ' ')}”`;
  if (state === 'refused' && readCloseOutNote(note ?? '-').said === null)
    return `${carrier} was ${(note ?? '').replaceAll('\n', ' ')}. Mend what it names, then retry; or close out in the portal of ${carrier}.`;
  if (state === 'refused')
    return `${carrier} refused to close out${said}. Correct what it names, then retry; or close out in its portal.`;
  if (state !== 'given-up') return null;
  return `${carrier} was not closed out${said}. Look in its portal whether it is; if it is not, retry.`;
}

function attachmentAdvice({ state, note }: Steps['attachment']): string | null {
  const said = note === null ? '' : `: “${note}”`;
  if (state === 'refused' || state === 'given-up')
    return `The IMS did not take the list${said}. Print the PDF from here for the driver, then retry.`;
  return state === 'not-allowed' ? 'The list may not be attached in the IMS: print the PDF from here.' : null;
}

/** A row of the list, in words. */
export interface ManifestShown {
  readonly shown: Shown;
  readonly document: string;
  readonly href: string;
  readonly pdf: string;
  readonly reason: string;
  readonly carrier: string;
  readonly account: string;
  readonly area: string;
  readonly totals: string;
  readonly made: string;
  readonly at: string;
}

export function manifestShown(one: HandoverSummary, times: Times): ManifestShown {
  const { documentId, totals, state, carrierName: carrier, account, area, createdAt } = one;
  const href = manifestAddress(documentId);
  return {
    ...{ shown: STATES[state], document: documentId, href, pdf: pdfAddress(documentId, { area, account }) },
    ...{ reason: whatToDo(one).join(' '), carrier, account, area },
    totals: `${plural(totals.consignments, 'consignment')}, ${plural(totals.parcels, 'parcel')}`,
    ...{ made: times.time(createdAt), at: createdAt.toISOString() },
  };
}

export function manifestAddress(documentId: string): string {
  return `/manifests/${encodeURIComponent(documentId)}`;
}

function pdfAddress(documentId: string, of: { readonly area: string; readonly account: string }): string {
  return `${manifestAddress(documentId)}/pdf?${new URLSearchParams(of).toString()}`;
}

const STEP_WORDS: Readonly<Record<string, string>> = {
  open: 'being done',
  done: 'done',
  refused: 'refused',
  'given-up': 'given up',
  'not-offered': 'not needed',
  'not-allowed': 'not allowed',
  superseded: 'left by another note',
};

/** The manifests of one note, in words. */
export function manifestPage(
  { documentId, lists }: { readonly documentId: string; readonly lists: readonly HandoverDetails[] },
  timesOf: (area: string) => Times,
) {
  return lists.map((list) => {
    const { id, closeOut, attachment, consignments, sender, handedOverAt } = list;
    return {
      ...manifestShown({ documentId, ...list }, timesOf(list.area)),
      ...{ id, sender: sender[0] ?? '', handedOverAt, advice: whatToDo(list), isFailed: list.state === 'failed' },
      steps: [
        {
          name: 'Close out with the carrier',
          state: STEP_WORDS[closeOut.state] ?? closeOut.state,
          note: closeOut.note ?? '',
        },
        {
          name: 'Attach in the IMS',
          state: STEP_WORDS[attachment.state] ?? attachment.state,
          note: attachment.note ?? '',
        },
      ],
      consignments: consignments.map(({ consignmentId, shipmentNumber, carrierNumber, parcels, supersededBy }) => ({
        ...{ href: `/consignments/${consignmentId}`, shipment: shipmentNumber, number: carrierNumber ?? '—' },
        parcels: parcels.map(({ trackingNumber }) => trackingNumber),
        by: supersededBy ?? null,
      })),
    };
  });
}
