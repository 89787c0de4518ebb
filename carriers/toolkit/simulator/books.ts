import { zplLabels } from './zpl-label.js';
import type { SimulatedBooking, SimulatedEvent, SimulatedReturn, SimulatorSettings } from '../../contract/index.js';
import type { PageSize, SimulatedLabel } from './label.js';
import { LABEL_100_BY_150, drawLabels } from './label.js';

/** A series of numbers, each given out once, counting up; `length` includes the prefix. */
export interface Series {
  readonly prefix: string;
  readonly length: number;
}

/** A booking for a simulated carrier. */
export interface NewBooking {
  readonly reference: string;
  readonly service: string;
  /** Lines of an address for the label, the name first. */
  readonly sender: readonly string[];
  readonly recipient: readonly string[];
  readonly parcels: readonly NewParcel[];
  /** `test`: it has labels, and is no booking. `return`: a parcel that comes back. */
  readonly order?: 'real' | 'test' | 'return';
}

export interface NewParcel {
  /** The customer's id of the parcel; missing: none. */
  readonly id?: string;
  readonly weightGrams: number;
  /** Replaces the booking's value on the label. */
  readonly reference?: string | null;
}

/** A stored booking. */
export interface BookedEntry extends SimulatedBooking {
  readonly asked: NewBooking;
  readonly bookedAt: Date;
  state: SimulatedBooking['state'];
}

/** The bookings of a simulated carrier, in memory. */
export interface Books {
  readonly entries: readonly BookedEntry[];
  /** Counts a key. @returns the count, this call included */
  count(what: string): number;
  /**
   * The next number of a series: `booking` and `parcel` are drawn by `book`.
   * @param key the same key always gets the same number
   */
  next(series: string, key?: string): string;
  book(asked: NewBooking): BookedEntry;
  byReference(reference: string): readonly BookedEntry[];
  /** The bookings that a search shows by now: see `visibleAfterMs`. */
  visible(): readonly BookedEntry[];
  madeBefore(ms: number): readonly BookedEntry[];
  /** The bookings with this reference, this number, or a parcel of this number. */
  named(name: string): readonly BookedEntry[];
  /** Finds a booking by its number. */
  byNumber(carrierNumber: string | undefined): BookedEntry | undefined;
  byParcel(trackingNumber: string | undefined): BookedEntry | undefined;
  cancel(entry: BookedEntry): void;
  /** What has happened to a parcel by now, oldest first. */
  events(trackingNumber: string): readonly SimulatedEvent[];
  /** A PDF with a page for each parcel, of one booking or of several. */
  labels(entries: BookedEntry | readonly BookedEntry[], page?: PageSize): Promise<Uint8Array>;
  /** The label of a booking in ZPL, for printers of so many dots per inch. */
  zpl(entry: BookedEntry, dpi: number, page?: PageSize): string;
  /** The label of one parcel in ZPL; `''`: the booking has no such parcel. */
  zplOf(entry: BookedEntry, trackingNumber: string, form: { readonly dpi: number; readonly page?: PageSize }): string;
  /** A PDF with the page of one parcel; `null`: the booking has no such parcel. */
  labelOf(entry: BookedEntry, trackingNumber: string, page?: PageSize): Promise<Uint8Array> | null;
}

export interface BooksOf {
  /** The carrier's name on the labels. */
  readonly carrierName: string;
  /** `parcel` is needed; without `booking` a booking as a whole has no number. */
  readonly series: Readonly<Record<string, Series>> & { readonly parcel: Series };
  /**
   * How long after it was made a search shows a booking; shorter than the trait `bookingVisibleAfterMs`, so that one that
   * comes too early finds nothing.
   */
  readonly visibleAfterMs?: number;
}

