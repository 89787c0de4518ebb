import { type Consignment, type Part, isOfRun } from './consignment.js';
import { type ConsignmentState, END_STATES } from './states.js';
import type { JournalEntry } from './ledger/save.js';
import type { CancelResult, Fact, LabelResult, Postponed, SendResult } from './machine/facts.js';

/** The level of the line that says that a consignment came into this state: `warn` where a person should look. */
const LEVEL_OF_STATE: Readonly<Record<ConsignmentState, 'info' | 'warn'>> = {
  received: 'info',
  planned: 'info',
  booking: 'info',
  'in-doubt': 'warn',
  booked: 'info',
  labelled: 'info',
  cancelling: 'info',
  closed: 'info',
  refused: 'warn',
  incomplete: 'warn',
  cancelled: 'info',
  skipped: 'info',
};

/** The journal entries of a step: no bodies, no secrets, and addresses only where other systems quote them. */
export function journalEntries(before: Consignment, fact: Fact, after: Consignment): readonly JournalEntry[] {
  // The log has a line for each attempt to reach its area; the journal has the first one.
  const isStillMissing = before.areaMissingSince !== null && after.areaMissingSince !== null;
  const entries = isStillMissing ? [] : ofFact(before, fact);
  const unusable = after.parts.flatMap((part) => unusableIn(before, part));
  const ended = END_STATES.includes(after.state) && !END_STATES.includes(before.state);
  return [...entries, ...unusable, ...(ended ? leftOut(after) : []), ...moved(before, after)];
}

/** A new state, and a question that only a person can answer. */
function moved(before: Consignment, after: Consignment): readonly JournalEntry[] {
  const { account = null } = after.plan ?? {};
  const level = LEVEL_OF_STATE[after.state];
  const state = { what: after.state, ...(level === 'warn' && { level }), fields: { from: before.state } } as const;
  const question = { what: 'needs operator', level: 'error', fields: { account, state: after.state } } as const;
  return [
    ...(before.state === after.state ? [] : [state]),
    ...(after.needsOperator && !before.needsOperator ? [question] : []),
  ];
}

/** What missing scopes kept from being written, once for each booking, at its end. */
function leftOut({ effects, run }: Consignment): readonly JournalEntry[] {
  const left = effects.filter(({ key, state }) => state === 'not-allowed' && isOfRun(key, run));
  if (left.length === 0) return [];
  const because = [...new Set(left.flatMap(({ note }) => note ?? []))];
  return [
    { what: 'left out', level: 'warn', fields: { writes: left.map(({ call }) => call.kind) }, said: { because } },
  ];
}

/** Numbers of a part that became unusable with this step. */
function unusableIn(before: Consignment, { n, unusable = [] }: Part): readonly JournalEntry[] {
  const known = before.parts.find((part) => part.n === n)?.unusable?.length ?? 0;
  return unusable.slice(known).map(({ parcelId, because, given }) => ({
    what: 'number not believed',
    level: 'error',
    fields: { part: n, container: parcelId, because },
    said: { given },
  }));
}

function ofFact(before: Consignment, fact: Fact): readonly JournalEntry[] {
  switch (fact.kind) {
    case 'prepared': {
      const { account, rule } = fact.plan;
      return [
        { what: 'carrier chosen', fields: { account, rule, reference: fact.reference, parts: fact.requests.length } },
      ];
    }
    case 'skipped':
      return [notOurs(fact)];
    case 'unusable':
      return fact.messages.map((message) => ({
        what: 'cannot be booked',
        fields: { key: message.key },
        said: message.values,
      }));
    case 'postponed':
      return ofPostponement(before, fact);
    case 'sent':
      return fact.results.map(ofResult);
    case 'looked-up':
      return [lookedUp(fact)];
    case 'labels':
      return fact.results.map(ofLabel);
    case 'cancelled':
      // The later booking that it waits for has a history of its own.
      return fact.results.filter(({ kind }) => kind !== 'waits').map(cancellation);
    case 'nothing-to-cancel':
      return [{ what: 'nothing to cancel', fields: {} }];
    case 'broke':
      return [{ what: 'broke', fields: { tries: before.attempts + 1 } }];
    case 'written':
      return fact.results
        .filter(({ state }) => state !== 'done' && (state !== 'not-allowed' || hasEnded(before)))
        .map(({ key, state, note }) => ({
          what: 'not written',
          level: 'warn' as const,
          fields: { key, state },
          said: { note },
        }));
  }
}

