import type { Cause } from '../../operator/overview/causes.js';
import { isLeftOpen } from '../../operator/overview/not-told.js';
import type { Overview } from '../../operator/overview/overview.js';
import { age, count, plural } from '../format.js';
import { CAUSES, type Shown } from '../shapes.js';
import { doubtInShort, inShort } from '../short-reason.js';
import { ownPathIn } from '../sign-in/place.js';

/** The most characters of an address of the list of consignments, with its filter. */
const MAX_ADDRESS_LENGTH = 4_000;

/** A cause in the list at the left. */
export interface CauseShown {
  readonly href: string;
  readonly shown: Shown;
  readonly reason: string;
  readonly place: string;
  readonly count: string;
  readonly age: string;
  readonly isChosen: boolean;
}

export interface CauseGroup {
  readonly heading: string;
  readonly causes: readonly CauseShown[];
}

export interface ChosenCause {
  readonly area: string | null;
  /** The id in the address; `null`: the first cause is shown. */
  readonly wanted: string | null;
  readonly cause: Cause | null;
}

/** The cause of the address, or the one that it has become: the first booking of a cause may be settled meanwhile. */
export function chosenIn(overview: Overview, area: string | null, wanted: string | null): ChosenCause {
  const { parcelsCannotLeave, notTold } = overview.needsPerson;
  const all = [...parcelsCannotLeave, ...notTold.filter(isLeftOpen), ...notTold.filter(isTelling)];
  if (wanted === null) return { area, wanted, cause: all[0] ?? null };
  const exact = all.find(({ id }) => id === wanted);
  const kindred = all.find(({ id }) => withoutTime(id) === withoutTime(wanted));
  return { area, wanted, cause: exact ?? kindred ?? null };
}

function isTelling(cause: Cause): boolean {
  return !isLeftOpen(cause);
}

const TIME = /:\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function withoutTime(id: string): string {
  return id.replace(TIME, '');
}

