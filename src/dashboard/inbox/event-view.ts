import type { ListedEvent, WholeEvent } from '../../intake/event-queries.js';
import type { ReplayedEvent } from '../../reconciliation/replay-event.js';
import type { FieldNames } from '../../operator/requests/field-names.js';
import { bodyWithoutPersonalData } from '../../operator/requests/personal-data.js';
import { type Times, age } from '../format.js';
import { sentence } from './sentence.js';
import { SHAPES, type Shown, quiet, shownState } from '../shapes.js';

const UNREADABLE: Shown = { word: 'Unreadable', tone: 'warn', shape: SHAPES.triangle };
const GIVEN_UP: Shown = { word: 'Given up', tone: 'warn', shape: SHAPES.triangle };
const IGNORED = quiet('Ignored', SHAPES.skipped);
const WAITING = quiet('Waiting', SHAPES.waiting);
const DONE = quiet('Done', SHAPES.tick);

const TASKS: Readonly<Record<string, string>> = {
  'choose-carrier': 'Choose a carrier',
  'check-delivery-note': 'Check the delivery note',
  'identify-document': 'Read what kind of document it is',
  handover: 'Hand over',
};

/** Names a kind of task; one that only another version knows is shown as its row has it. */
function taskName(kind: string): string {
  return TASKS[kind] ?? kind;
}

/** A row of the list, in words. */
export interface EventShown {
  readonly href: string;
  readonly shown: Shown;
  readonly name: string;
  readonly became: string;
  /** The consignment's page; `null`: it began none. */
  readonly consignment: string | null;
  readonly area: string;
  readonly document: string;
  readonly shipment: string;
  readonly came: string;
  readonly at: string;
}

export function eventShown(event: ListedEvent, times: Times, now: Date): EventShown {
  const { area, documentId, shipmentId, receivedAt, consignment } = event;
  return {
    ...{ href: eventAddress(event.id), shown: shownEvent(event, now), name: nameOf(event), became: becameOf(event) },
    ...{ area: area ?? '—', document: documentId ?? '—', shipment: shipmentId ?? '—' },
    consignment: consignment === null ? null : `/consignments/${consignment.id}`,
    ...{ came: times.time(receivedAt), at: receivedAt.toISOString() },
  };
}

export function eventAddress(id: string): string {
  return `/inbox/${encodeURIComponent(id)}`;
}

export function nameOf({ type, documentType }: Pick<ListedEvent, 'type' | 'documentType'>): string {
  return [type, documentType].filter((each) => each !== null).join(' ') || 'Event without a type';
}

function shownEvent({ outcome, consignment, tasks }: ListedEvent, now: Date): Shown {
  if (outcome === 'unreadable') return UNREADABLE;
  if (outcome === 'ignored') return IGNORED;
  if (tasks.some(({ state }) => state === 'given-up')) return GIVEN_UP;
  if (tasks.some(({ state }) => state === 'open')) return WAITING;
  return consignment === null ? DONE : shownState({ state: consignment.state, needsOperator: false, dueAt: null }, now);
}

/** One sentence. */
function becameOf({ outcome, problems, consignment, tasks, documentType }: ListedEvent): string {
  const because = problems?.join('; ');
  if (outcome !== 'accepted') return sentence(because ?? `nothing is done for ${documentType ?? 'this type'}`);
  const done = tasks.map(
    ({ kind, note, state }) => `${taskName(kind)}: ${note ?? (state === 'open' ? 'under way' : state)}`,
  );
  const booking = consignment === null ? [] : [`Shipment ${consignment.shipmentNumber ?? consignment.id}`];
  return [...booking, ...done].join('; ') || 'Taken in';
}

/** One event, in words. */
export interface EventPageShown {
  readonly row: EventShown;
  readonly facts: readonly string[];
  readonly ago: string;
  /** What is wrong, and what to do; `null`: nothing. */
  readonly wrong: string | null;
  readonly asks: string;
  readonly understood: readonly { readonly name: string; readonly value: string }[];
  /** As it came; without personal data, unless that is shown. */
  readonly body: string;
  readonly hasBody: boolean;
  readonly tasks: readonly { readonly name: string; readonly note: string; readonly state: string }[];
}

