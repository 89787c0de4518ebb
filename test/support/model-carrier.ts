import type { CarrierAccount, Traits } from '../../carriers/contract/adapter.js';
import { CarrierRejected, CarrierUnavailable, OutcomeUnknown } from '../../carriers/contract/errors.js';
import type { Booking, BookingRequest, ParcelOutcome } from '../../carriers/contract/model.js';

/** The longest a carrier works on a request after it was sent, also when we died or stopped waiting meanwhile. */
const MAX_WORK_MS = 60_000;

/** Decides what happens next; the first choice is always the good one. */
export interface Luck {
  pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
}

/** Luck from a list; when that is used up, all goes well. */
export function dealt(numbers: readonly number[]): Luck {
  let at = 0;
  return {
    pick: (choices) => {
      const number = numbers[at] ?? 0;
      at += 1;
      return choices[number % choices.length] ?? choices[0];
    },
  };
}

/** The same trouble whenever it can happen, for ever. */
export function always(...troubles: readonly unknown[]): Luck {
  return { pick: (choices) => choices.find((choice) => troubles.includes(choice)) ?? choices[0] };
}

/** Moves only when it is told to. */
export class ModelClock {
  constructor(private at: Date) {}

  now(): Date {
    return this.at;
  }

  pass(ms: number): void {
    this.at = new Date(this.at.getTime() + ms);
  }
}

export interface CarrierKind {
  readonly search: 'by-reference' | 'none';
  readonly repeatedBooking: Traits['repeatedBooking'];
  /** How long its search really lags behind. */
  readonly visibleAfterMs: number;
  /** What its adapter says about that. */
  readonly saysVisibleAfterMs: number;
  readonly cancels: 'yes' | 'no';
  readonly maxParcels: number;
  readonly numbersInSearch: 'by-parcel' | 'loose';
}

/** What the carrier has in its books. */
export interface ModelBooking {
  readonly reference: string;
  readonly carrierNumber: string;
  readonly parcels: readonly { readonly id: string; readonly trackingNumber: string }[];
  readonly atMs: number;
  live: boolean;
}

/** What the parts of a model share. */
export interface ModelDeps {
  readonly luck: Luck;
  readonly clock: ModelClock;
  /** Our process dies before it learns what comes back. */
  readonly crash: () => void;
}

/** A carrier without a network: it books, loses answers, is down, refuses, and works on after our process has died or has stopped waiting. */
export class ModelCarrier {
  readonly bookings: ModelBooking[] = [];
  private pending: { readonly request: BookingRequest; readonly atMs: number }[] = [];

  constructor(
    readonly kind: CarrierKind,
    private readonly around: ModelDeps,
  ) {}

  account(): CarrierAccount {
    return {
      book: async (request) => ({ booking: this.book(request), labels: [] }),
      ...(this.kind.search === 'by-reference' ? { findByReference: async (request) => this.find(request) } : {}),
      ...(this.kind.cancels === 'yes' ? { cancel: async (booking) => this.cancel(booking) } : {}),
    };
  }

  live(): readonly ModelBooking[] {
    return this.bookings.filter((booking) => booking.live);
  }

  /** Ends what it was still at work on. */
  finish(): void {
    const due = this.pending;
    this.pending = [];
    for (const { request, atMs } of due) this.enter(request, atMs);
  }

  /** A carrier that knows references also knows the one it is at work on. */
  private catchUp(reference?: string): void {
    const now = this.around.clock.now().getTime();
    const knows = this.kind.repeatedBooking !== 'books-again';
    const due = this.pending.filter(({ atMs, request }) => atMs <= now || (knows && request.reference === reference));
    this.pending = this.pending.filter((one) => !due.includes(one));
    for (const { request, atMs } of due) this.enter(request, atMs);
  }