/** The path with what is chosen, so that a link shows a colleague the same. */
export function causeAddress(
  path: string,
  { area, cause }: { readonly area: string | null; readonly cause: string | null },
): string {
  const query = new URLSearchParams({ ...(cause === null ? {} : { cause }), ...(area === null ? {} : { area }) });
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Where a form that changes many bookings stands. */
export interface Origin {
  readonly href: string;
  readonly name: string;
}

/** The list of consignments with its filter, or else the cause. @param given the address that the form names */
export function originOf(given: unknown, chosen: Parameters<typeof causeAddress>[1]): Origin {
  const place = typeof given === 'string' && given.length <= MAX_ADDRESS_LENGTH ? ownPathIn(given) : '/';
  if (/^\/consignments(\?|$)/.test(place)) return { href: place, name: 'Consignments' };
  return { href: causeAddress('/needs-a-person', chosen), name: 'Needs a person' };
}

export function groupsOf({ needsPerson, at }: Overview, { area, cause: chosen }: ChosenCause): readonly CauseGroup[] {
  const shown = (cause: Cause): CauseShown => ({
    href: causeAddress('/needs-a-person', { area, cause: cause.id }),
    shown: CAUSES[cause.kind],
    reason: cause.reason === '' ? CAUSES[cause.kind].word : inShort(cause.reason).short,
    place: [cause.area === null ? 'several areas' : `Area ${cause.area}`, cause.account]
      .filter((each) => each !== null)
      .join(', '),
    count: count(cause.count),
    age: age(at.getTime() - cause.oldestAt.getTime()),
    isChosen: cause.id === chosen?.id,
  });
  const groups = [
    { heading: 'Parcels cannot leave', causes: needsPerson.parcelsCannotLeave.map(shown) },
    { heading: 'Left open', causes: needsPerson.notTold.filter(isLeftOpen).map(shown) },
    { heading: 'Somebody was not told', causes: needsPerson.notTold.filter(isTelling).map(shown) },
  ];
  return groups.filter(({ causes }) => causes.length > 0);
}

/** The heading of one cause, and what a person does about it. */
export interface CauseDecision {
  /** Where a person looks and acts, if not on this page. */
  readonly pages: readonly { readonly href: string; readonly words: string }[];
  readonly kind: 'answer' | 'retry' | 'look';
  readonly question: string;
  readonly reason: string;
  readonly advice: string;
}

export function decisionOf(cause: Cause): CauseDecision {
  const { kind, reason, carrier, count: many } = cause;
  const name = carrier ?? 'the carrier';
  switch (kind) {
    case 'in-doubt':
      return {
        ...{ kind: 'answer', reason: many === 1 ? doubtInShort(reason) : reason, pages: [] },
        question: many === 1 ? `Is this booking at ${name}?` : `Are these ${count(many)} bookings at ${name}?`,
        advice: 'Nothing is sent again until you answer.',
      };
    case 'refused':
    case 'incomplete':
      return {
        ...{ kind: 'retry', reason: inShort(reason).short, pages: [] },
        question: `${plural(many, 'booking')} ${many === 1 ? 'is' : 'are'} ${kind}`,
        advice:
          'Correct the cause first: in the IMS, in the configuration, or at the carrier. A retry reads the shipment again.',
      };
    case 'failed-manifest':
    case 'dead-letter':
    case 'given-up':
    case 'failed-callback':
    case 'untold-worker':
    case 'given-up-task':
    case 'return-in-doubt':
      return { kind: 'look', reason, ...NOT_TOLD[kind](cause), pages: PAGES[kind](cause) };
  }
}

const NOT_TOLD = {
  'failed-manifest': ({ count: many }: Cause) => ({
    question: `${plural(many, 'manifest')} failed`,
    advice: 'Correct what the carrier or the IMS names, then retry it; or tell the carrier which parcels it takes.',
  }),
  'dead-letter': ({ count: many }: Cause) => ({
    question: `${plural(many, 'event')} did not reach a subscriber`,
    advice: 'Have the subscriber repaired, then send its dead letters again.',
  }),
  'given-up': ({ count: many }: Cause) => ({
    question: `The IMS was not told ${plural(many, 'update')} of tracking`,
    advice:
      'The parcels travel on, and the next update is written by itself. Correct the access of the area if the IMS refused it.',
  }),
  'failed-callback': ({ count: many }: Cause) => ({
    question: `${plural(many, 'callback')} could not be applied`,
    advice:
      'Waybridge asks the carrier for these parcels instead, where the carrier can be asked. Tell the carrier if it goes on.',
  }),
  'untold-worker': ({ count: many }: Cause) => ({
    question: `Workers were not told about ${plural(many, 'booking')}`,
    advice: 'Open each shipment, read there what the worker was to be told, and tell them.',
  }),
  'given-up-task': ({ count: many }: Cause) => ({
    question: `${plural(many, 'task')} ${many === 1 ? 'was' : 'were'} given up`,
    advice: 'Correct what the reason names, then try again; or create a new document in the IMS.',
  }),
  'return-in-doubt': ({ count: many }: Cause) => ({
    question: `${plural(many, 'return label')} ${many === 1 ? 'is' : 'are'} in doubt`,
    advice:
      'Nothing is sent again until it is settled. Ask for the return label again where the carrier can be searched by our ' +
      'reference; else look for it in the carrier’s portal, and answer by POST to return-label/resolve of the consignment.',
  }),
} as const;

/** The pages that show what was given up, and try it again; of return labels and messages, their consignments. */
const PAGES = {
  'failed-manifest': ({ account }: Cause) => [
    { href: listOf('/manifests', { state: 'failed', account }), words: 'Manifests' },
  ],
  'dead-letter': ({ list }: Cause) => deadLetters({ kind: 'webhook', q: list.split('/')[2] ?? null }),
  'given-up': ({ account }: Cause) => deadLetters({ kind: 'update', account }),
  'failed-callback': ({ account }: Cause) => deadLetters({ kind: 'callback', account }),
  'untold-worker': shipmentsOf,
  'given-up-task': () => deadLetters({ kind: 'task' }),
  'return-in-doubt': shipmentsOf,
} as const;

function shipmentsOf({ named }: Cause) {
  return named.map(({ id, shipment }) => ({ href: `/consignments/${id}`, words: shipment }));
}

function deadLetters(values: Readonly<Record<string, string | null>>) {
  return [{ href: listOf('/dead-letters', values), words: 'Dead letters' }];
}

function listOf(path: string, values: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null);
  return `${path}?${new URLSearchParams(given).toString()}`;
}
