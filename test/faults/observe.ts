import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import type { SandboxState } from '../../src/sandbox/control/control.js';
import { matchOf } from './calls.js';
import type { Cell } from './cell.js';
import type { Outcome } from './outcomes.js';
import { operator } from './run.js';
import type { Ran, Summary } from './run.js';
import type { Place } from './stage.js';

/** Requests to the same method and path in a booking where nothing goes wrong. */
const AS_A_RULE: Readonly<Partial<Record<Cell['callName'], number>>> = {
  'set ON_GOING': 2,
  'set DONE': 2,
  'fragt token': 2,
};
/** What is told while it takes longer is no end of anything. */
const WAITING = /takes longer|label is not there yet|(are finding|We find) out whether/;

/** A cell as it came out. */
export interface Seen {
  readonly cell: Cell;
  /** `open`: it has not come to rest. */
  readonly outcome: Outcome | 'open';
  readonly documentStatus: string | null;
  readonly messages: readonly string[];
  /** What must not be, whatever the outcome. */
  readonly violations: readonly string[];
  /** We waited for its end no longer. */
  readonly timedOut: boolean;
  /** Only because we did, it ran a second time, and this is what came of that. */
  readonly isRepeated: boolean;
}

interface Facts {
  readonly ran: Ran;
  readonly documentStatus: string | null;
  readonly messages: readonly string[];
  readonly waitingTold: boolean;
  readonly bookings: readonly SimulatedBooking[];
  readonly files: readonly SandboxState['attachments'][number][];
  readonly prints: number;
  readonly trackingNumbers: readonly unknown[];
  /** Times it met the call, also those that found nobody listening. */
  readonly requests: number;
  readonly happened: number;
  /** Every request met the fault. */
  readonly allFaulty: boolean;
  readonly history: readonly string[];
  /** When the carrier was asked for what, and how it answered: shows why it booked more than once. */
  readonly atTheCarrier: string;
}

export async function observe(place: Place, all: readonly Ran[]): Promise<readonly Seen[]> {
  const state = place.sandbox.control.state();
  return Promise.all(all.map(async (ran) => seen(await gather(place, state, ran))));
}

async function gather(place: Place, state: SandboxState, ran: Ran): Promise<Facts> {
  const { cell, documentId, shipmentId } = ran;
  const { control } = place.sandbox;
  const document = state.documents.find((row) => row.id === documentId);
  const events = [document?.['documentCreatedEventId'], document?.['documentCancelledEventId']];
  const texts = state.messages.filter((row) => events.includes(row.eventId)).map((row) => String(row['messageText']));
  const { refused, faulted } = happenings(place, cell);
  const requests = requestsOf(place, cell);
  return {
    ...{ ran, requests: requests.length + refused, happened: refused + faulted },
    allFaulty: requests.every((request) => request.fault !== null),
    documentStatus: document?.workStatus ?? null,
    messages: texts.filter((text) => !WAITING.test(text)),
    waitingTold: texts.some((text) => WAITING.test(text)),
    bookings: (control.bookings(cell.carrier) ?? []).filter((one) => one.reference.startsWith(cell.name)),
    files: state.attachments.filter((row) => row.ownerId === documentId),
    prints: state.prints.filter((row) => JSON.stringify(row.body).includes(String(documentId))).length,
    trackingNumbers: state.shippingContainers
      .filter((row) => row['shipmentId'] === shipmentId)
      .map((row) => row['trackingNumber']),
    history: await historyOf(place, ran),
    atTheCarrier: tracedAt(place, cell),
  };
}

function tracedAt({ sandbox }: Place, { carrier }: Cell): string {
  const requests = sandbox.control.requests({ target: carrier });
  return requests
    .map(
      ({ method, path, at, status, durationMs }) =>
        `${new Date(at).toISOString().slice(11, 23)} ${method} ${path} ${status} in ${durationMs} ms`,
    )
    .join(', ');
}

/** To the call that the cell is about. */
function requestsOf({ sandbox }: Place, cell: Cell) {
  const { target, method, path = '', area } = matchOf(cell.call, cell);
  return sandbox.control
    .requests({ target, ...(area === undefined ? {} : { area }) })
    .filter((request) => request.method === method && new RegExp(path).test(request.path));
}

/** Also of a consignment that has not come to rest: it shows what goes on. */
async function historyOf({ url }: Place, { documentId }: Ran): Promise<readonly string[]> {
  const { consignments }: { readonly consignments: readonly Summary[] } = await operator(url, `?q=${documentId}`);
  const found = consignments.find((one) => one.documentId === String(documentId));
  if (found === undefined) return [];
  const { history }: { readonly history: readonly Entry[] } = await operator(url, `/${found.id}`);
  return history.map(({ at, what }) => `${at.slice(11, 23)} ${what}`);
}

interface Entry {
  readonly at: string;
  readonly what: string;
}