/** The entry of a skipped event. The configuration may lack the area of its shipment, or name it wrongly. */
function notOurs({ because, otherArea }: Extract<Fact, { kind: 'skipped' }>): JournalEntry {
  const said = { because };
  return otherArea === undefined
    ? { what: 'not ours to book', fields: {}, said }
    : { what: 'not ours to book', level: 'warn', fields: { shipmentOfArea: otherArea }, said };
}

/** The consignment is at rest already, so this write has no end at which the missing scopes would be noted. */
function hasEnded({ state, needsOperator }: Consignment): boolean {
  return END_STATES.includes(state) || needsOperator;
}

function lookedUp({ n, result }: Extract<Fact, { kind: 'looked-up' }>): JournalEntry {
  if (result.kind !== 'person' || result.problem === undefined)
    return { what: 'carrier asked', fields: { part: n, result: result.kind } };
  return { what: 'not looked up', level: 'warn', fields: { part: n }, said: { because: result.problem.text } };
}

function ofLabel({ n, kind }: LabelResult): JournalEntry {
  const fields = { part: n, result: kind };
  return kind === 'stored' ? { what: 'label', fields } : { what: 'label', level: 'warn', fields };
}

function cancellation({ n, kind }: CancelResult): JournalEntry {
  const fields = { part: n, result: kind };
  return kind === 'cancelled' ? { what: 'cancellation', fields } : { what: 'cancellation', level: 'warn', fields };
}

/** The entry of a refusal, with the error ids that the carrier's support asks for. */
function refusal({ n: part, problems, because }: Extract<SendResult, { kind: 'rejected' }>): JournalEntry {
  const said = { problems: problems.map(({ text }) => text) };
  if (because === 'account') return { what: 'cannot be booked', fields: { part, because }, said };
  const errorIds = problems.flatMap(({ errorId }) => errorId ?? []);
  return {
    what: 'carrier refused',
    fields: { part, codes: problems.map(({ code }) => code), ...(errorIds.length > 0 && { errorIds }) },
    said,
  };
}

function ofResult(result: SendResult): JournalEntry {
  switch (result.kind) {
    case 'booked':
      return { what: 'carrier booked', fields: { part: result.n, carrierNumber: result.booking.carrierNumber } };
    case 'rejected':
      return refusal(result);
    case 'unavailable':
    case 'unknown':
      return {
        what: result.kind === 'unknown' ? 'carrier unknown' : 'carrier unavailable',
        level: 'warn',
        fields: { part: result.n },
        said: { because: result.because },
      };
  }
}

/** Entries about our own access contain no address, so they may be logged. */
function ofPostponement(before: Consignment, fact: Postponed): readonly JournalEntry[] {
  // The log has one line for the carrier; each parked consignment adds its entry once.
  if (fact.parked) return before.parkedUntil === null ? [parked(fact)] : [];
  if (fact.newDayAt) return [{ what: 'waits for a new day', level: 'warn', fields: { until: fact.newDayAt } }];
  // `tries` is the word of stored entries.
  const about = { waitingFor: fact.waitingFor, tries: before.attempts + 1 };
  const because = { because: fact.because };
  if (fact.needsOperator) return [{ what: 'postponed', level: 'error', fields: { ...about, ...because } }];
  return [{ what: 'postponed', level: 'warn', fields: about, said: because }];
}

function parked(fact: Postponed): JournalEntry {
  // A stored entry keeps the name `held`, because the history of carriers counts new and old ones by it.
  return { what: 'held', fields: { waitingFor: fact.waitingFor }, said: { because: fact.because } };
}
