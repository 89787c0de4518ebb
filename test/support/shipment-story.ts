import { setTimeout as pause } from 'node:timers/promises';
import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Json } from '../../src/sandbox/store/json.js';
import { readPages } from '../labels/pdfs.js';
import { type Ending, parcels } from './harness.js';
import { type Life, MINUTE_MS } from './lives.js';
import { type Booking, type Order, type Told, numbersOf, problemsOf } from './shipment-problems.js';

/** By the name that the IMS has for them: with search and cancellation, without a search, without both. */
export const CARRIERS = { Pretend: 'pretend', DAO: 'dao', GLS: 'gls-dk' } as const;
export type Carrier = keyof typeof CARRIERS;

const LOOKS = 400;
const FIRST_LOOK_MS = 60;
const LOOK_MS = 250;
/** Every carrier of a story shows then what it has booked. */
const CERTAIN_AFTER_MS = 2 * MINUTE_MS;

const says = (body: Readonly<Record<string, Json>>, status: number) => ({ kind: 'status', status, body }) as const;
const PRETEND_REFUSES = says({ errors: [{ code: 'no', text: 'Nej' }] }, 422);
const DAO_REFUSES = says({ status: 'FEJL', fejlkode: '42', fejltekst: 'Nej' }, 200);
const bookingAt = {
  pretend: { target: 'pretend', method: 'POST', path: '^/bookings$' },
  dao: { target: 'dao', path: '/leveringsordre' },
  gls: { target: 'gls-dk', method: 'POST' },
} as const;
const cancellationAt = {
  pretend: { target: 'pretend', method: 'DELETE' },
  dao: { target: 'dao', path: '/AnnullerePakke' },
} as const;

/** Each happens once at each place, to the next request there. */
export const FAULTS = {
  'request lost': Object.values(bookingAt).map((place) => ({ ...place, kind: 'drop-before' }) as const),
  'answer lost': Object.values(bookingAt).map((place) => ({ ...place, kind: 'drop-after' }) as const),
  'booking refused': [
    { ...bookingAt.pretend, ...PRETEND_REFUSES },
    { ...bookingAt.dao, ...DAO_REFUSES },
    { ...bookingAt.gls, ...says({ Message: 'Nej' }, 400) },
  ],
  'second parcel refused': [{ ...bookingAt.dao, ...DAO_REFUSES, after: 1 }],
  'cancellation refused': [
    { ...cancellationAt.pretend, ...PRETEND_REFUSES },
    { ...cancellationAt.dao, ...DAO_REFUSES },
  ],
  "cancellation's answer lost": Object.values(cancellationAt).map(
    (place) => ({ ...place, kind: 'drop-after' }) as const,
  ),
  'label refused by the IMS': [
    {
      ...{ target: 'ims', path: '/attachments' },
      ...says({ messageCode: 'invalid_Attachment', messageText: 'The file is too odd.' }, 422),
    },
  ],
  'no label': [
    { target: 'pretend', path: '/labels$', ...says({ errors: [{ code: 'no-label', text: 'Ingen' }] }, 404) },
    { target: 'dao', path: '/HentLabel', ...DAO_REFUSES },
  ],
  'search away': [
    { target: 'pretend', method: 'GET', path: '^/bookings$', kind: 'status', status: 503, times: 'always' },
  ],
} as const;

export type Fault = keyof typeof FAULTS;

export type Action =
  | { readonly does: 'book' | 'book twice' | 'no more faults' }
  | { readonly does: 'cancel' | 'cancel by operator' | 'retry' | 'resolve' | 'give up'; readonly which: number }
  | { readonly does: 'change carrier'; readonly to: Carrier };

/** One shipment with its transport bookings, and what people do with them. */
export class ShipmentStory {
  private readonly documents: number[] = [];
  private readonly told: Told[] = [];
  /** The numbers that were booked at the last look. */
  private booked: ReadonlySet<string> = new Set();
  /** By booking: the messages that were certainly sent before it. */
  private readonly sentBefore = new Map<string, number>();
  /** By cancelled document: the messages that were sent before. */
  private readonly cancelled = new Map<number, number>();
  /** By document: the rest in which it was first closed. */
  private readonly closed = new Map<number, number>();
  private rests = 0;
  private readonly shipmentId: number;

  constructor(
    private readonly life: Life,
    carrierName: Carrier,
    private readonly count: number,
  ) {
    life.service.control.clearFaults();
    this.shipmentId = life.service.ship(parcels(count, sampleShipments.oneParcel), { carrierName });
  }

  breaks(fault: Fault): void {
    FAULTS[fault].forEach((each) => this.life.service.control.addFault(each));
  }

  async act(one: Action): Promise<void> {
    const { service } = this.life;
    switch (one.does) {
      case 'book':
      case 'book twice':
        this.documents.push(service.book(this.shipmentId));
        if (one.does === 'book twice') this.documents.push(service.book(this.shipmentId));
        return this.comesToRest();
      case 'no more faults':
        return service.control.clearFaults();
      case 'change carrier':
        await service.ims(`PATCH /shipments/${this.shipmentId}`, { carrierName: one.to });
        return;
      default:
        return this.actOn(one.does, one.which);
    }
  }