export function openBooks(of: BooksOf, { journeys, now }: SimulatorSettings): Books {
  const { carrierName, series, visibleAfterMs = 0 } = of;
  const entries: BookedEntry[] = [];
  const { count, next } = countersOf(series);
  const madeBefore = (ms: number) => entries.filter(({ bookedAt }) => bookedAt.getTime() <= now().getTime() - ms);
  const labelsIn = (entry: BookedEntry, number?: string) => toLabels(entry, carrierName, number);
  return {
    entries,
    count,
    next,
    book: (asked) => {
      const ids = asked.parcels.flatMap(({ id }) => (id === undefined ? [] : [id]));
      const trackingNumbers = asked.parcels.map(() => next('parcel'));
      const carrierNumber = series['booking'] ? next('booking') : null;
      const about = { asked, reference: asked.reference, carrierNumber, trackingNumbers, bookedAt: now() };
      const entry: BookedEntry = { ...about, ...(ids.length > 0 ? { parcelIds: ids } : {}), state: 'booked' };
      entries.push(entry);
      if (isBooking(entry)) journeys?.begin(toSimulatedBooking(entry));
      return entry;
    },
    byReference: (reference) => entries.filter((entry) => entry.reference === reference),
    visible: () => madeBefore(visibleAfterMs),
    madeBefore,
    named: (name) =>
      entries.filter(({ reference, carrierNumber, trackingNumbers }) =>
        [reference, carrierNumber, ...trackingNumbers].some((each) => each !== '' && each === name),
      ),
    byNumber: (carrierNumber) => entries.find((entry) => entry.carrierNumber === carrierNumber),
    byParcel: (number) => entries.find(({ trackingNumbers }) => trackingNumbers.some((each) => each === number)),
    cancel: (entry) => {
      entry.state = 'cancelled';
      journeys?.end(entry.trackingNumbers);
    },
    events: (trackingNumber) => journeys?.soFar(trackingNumber) ?? [],
    labels: (given, page = LABEL_100_BY_150) => {
      const labels = [given].flat().flatMap((entry) => labelsIn(entry));
      return drawLabels(labels, page);
    },
    zpl: (entry, dpi, page = LABEL_100_BY_150) => zplLabels(labelsIn(entry), page, dpi),
    zplOf: (entry, number, { dpi, page = LABEL_100_BY_150 }) => zplLabels(labelsIn(entry, number), page, dpi),
    labelOf: (entry, number, page = LABEL_100_BY_150) => drawnFrom(labelsIn(entry, number), page),
  };
}

function countersOf(series: BooksOf['series']): Pick<Books, 'count' | 'next'> {
  const counted = new Map<string, number>();
  const keyed = new Map<string, string>();
  const count = (what: string): number => {
    const times = (counted.get(what) ?? 0) + 1;
    counted.set(what, times);
    return times;
  };
  const draw = (name: string): string => {
    const { prefix, length } = series[name] ?? { prefix: '', length: 0 };
    return prefix + String(count(`series ${name}`)).padStart(length - prefix.length, '0');
  };
  const next = (name: string, key?: string): string => {
    if (key === undefined) return draw(name);
    const number = keyed.get(`${name} ${key}`) ?? draw(name);
    keyed.set(`${name} ${key}`, number);
    return number;
  };
  return { count, next };
}

function drawnFrom(labels: readonly SimulatedLabel[], page: PageSize) {
  return labels.length === 0 ? null : drawLabels(labels, page);
}

export function isBooking({ asked: { order = 'real' } }: BookedEntry): boolean {
  return order === 'real';
}

export function toSimulatedReturn({ reference, trackingNumbers, asked }: BookedEntry): SimulatedReturn {
  return { reference, trackingNumber: trackingNumbers[0] ?? '', sender: asked.sender, recipient: asked.recipient };
}

/** The booking as the control interface shows it. */
export function toSimulatedBooking(entry: BookedEntry): SimulatedBooking {
  const { reference, carrierNumber, trackingNumbers, parcelIds, state } = entry;
  return { reference, carrierNumber, trackingNumbers, ...(parcelIds && { parcelIds }), state };
}

/** @param number of one parcel; missing: of all of them */
function toLabels(entry: BookedEntry, carrierName: string, number?: string): readonly SimulatedLabel[] {
  const { asked, trackingNumbers } = entry;
  const { service, sender, recipient } = asked;
  const labels = asked.parcels.map(({ weightGrams, reference }, index) => ({
    ...{ carrierName, service, sender, recipient, weightGrams },
    trackingNumber: trackingNumbers[index] ?? '',
    reference: reference ?? asked.reference,
  }));
  return labels.filter(({ trackingNumber }) => number === undefined || trackingNumber === number);
}
