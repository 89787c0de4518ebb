import type { Letter, LetterKind } from '../../dead-letters/letter-rows.js';
import { type Times, plural } from '../format.js';
import { CAUSES, type Shown } from '../shapes.js';
import { manifestAddress } from './manifest-view.js';
import { parcelAddress } from './parcel-view.js';
import { sentence } from './sentence.js';

interface Words {
  readonly tab: string;
  readonly shown: Shown;
}

/** What the tabs of the page show, in this order. */
export const LETTER_WORDS: Readonly<Record<LetterKind, Words>> = {
  webhook: { tab: 'Webhooks', shown: CAUSES['dead-letter'] },
  update: { tab: 'Updates to the IMS', shown: CAUSES['given-up'] },
  callback: { tab: 'Callbacks', shown: CAUSES['failed-callback'] },
  task: { tab: 'Tasks', shown: CAUSES['given-up-task'] },
  manifest: { tab: 'Manifests', shown: CAUSES['failed-manifest'] },
};

/** A row of the list, in words. */
export interface LetterShown {
  readonly id: string;
  readonly shown: Shown;
  readonly what: string;
  readonly reason: string;
  readonly about: string;
  /** The page of what it is about; `null`: none. */
  readonly href: string | null;
  readonly where: string;
  readonly attempts: string;
  readonly began: string;
  readonly at: string;
}

export function letterShown(letter: Letter, times: Times): LetterShown {
  const { id, kind, reason, area, account, url, attempts, createdAt } = letter;
  const where = [url, account, area === null ? null : `area ${area}`].filter((each) => each !== null).join(', ');
  return {
    ...{
      id,
      shown: LETTER_WORDS[kind].shown,
      what: whatOf(letter),
      reason: sentence(reason ?? 'no reason is known'),
      ...aboutOf(letter),
    },
    ...{ where: where === '' ? '—' : where, attempts: attempts === null ? '' : plural(attempts, 'attempt') },
    ...{ began: times.time(createdAt), at: createdAt.toISOString() },
  };
}

function whatOf({ kind, what }: Letter): string {
  switch (kind) {
    case 'webhook':
      return `Tell a subscriber: ${what ?? '—'}`;
    case 'update':
      return updateOf(what ?? '');
    case 'callback':
      return 'Apply a carrier’s callback';
    case 'task':
      return `Task: ${what ?? '—'}`;
    case 'manifest':
      return 'Manifest';
  }
}

/** @param what the kind of the update and the status, e.g. `message: delivered` */
function updateOf(what: string): string {
  const [kind = '', status = '—'] = what.split(': ');
  if (kind === 'message') return `Tell the packer in the IMS: ${status}`;
  return kind === 'tracking-url'
    ? 'Write the address of the carrier’s page'
    : `Keep the status in the shipment: ${status}`;
}

function aboutOf({ kind, trackingNumber, shipmentId, documentId }: Letter): Pick<LetterShown, 'about' | 'href'> {
  if (kind === 'manifest' && documentId !== null)
    return { about: `Note ${documentId}`, href: manifestAddress(documentId) };
  if (trackingNumber !== null) return { about: trackingNumber, href: parcelAddress(trackingNumber) };
  const number = documentId ?? shipmentId;
  return number === null
    ? { about: '—', href: null }
    : { about: number, href: `/inbox?q=${encodeURIComponent(number)}` };
}