  private book(request: BookingRequest): Booking {
    const { luck, clock, crash } = this.around;
    this.catchUp(request.reference);
    const atMs = clock.now().getTime();
    const fate = luck.pick([
      'fine',
      'fine',
      'fine',
      'answer lost',
      'request lost',
      'waited in vain',
      'down',
      'refused',
      'no access',
      'partly',
      'crash before',
      'crash after',
      'crash meanwhile',
    ]);
    switch (fate) {
      case 'down':
        throw new CarrierUnavailable('down', luck.pick([null, 2_000]));
      case 'no access':
        throw new CarrierRejected([{ code: '401', text: 'unknown key', parcelId: null }], 'credentials');
      case 'request lost':
        throw new OutcomeUnknown('reset');
      case 'answer lost':
        this.enter(request, atMs);
        throw new OutcomeUnknown('timed out');
      case 'waited in vain':
        this.pending.push({ request, atMs: atMs + luck.pick([0, 5_000, 30_000, MAX_WORK_MS]) });
        throw new OutcomeUnknown('nothing came in time');
      case 'crash meanwhile':
        this.pending.push({ request, atMs: atMs + luck.pick([0, 5_000, 30_000, MAX_WORK_MS]) });
        break;
      case 'crash after':
        this.enter(request, atMs);
        break;
    }
    if (fate.startsWith('crash')) {
      crash();
      throw new OutcomeUnknown('nobody is there to hear this');
    }
    if (fate === 'refused' && !this.hasAccepted(request.reference)) {
      throw new CarrierRejected([{ code: 'R1', text: 'postcode does not exist', parcelId: null }]);
    }
    const [, refused] = fate === 'partly' ? request.parcels : [];
    const booking = this.enter(request, atMs, refused?.id);
    if (!booking) throw new CarrierRejected([{ code: 'D1', text: 'known reference', parcelId: null }], 'duplicate');
    return answer(booking, request);
  }

  /** It does not refuse today what it took yesterday. */
  private hasAccepted(reference: string): boolean {
    const isAtWork = this.pending.some(({ request }) => request.reference === reference);
    return isAtWork || this.live().some((booking) => booking.reference === reference);
  }

  /** Writes a booking into its books; `null`: it has this reference and wants no other. */
  private enter(request: BookingRequest, atMs: number, refused?: string): ModelBooking | null {
    const known = this.bookings.find((booking) => booking.reference === request.reference && booking.live);
    if (known && this.kind.repeatedBooking !== 'books-again') {
      return this.kind.repeatedBooking === 'returns-first' ? known : null;
    }
    const count = this.bookings.length + 1;
    const parcels = request.parcels
      .filter(({ id }) => id !== refused)
      .map(({ id }) => ({ id, trackingNumber: `T-${count}-${id}` }));
    const booking = { reference: request.reference, carrierNumber: `C-${count}`, parcels, atMs, live: true };
    this.bookings.push(booking);
    return booking;
  }

  private find(request: BookingRequest) {
    const { luck, clock } = this.around;
    this.catchUp();
    if (luck.pick(['fine', 'fine', 'fine', 'search down']) === 'search down')
      throw new CarrierUnavailable('search is down');
    const now = clock.now().getTime();
    const booking = this.live().find(
      ({ reference, atMs }) => reference === request.reference && atMs + this.kind.visibleAfterMs <= now,
    );
    if (!booking) return null;
    const parcels = booking.parcels.map(({ id, trackingNumber }) => ({
      parcelId: this.kind.numbersInSearch === 'by-parcel' ? id : null,
      trackingNumber,
      trackingUrl: null,
    }));
    return { carrierNumber: booking.carrierNumber, parcels, labelSource: null };
  }

  private cancel(booking: Booking) {
    const fate = this.around.luck.pick(['fine', 'fine', 'fine', 'refused', 'down', 'answer lost']);
    if (fate === 'refused') {
      return { kind: 'refused', problems: [{ code: null, text: 'on its way', parcelId: null }] } as const;
    }
    if (fate === 'down') throw new CarrierUnavailable('down');
    for (const one of this.bookings) if (one.carrierNumber === booking.carrierNumber) one.live = false;
    if (fate === 'answer lost') throw new OutcomeUnknown('timed out');
    return { kind: 'cancelled' } as const;
  }
}

function answer(booking: ModelBooking, request: BookingRequest): Booking {
  const parcels = request.parcels.map(({ id }): ParcelOutcome => {
    const found = booking.parcels.find((parcel) => parcel.id === id);
    return found
      ? { kind: 'booked', parcelId: id, trackingNumber: found.trackingNumber, trackingUrl: null }
      : { kind: 'refused', parcelId: id, problems: [{ code: 'R2', text: 'too heavy', parcelId: id }] };
  });
  return { carrierNumber: booking.carrierNumber, parcels, labelSource: null };
}
