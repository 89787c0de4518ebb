import {
  type CancelRequest,
  type Consignment,
  type Part,
  missingContainers,
} from '../../src/consignment/consignment.js';
import { apply } from '../../src/consignment/machine/apply.js';
import { NotPossible, applyResolution, resume } from '../../src/consignment/machine/operator.js';
import type { TransitionContext, Fact, LabelResult } from '../../src/consignment/machine/facts.js';
import { type NextStep, nextStep } from '../../src/consignment/machine/next-step.js';
import { aboutToSend } from '../../src/consignment/machine/sending.js';
import { partReference } from '../../src/planning/reference.js';
import { book } from '../../src/consignment/steps/book.js';
import { aboutToCancel } from '../../src/consignment/machine/cancelling.js';
import { cancelBooked } from '../../src/consignment/steps/cancel.js';
import { findOutcome } from '../../src/consignment/steps/find-outcome.js';
import { isAtMostOnce } from '../../src/consignment/steps/write.js';
import { bookingRequest, parcel } from '../carriers/sample-request.js';
import { NOON, transitionContext, consignment, plan, bookingContext } from './consignments.js';
import { type CarrierKind, type Luck, ModelCarrier, ModelClock } from './model-carrier.js';
import { ModelIms } from './model-ims.js';

export const MAX_STEPS = 20_000;
const HOUR_MS = 3_600_000;
const CANCEL_REQUEST: CancelRequest = { eventId: 'e-2', userId: 8, deviceName: 'desk-2', by: 'document' };

/** A request to cancel, a crash, a bug: what happens between two steps. */
type Between = 'nothing' | 'cancel request' | 'crash' | 'bug';

const BETWEEN: readonly [Between, ...Between[]] = [
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'nothing',
  'cancel request',
  'crash',
  'bug',
];

/**
 * One consignment with its carrier and the IMS, moved in the way of the real loop, but deterministic: the row that was
 * saved last is all that a crash leaves.
 */
export class ModelContext {
  readonly clock = new ModelClock(NOON);
  readonly carrier: ModelCarrier;
  readonly ims: ModelIms;
  saved: Consignment = consignment();
  steps = 0;
  /** Missing: failures are only told. */
  errorSheets?: NonNullable<TransitionContext['errorSheets']>;
  /** A person said something about the carrier's side that was not so, or left it to others. */
  misled = false;
  /** Runs that found the document not ours any more. */
  readonly notOurs = new Set<number>();
  private crashed = false;

  constructor(
    private readonly kind: CarrierKind,
    private readonly containers: number,
    private readonly luck: Luck,
  ) {
    const around = { luck, clock: this.clock, crash: () => (this.crashed = true) };
    this.carrier = new ModelCarrier(kind, around);
    this.ims = new ModelIms(around);
  }

  /** Until nothing is due and nobody wants anything any more. */
  async live(): Promise<void> {
    await this.comeToRest();
    while (this.steps < MAX_STEPS && this.meddle()) await this.comeToRest();
    this.carrier.finish();
  }

  private async comeToRest(): Promise<void> {
    while (this.saved.dueAt !== null && this.steps < MAX_STEPS) {
      this.clock.pass(Math.max(0, this.saved.dueAt.getTime() - this.clock.now().getTime()));
      await this.advance();
    }
  }

  private async advance(): Promise<void> {
    let current: Consignment | null = this.saved;
    while (current && this.steps < MAX_STEPS) {
      this.steps += 1;
      this.crashed = false;
      const between = this.luck.pick(BETWEEN);
      if (between === 'cancel request') this.requestCancel();
      if (between === 'crash') return this.comeBack();
      current = between === 'bug' ? this.rescheduleAfterBug() : await this.moveOn(current);
      if (this.crashed) return this.comeBack();
    }
  }

  /** The row is all there is; it takes a while until somebody looks at it again. */
  private comeBack(): void {
    this.clock.pass(this.luck.pick([0, 5_000, 90_000, HOUR_MS]));
  }

  private rescheduleAfterBug(): null {
    const after = apply(this.saved, { kind: 'broke' }, this.transitionContext());
    this.save(after, { knew: this.saved, answered: after.cancelRequest === null ? 'yes' : 'no' });
    return null;
  }