  private async actOn(does: Extract<Action, { which: number }>['does'], which: number): Promise<void> {
    const { service } = this.life;
    const documentId = this.documents[which % Math.max(1, this.documents.length)];
    if (documentId === undefined) return;
    const { consignment } = await service.look(documentId);
    if (does === 'cancel') {
      if (this.isCancelled(documentId)) return;
      this.cancelled.set(documentId, this.told.length);
      service.control.cancelDocument(documentId);
    } else if (does === 'resolve' || does === 'give up') {
      const answer = does === 'resolve' ? { parts: this.answersFor(consignment) } : { answer: 'give-up' };
      if (!consignment.needsOperator) return;
      // Before that, "not there" does not say that it is not booked.
      this.life.forward(CERTAIN_AFTER_MS);
      await service.act(consignment, 'resolve', answer);
    } else await service.act(consignment, does === 'retry' ? 'retry' : 'cancel');
    await this.comesToRest();
  }

  /** As somebody reads them in the carrier's portal. */
  private answersFor(consignment: { carrier: string; unconfirmed: { reference: string; containers: string[] }[] }) {
    const known = this.life.service.control.bookings(consignment.carrier) ?? [];
    return consignment.unconfirmed.map(({ reference, containers }) => {
      const found = known.find((booking) => booking.reference === reference && booking.state === 'booked');
      if (!found) return { reference, outcome: 'not-booked' };
      const trackingNumbers = Object.fromEntries(containers.map((id, place) => [id, found.trackingNumbers[place]]));
      return { reference, outcome: 'booked', carrierNumber: found.carrierNumber, trackingNumbers };
    });
  }

  /** Time passes where the service waits for it. */
  async comesToRest(): Promise<void> {
    const { service } = this.life;
    for (let look = 0; look < LOOKS; look += 1) {
      const seen = service.mark();
      await pause(look === 0 ? FIRST_LOOK_MS : LOOK_MS);
      const rows = await Promise.all(this.documents.map((documentId) => service.consignmentOf(documentId)));
      this.look();
      if (rows.every((row) => row !== null && row.dueAt === null)) return this.rested(rows);
      if (service.mark() === seen) this.life.forward(MINUTE_MS);
    }
    throw new Error(`it comes to no rest: ${JSON.stringify(await this.endings())}`);
  }

  private rested(rows: readonly { readonly documentId: string; readonly state: string }[]): void {
    this.rests += 1;
    for (const { documentId, state } of rows)
      if (state === 'closed' && !this.closed.has(Number(documentId))) this.closed.set(Number(documentId), this.rests);
  }

  private async endings(): Promise<readonly Ending[]> {
    const endings: Ending[] = [];
    for (const documentId of this.documents) endings.push(await this.life.service.look(documentId));
    return endings;
  }

  private isCancelled(documentId: number): boolean {
    return this.life.service.document(documentId)['cancelled'] === true;
  }

  private number(): string {
    const row = this.life.service.control.state().shipments.find(({ id }) => id === this.shipmentId);
    return String(row?.shipmentNumber);
  }

  /** What its carriers have, without other shipments whose numbers begin alike. */
  private bookings(): readonly Booking[] {
    const number = this.number();
    return Object.values(CARRIERS).flatMap((carrier) =>
      this.life.service
        .bookings(carrier, number)
        .filter(({ reference }) => !/^\d/.test(reference.slice(number.length)))
        .map((booking) => ({ ...booking, carrier, sentBefore: this.sentBefore.get(keyOf(carrier, booking)) ?? 0 })),
    );
  }

  /** Every message about it, whichever event it answers: a cancellation has an event of its own. */
  private messages(): readonly Pick<Told, 'text' | 'eventId'>[] {
    const about = new RegExp(`hipment ${this.number()}\\b`);
    return this.life.service.control
      .state()
      .messages.map((row) => ({ text: String(row['messageText']), eventId: String(row['eventId']) }))
      .filter(({ text }) => about.test(text));
  }

  /** Notes which messages were sent before which bookings. */
  private look(): void {
    const bookings = this.bookings();
    for (const { carrier, ...booking } of bookings) {
      const key = keyOf(carrier, booking);
      if (!this.sentBefore.has(key)) this.sentBefore.set(key, this.told.length);
    }
    const bookedAfter = new Set(bookings.filter(({ state }) => state === 'booked').flatMap(numbersOf));
    const bookedBefore = this.booked;
    const added = this.messages().slice(this.told.length);
    this.told.push(...added.map((message) => ({ ...message, bookedBefore, bookedAfter })));
    this.booked = bookedAfter;
  }

  /** In words, what nobody knows of, what is booked twice, and who was told nothing or a lie; empty: all is well. */
  async problems(): Promise<readonly string[]> {
    const orders = await Promise.all(this.documents.map((documentId) => this.order(documentId)));
    const bookings = this.bookings();
    const problems = problemsOf({ orders, bookings, told: this.told, parcelCount: this.count });
    if (problems.length === 0) return [];
    const how = orders.map(({ documentId, workStatus, consignment }) =>
      [documentId, workStatus, consignment.state, JSON.stringify(consignment.parcels)].join(' | '),
    );
    return [
      ...problems,
      ...bookings.map((booking) => JSON.stringify(booking)),
      ...how,
      ...this.told.map(({ text }) => text),
    ];
  }

  private async order(documentId: number): Promise<Order> {
    const { service } = this.life;
    const file = service.control.attachment(documentId, `SHIPPING_LABEL_${documentId}.pdf`);
    const pages = file === null ? null : await readPages(file);
    return {
      ...(await service.look(documentId)),
      eventId: service.eventOf(documentId),
      sentBeforeCancelled: this.cancelled.get(documentId) ?? null,
      closedAt: this.closed.get(documentId) ?? null,
      labelText: pages === null ? null : pages.map(({ text }) => text).join('\n'),
    };
  }
}

function keyOf(carrier: string, { reference, trackingNumbers }: SimulatedBooking): string {
  return [carrier, reference, ...trackingNumbers].join(' ');
}
