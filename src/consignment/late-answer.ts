import { setTimeout as pause } from 'node:timers/promises';
import type { Booking } from '../../carriers/contract/model.js';
import { type Consignment, END_STATES, say } from './consignment.js';
import { loadConsignment, seize } from './ledger.js';
import { newRun } from './machine/by-hand.js';
import type { Fact } from './machine/fact.js';
import { subject, tell } from './machine/words.js';
import { type Found, store, storeFact } from './outcome.js';
import { patiently } from './patience.js';
import { LeaseLost } from './save.js';
import type { World } from './world.js';

const PAUSE_MS = 1_000;
/** About ten minutes, as long as the row is left to us: see `isOfLivingInstance`. */
const MOST_TRIES = 600;

/** Whether the carrier has confirmed something: without it somebody would have to look there. */
export function isBooked(fact: Fact): boolean {
  return fact.kind === 'sent' && fact.results.some(({ kind }) => kind === 'booked');
}

/**
 * Writes a carrier's answer into a row that another instance has taken meanwhile, because we could not write for longer than
 * our lease. The answer is still true: as long as that one does not know better, it ends the doubt, also one that waits for a
 * person.
 */
export async function storeLate(world: World, found: Found): Promise<null> {
  const { id } = found.current;
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const outcome = await patiently(world, { consignment: id }, () => tryOnce(world, found)).catch((error: unknown) => {
      if (error instanceof LeaseLost) return 'held';
      throw error;
    });
    if (outcome !== 'held') {
      world.unwritten.drop(id);
      const level = outcome === 'other numbers are known' ? 'error' : 'warn';
      world.log[level]('late answer of a carrier', {
        consignment: id,
        outcome,
        trackingNumbers: numbersIn(found.fact),
      });
      return null;
    }
    await pause(PAUSE_MS);
  }
  const trackingNumbers = numbersIn(found.fact);
  world.log.error('late answer of a carrier', { consignment: id, outcome: 'not written', trackingNumbers });
  return null;
}

type Outcome = 'held' | 'written' | 'known already' | 'other numbers are known';

async function tryOnce(world: World, found: Found): Promise<Outcome> {
  const { id } = found.current;
  const known = await loadConsignment(world.database, id);
  if (!isOpen(known, found)) {
    if (unknownNumbers(known, found.fact).length === 0) return 'known already';
    // What is still moved on may yet lead to these numbers, and is not disturbed.
    if (!isAtRest(known)) return 'held';
  }
  const { owner, lengthMs, held } = world.lease;
  const now = world.clock.now();
  const until = new Date(now.getTime() + lengthMs);
  const row = await seize(world.database, id, { owner, now, until });
  if (row === null) return 'held';
  held.take(id, until);
  if (!isOpen(row, found)) {
    const unknown = isAtRest(row) ? unknownNumbers(row, found.fact) : [];
    const told = unknown.length === 0 ? row : { ...withMessage(row, unknown), dueAt: now };
    await store(world, told, { ...NOTHING_NEW, knownWish: row.cancelWanted });
    return told === row ? 'known already' : 'other numbers are known';
  }
  const { saved } = await storeFact(world, { ...found, current: { ...row, waitsForPerson: false, outcome: null } });
  // The worker was told to wait for a person, and the document has FAILED: then it begins anew, with what is booked.
  const next = row.waitsForPerson ? newRun(saved, now) : saved;
  await store(world, next, { ...NOTHING_NEW, knownWish: saved.cancelWanted });
  return 'written';
}

const MESSAGE_WAVE = 1;
const MOST_NAMED = 10;

/** The shipment is perhaps booked twice: a person is told of both, and the end of the consignment stays as it is. */
function withMessage(row: Consignment, unknown: readonly string[]): Consignment {
  const words = (numbers: readonly string[]) => numbers.slice(0, MOST_NAMED).join(', ') || '-';
  const numbers = words([...knownNumbers(row)]);
  const message = say('late-answer', { ...subject(row), numbers, late: words(unknown) });
  return { ...row, effects: [...row.effects, ...tell(row, MESSAGE_WAVE, [message])] };
}

function isAtRest({ state, waitsForPerson, dueAt }: Consignment): boolean {
  return dueAt === null && (waitsForPerson || END_STATES.includes(state));
}

/** Parcels that the late answer says are booked, under numbers that we do not have. */
function unknownNumbers(row: Consignment, fact: Fact): readonly string[] {
  const known = knownNumbers(row);
  return numbersIn(fact).filter((number) => !known.has(number));
}

/** Also those that are not believed, and those of what was cancelled: they are known. */
function knownNumbers({ parts }: Consignment): ReadonlySet<string> {
  const believed = parts.flatMap(({ booking }) => trackingNumbersOf(booking?.parcels ?? []));
  const others = parts.flatMap(({ unmatched, unusable = [] }) => [...unmatched, ...unusable.map(({ given }) => given)]);
  return new Set([...believed, ...others]);
}

function numbersIn(fact: Fact): readonly string[] {
  if (fact.kind !== 'sent') return [];
  const bookings = fact.results.flatMap((result) => (result.kind === 'booked' ? [result.booking] : []));
  return bookings.flatMap(({ parcels }) => trackingNumbersOf(parcels));
}

function trackingNumbersOf(parcels: Booking['parcels']): readonly string[] {
  return parcels.flatMap((parcel) => (parcel.kind === 'booked' ? [parcel.trackingNumber] : []));
}

const NOTHING_NEW = { entries: [], goesOn: false, answersWish: 'stands', afterLease: 'taken' } as const;

/** Nobody has found out what became of the request that was answered, and nobody has sent it again. */
function isOpen(row: Consignment, { current, fact }: Found): boolean {
  if (fact.kind !== 'sent') return false;
  return fact.results.every(({ n }) => {
    const [theirs, ours] = [row, current].map(({ parts }) => parts.find((part) => part.n === n));
    const isSame = theirs?.attempt === ours?.attempt && theirs?.request.reference === ours?.request.reference;
    return isSame && (theirs?.state === 'sending' || theirs?.state === 'in-doubt');
  });
}