  private async moveOn(before: Consignment): Promise<Consignment | null> {
    const step = nextStep(before);
    if (step.kind === 'rest') {
      this.save({ ...before, dueAt: null }, { knew: before, answered: 'no' });
      return null;
    }
    let current = before;
    const intend = (change: (now: Consignment) => Consignment) => {
      current = this.save(change(current), { knew: current, answered: 'no' });
      return current;
    };
    const fact = await this.take(step, before, intend);
    if (this.crashed) return null;
    const after = apply(current, fact, this.transitionContext());
    if (this.luck.pick(['saved', 'saved', 'saved', 'saved', 'crash']) === 'crash') {
      this.crashed = true;
      return null;
    }
    const goesOn = after.dueAt !== null && after.dueAt <= this.clock.now();
    const answered = current.cancelRequest !== null && after.cancelRequest === null ? 'yes' : 'no';
    const saved = this.save(after, { knew: current, answered });
    return goesOn ? saved : null;
  }

  private async take(
    step: Exclude<NextStep, { kind: 'rest' }>,
    current: Consignment,
    intend: (change: (now: Consignment) => Consignment) => Consignment,
  ): Promise<Fact> {
    const { saysVisibleAfterMs: bookingVisibleAfterMs, repeatedBooking } = this.kind;
    const base = bookingContext(this.carrier.account(), { bookingVisibleAfterMs, repeatedBooking }, this.clock);
    // The shipment has no other booking.
    const context = { ...base, database: { ...base.database, query: async () => [] } };
    switch (step.kind) {
      case 'prepare':
        return this.prepare(current);
      case 'book': {
        const numbers = step.parts;
        const commit = async () => intend((now) => aboutToSend(now, numbers, this.clock.now()));
        return (await book(context, current, { numbers, intend: commit })).fact;
      }
      case 'find-outcome':
        return (await findOutcome(context, current, step.part)).fact;
      case 'fetch-labels':
        return this.labels(current);
      case 'cancel':
        return {
          kind: 'cancelled',
          results: await cancelBooked(context, current, {
            isOwn: () => true,
            intend: async (isSent) => intend((now) => aboutToCancel(now, isSent)),
          }),
        };
      case 'nothing-to-cancel':
        return { kind: 'nothing-to-cancel' };
      case 'write': {
        const prints = step.effects.filter((effect) => isAtMostOnce(effect) && effect.state === 'open');
        if (prints.length > 0) {
          const effects = current.effects.map((e) => (prints.includes(e) ? { ...e, state: 'sent' as const } : e));
          intend((now) => ({ ...now, effects }));
        }
        return { kind: 'written', results: this.ims.write(current, step.effects), retryAfterMs: null };
      }
    }
  }

  private prepare(current: Consignment): Fact {
    const fate = this.luck.pick(['fine', 'fine', 'fine', 'IMS down', 'unusable', 'not ours']);
    if (fate === 'IMS down') {
      return { kind: 'postponed', waitingFor: 'ims', because: 'down', retryAfterMs: null, claimed: false };
    }
    if (fate === 'not ours') {
      this.notOurs.add(current.run);
      return { kind: 'skipped', because: 'the document is DONE' };
    }
    if (fate === 'unusable') {
      const message = { key: 'no-country', values: { shipmentNumber: '10045' } } as const;
      return { kind: 'unusable', messages: [message], claimed: true, shipmentNumber: '10045' };
    }
    const planned = plan(Array.from({ length: this.containers }, (_none, index) => `box-${index + 1}`));
    const kept = current.parts.filter((part) => part.state === 'booked' || part.state === 'cancelled');
    const requests = this.requests(missingContainers({ ...current, plan: planned, parts: kept }), kept);
    const { shipmentId, shipmentNumber } = { shipmentId: 's-1', shipmentNumber: '10045' };
    const reference = current.reference ?? '10045';
    return {
      kind: 'prepared',
      plan: planned,
      reference,
      shipmentId,
      shipmentNumber,
      requests,
      claimed: true,
      takenOver: [],
      snapshot: { shipmentId: 's-1', others: '' },
    };
  }

  private requests(missing: readonly string[], kept: readonly Part[]) {
    const size = this.kind.maxParcels;
    const first = Math.max(0, ...kept.map((part) => part.n)) + 1;
    const of = Math.ceil(missing.length / size);
    return Array.from({ length: of }, (_none, index) => {
      const n = first + index;
      const parcels = missing.slice(index * size, (index + 1) * size).map((id) => parcel({ id }));
      return { n, request: bookingRequest({ reference: partReference('10045', { n, of }, 35), parcels }) };
    });
  }