function happenings({ sandbox, refusals }: Place, cell: Cell) {
  const { target, method, path, area } = matchOf(cell.call, cell);
  const same = sandbox.control.faults().filter(({ fault }) => {
    const story = fault.kind === 'drop-after' || (fault.path === '^/shipments/\\d+$' && fault.method !== method);
    return !story && fault.target === target && fault.method === method && fault.path === path && fault.area === area;
  });
  return { refused: refusals.happened(cell), faulted: same.reduce((sum, one) => sum + one.happened, 0) };
}

function seen(facts: Facts): Seen {
  const { ran, documentStatus, messages } = facts;
  const outcome = outcomeOf(facts);
  const timedOut = ran.summary === null && outcome === 'open';
  const violations = violationsOf(facts);
  return { cell: ran.cell, outcome, documentStatus, messages, violations, timedOut, isRepeated: false };
}

function outcomeOf(facts: Facts): Outcome | 'open' {
  const { summary, cell } = facts.ran;
  if (summary === null) return facts.documentStatus === 'PENDING' && facts.waitingTold ? 'waits' : 'open';
  if (summary.needsOperator) return 'person';
  return cell.call.story === 'refused' ? ofRefusal(facts) : ofState(facts, summary.state);
}

function ofState(facts: Facts, state: string): Outcome | 'open' {
  switch (state) {
    case 'closed':
      return ofClosed(facts);
    case 'cancelled':
      return facts.messages.some((text) => text.includes('probably cancelled')) ? 'warned' : ofDone(facts);
    case 'incomplete':
      return 'told';
    case 'refused':
      return facts.documentStatus === 'PENDING' ? 'left' : 'refused';
    default:
      return 'open';
  }
}

function ofClosed(facts: Facts): Outcome {
  if (facts.messages.some((text) => text.includes('let us set the transport booking to'))) return 'stuck';
  return facts.messages.length > 0 ? 'warned' : ofDone(facts);
}

function ofRefusal(facts: Facts): Outcome | 'open' {
  const isTold = facts.messages.some((text) => text.includes('we do not drive to'));
  if (facts.documentStatus !== 'FAILED') return 'open';
  return isTold ? repeated(facts) : 'without';
}

function ofDone(facts: Facts): Outcome {
  if (facts.history.some((entry) => entry.endsWith(' in-doubt'))) return 'asked';
  return repeated(facts);
}

const OPTIONAL: readonly Cell['callName'][] = ['load context', 'load seller', 'list carriers'];

function repeated({ requests, ran, allFaulty }: Facts): Outcome {
  if (OPTIONAL.includes(ran.cell.callName) && requests > 1 && allFaulty) return 'without';
  return requests > (AS_A_RULE[ran.cell.callName] ?? 1) ? 'retried' : 'taken';
}

/** Only where messages themselves do not get through is nobody told. */
function isSilent({ ran, documentStatus, messages }: Facts): boolean {
  return documentStatus === 'FAILED' && messages.length === 0 && ran.cell.stated.outcome !== 'without';
}

/** These say no more than that the end was not waited for. */
const STILL_ON_ITS_WAY = ['still ON_GOING', 'PENDING without a word', 'the fault did not happen'];

/** Whether nothing is wrong but that we did not wait any longer. */
export function onlyTimedOut({ timedOut, violations }: Seen): boolean {
  return timedOut && violations.every((text) => STILL_ON_ITS_WAY.includes(text));
}

/** Whether nothing is wrong but that a deadline passed on the way to a good end: something was repeated that need not be. */
export function onlyRepeated({ cell, outcome, violations }: Seen): boolean {
  return violations.length === 0 && outcome !== cell.stated.outcome && (outcome === 'retried' || outcome === 'asked');
}

function violationsOf(facts: Facts): readonly string[] {
  const { ran, documentStatus, bookings, files, prints } = facts;
  const { summary } = ran;
  const rules: readonly (readonly [boolean, string])[] = [
    [facts.happened === 0, 'the fault did not happen'],
    [
      bookings.length > 1 && summary?.needsOperator !== true,
      `booked ${bookings.length} times: ${bookings.map(({ reference }) => reference).join(', ')} (${facts.atTheCarrier}; ${facts.history.join(', ')})`,
    ],
    [files.length > 1, `${files.length} files attached`],
    [prints > 1, `printed ${prints} times`],
    [documentStatus === 'ON_GOING' && ran.cell.stated.outcome !== 'stuck', 'still ON_GOING'],
    [isSilent(facts), 'FAILED without a word'],
    [documentStatus === 'DONE' && facts.trackingNumbers.some((number) => !number), 'DONE without a number'],
    [documentStatus === 'DONE' && files.length === 0, 'DONE without a label'],
    [documentStatus === 'DONE' && bookings.length === 0, 'DONE without a booking'],
    [documentStatus === 'PENDING' && !facts.waitingTold && facts.messages.length === 0, 'PENDING without a word'],
  ];
  return rules.flatMap(([isSo, text]) => (isSo ? [text] : []));
}