export function eventPage(
  event: WholeEvent,
  times: Times,
  asked: { now: Date; personalData: 'hidden' | 'shown'; fieldNames: FieldNames },
): EventPageShown {
  const { area, cameBy, body } = event;
  const isHidden = asked.personalData === 'hidden';
  return {
    row: eventShown(event, times, asked.now),
    facts: [`area ${area ?? '—'}`, cameBy === 'post' ? 'sent by the IMS' : 'found by the search for missed events'],
    ago: age(asked.now.getTime() - event.receivedAt.getTime()),
    wrong: wrongOf(event),
    asks: asksOf(event),
    understood: understoodOf(event, times),
    body: body === null ? DELETED : isHidden ? bodyWithoutPersonalData(body, asked.fieldNames) : body,
    hasBody: body !== null,
    tasks: event.tasks.map(({ kind, note, state }) => ({ name: taskName(kind), note: note ?? '', state })),
  };
}

function wrongOf({ outcome, problems, tasks }: WholeEvent): string | null {
  const because = problems?.join('; ') ?? 'the body is not an event';
  if (outcome === 'unreadable')
    return `It could not be read: ${because}. Nothing was done. Correct the sender, and let it send the event again.`;
  if (outcome === 'ignored' && problems !== null)
    return `Nothing was done: ${because}. Correct the configuration where it is wrong, then replay the event.`;
  const [given] = tasks.filter(({ state }) => state === 'given-up');
  return given
    ? `${taskName(given.kind)} was given up: ${given.note ?? '—'}. Correct what it names, then replay the event.`
    : null;
}

function asksOf({ action, problems }: WholeEvent): string {
  switch (action.kind) {
    case 'book':
      return 'Book a shipment';
    case 'task':
      return taskName(action.task);
    case 'cancel':
      return 'Cancel a booking';
    case 'handover':
      return 'Hand over what left by a consignment note';
    case 'nothing':
      return (action.problems ?? problems)?.join('; ') ?? 'Nothing: this type of event asks for nothing';
  }
}

/** What Waybridge understood of an event, without the worker: that is personal, and stands in the body. */
function understoodOf({ understood, occurredAt }: WholeEvent, times: Times): EventPageShown['understood'] {
  if (understood.kind === 'unreadable') return understood.problems.map((value) => ({ name: 'Problem', value }));
  const { eventId, eventType, contextId, documentType, documentId, shipmentIds, carrierName } = understood;
  const fields: readonly (readonly [string, string | null])[] = [
    ['Event', eventId],
    ['Type', eventType],
    ['Area', contextId],
    ['Document', [documentType, documentId].filter((each) => each !== null).join(' ')],
    ['Shipments', shipmentIds.slice(0, MAX_NAMED).join(', ') + (shipmentIds.length > MAX_NAMED ? ' …' : '')],
    ['Carrier', carrierName],
    ['Happened', occurredAt === null ? null : times.time(occurredAt)],
  ];
  return fields.map(([name, value]) => ({ name, value: value === null || value === '' ? '—' : value }));
}

const DELETED = 'It was deleted: bodies are kept for a time only.';
const MAX_NAMED = 20;
/** What a person reads before a replay. @param foretold what it would do */
export function replayConfirmation({ outcome, because }: ReplayedEvent): {
  readonly will: string;
  readonly isUseful: boolean;
} {
  const why = because === null ? '' : ` (${because})`;
  switch (outcome) {
    case 'accepted':
      return { will: 'do what the event asks for, as if it came now', isUseful: true };
    case 'retried':
      return { will: `try again what was given up${why}`, isUseful: true };
    case 'recovered':
      return { will: 'take in what the IMS has and Waybridge does not know', isUseful: true };
    case 'in-doubt':
      return { will: `ask the carrier first${why}`, isUseful: true };
    case 'status-written':
      return { will: `write the status of the document to the IMS again${why}`, isUseful: true };
    default:
      return { will: `change nothing: ${because ?? 'it was done before'}`, isUseful: false };
  }
}

/** What came of a replay. */
export const REPLAYED: Readonly<Record<ReplayedEvent['outcome'], string>> = {
  accepted: 'The event is taken in, and is being done.',
  retried: 'What had been given up is tried again.',
  recovered: 'What the IMS has is taken in.',
  'in-doubt': 'It is taken in; the carrier is asked before anything is booked.',
  'status-written': 'The status of the document was written to the IMS again.',
  known: 'Nothing had to be done: it was done before.',
  nothing: 'Nothing was done: the event asks for nothing.',
  unreadable: 'Nothing was done: the event still cannot be read.',
  'not-ours': 'Nothing was done: it is not for Waybridge.',
  'not-found': 'Nothing was done: the IMS does not have it any more.',
  'not-allowed': 'Nothing was done: the IMS does not show it to this client.',
};