  private labels(current: Consignment): Fact {
    const lacking = current.parts.filter((part) => part.state === 'booked' && part.labels !== 'stored');
    const results = lacking.map(({ n }): LabelResult => {
      switch (
        this.luck.pick<'stored' | 'no label yet' | 'no label'>([
          'stored',
          'stored',
          'stored',
          'no label yet',
          'no label',
        ])
      ) {
        case 'stored':
          return { n, kind: 'stored' };
        case 'no label yet':
          return { n, kind: 'unavailable', because: 'down', retryAfterMs: null };
        case 'no label':
          return { n, kind: 'not-to-be-had', problems: [{ code: null, text: 'lost', parcelId: null }] };
      }
    });
    const stored =
      results.some((one) => one.kind === 'stored') || current.parts.some((part) => part.labels === 'stored');
    const waits = results.some((one) => one.kind === 'unavailable');
    const broken = this.luck.pick(['whole', 'whole', 'whole', 'broken']) === 'broken';
    if (!stored || waits) return { kind: 'labels', results, file: { kind: 'none' } };
    return {
      kind: 'labels',
      results,
      file: broken ? { kind: 'unusable', because: 'no PDF' } : { kind: 'stored', pages: 99 },
    };
  }

  /** As the ledger writes: a request to cancel that came meanwhile stays, and makes the row due. */
  private save(
    after: Consignment,
    { knew, answered }: { readonly knew: Consignment; readonly answered: 'yes' | 'no' },
  ): Consignment {
    const now = this.clock.now();
    const { cancelRequest } = this.saved;
    const known = JSON.stringify(cancelRequest) === JSON.stringify(knew.cancelRequest);
    this.saved = {
      ...structuredClone(after),
      dueAt: known ? after.dueAt : now,
      cancelRequest: answered === 'yes' && known ? null : cancelRequest,
      leaseUntil: new Date(now.getTime() + HOUR_MS),
    };
    return this.saved;
  }

  private transitionContext(): TransitionContext {
    const sheets = this.errorSheets === undefined ? {} : { errorSheets: this.errorSheets };
    return transitionContext({ now: this.clock.now(), canCancel: this.kind.cancels === 'yes', ...sheets });
  }

  private requestCancel(): void {
    if (['refused', 'cancelled', 'skipped'].includes(this.saved.state)) return;
    this.saved = { ...this.saved, cancelRequest: CANCEL_REQUEST, dueAt: this.clock.now() };
  }

  /** Somebody takes up what is at rest. @returns whether anything came of it */
  private meddle(): boolean {
    const deed = this.luck.pick<'nothing' | 'retry' | 'new event' | 'cancel request' | 'resolve'>([
      'nothing',
      'retry',
      'new event',
      'cancel request',
      'resolve',
    ]);
    if (deed === 'nothing') return false;
    this.clock.pass(this.luck.pick([60_000, HOUR_MS, 48 * HOUR_MS]));
    this.carrier.finish();
    if (deed === 'cancel request') this.requestCancel();
    else if (deed === 'new event') this.reopen();
    else this.byHand(deed);
    return true;
  }

  private byHand(deed: 'retry' | 'resolve'): void {
    try {
      this.saved = deed === 'retry' ? resume(this.saved, this.clock.now()) : this.settle();
    } catch (error) {
      if (!(error instanceof NotPossible)) throw error;
    }
  }

  private settle(): Consignment {
    const doubtful = this.saved.parts.filter((part) => part.state === 'in-doubt' || part.state === 'sending');
    const there = doubtful.flatMap(({ request }) =>
      this.carrier.live().filter((booking) => booking.reference === request.reference),
    );
    const numbers = Object.fromEntries(
      there.flatMap((booking) => booking.parcels.map(({ id, trackingNumber }) => [id, trackingNumber] as const)),
    );
    const said = this.luck.pick(['truth', 'truth', 'truth', 'lie', 'give-up']);
    const all = doubtful.every(({ request }) => request.parcels.every(({ id }) => numbers[id] !== undefined));
    if (said === 'lie' || (said === 'truth' && there.length === 0)) {
      this.misled ||= there.length > 0;
      return applyResolution(this.saved, { answer: 'not-booked' }, this.clock.now());
    }
    if (said === 'truth' && all) {
      const carrierNumber = there[0]?.carrierNumber ?? null;
      return applyResolution(
        this.saved,
        { answer: 'booked', carrierNumber, trackingNumbers: numbers },
        this.clock.now(),
      );
    }
    this.misled ||= there.length > 0;
    return applyResolution(this.saved, { answer: 'give-up' }, this.clock.now());
  }

  private reopen(): void {
    if (!['refused', 'incomplete'].includes(this.saved.state)) return;
    const now = this.clock.now();
    const { run } = this.saved;
    const anew = {
      state: 'received',
      run: run + 1,
      runStartedAt: now,
      dueAt: now,
      attempts: 0,
      shortfalls: [],
    } as const;
    this.saved = { ...this.saved, ...anew };
  }
}
