import { setTimeout as pause } from 'node:timers/promises';
import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { Json } from '../../src/sandbox/store/json.js';
import { type Ending, parcels } from './harness.js';
import { type Life, MINUTE_MS } from './lives.js';

/** By the name that the IMS has for them: with search and cancellation, without a search, without both. */
export const CARRIERS = { Pretend: 'pretend', DAO: 'dao', GLS: 'gls-dk' } as const;
export type Carrier = keyof typeof CARRIERS;

const LOOKS = 400;
const FIRST_LOOK_MS = 60;
const LOOK_MS = 250;

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
      if (!this.isCancelled(documentId)) service.control.cancelDocument(documentId);
    } else if (does === 'resolve' || does === 'give up') {
      const answer = does === 'resolve' ? { parts: this.answersFor(consignment) } : { answer: 'give-up' };
      if (consignment.needsOperator) await service.act(consignment, 'resolve', answer);
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
      if (rows.every((row) => row !== null && row.dueAt === null)) return;
      if (service.mark() === seen) this.life.forward(MINUTE_MS);
    }
    throw new Error(`it comes to no rest: ${JSON.stringify(await this.endings())}`);
  }

  private async endings(): Promise<readonly Ending[]> {
    const endings: Ending[] = [];
    for (const documentId of this.documents) endings.push(await this.life.service.look(documentId));
    return endings;
  }

  private isCancelled(documentId: number): boolean {
    return this.life.service.document(documentId)['cancelled'] === true;
  }

  /** The bookings of the shipment that its carriers carry out. */
  private live(): readonly Live[] {
    const [first] = this.documents;
    if (first === undefined) return [];
    const number = this.life.service.numberOf(first);
    return Object.values(CARRIERS).flatMap((carrier) =>
      this.life.service
        .bookings(carrier, number)
        .filter(({ reference, state }) => state === 'booked' && !/^\d/.test(reference.slice(number.length)))
        .map((booking) => ({ ...booking, carrier })),
    );
  }

  /** In words, what nobody knows of, what is booked twice, and who was told nothing or a lie; empty: all is well. */
  async problems(): Promise<readonly string[]> {
    const endings = await this.endings();
    const live = this.live();
    const problems = [...lost(live, endings), ...this.bookedTwice(live, endings), ...this.wrongEndings(live, endings)];
    const how = endings.map(({ documentId, workStatus, consignment, messages }) =>
      [documentId, workStatus, consignment.state, ...messages.map(({ text }) => text)].join(' | '),
    );
    return problems.length === 0 ? [] : [...problems, ...how];
  }

  /** Closed bookings were each asked for. Of the others one for each parcel is enough, and none before a closed one. */
  private bookedTwice(live: readonly Live[], endings: readonly Ending[]): readonly string[] {
    const closed = endings.map(({ consignment }) => consignment.state === 'closed');
    const unasked = live.filter((booking) => {
      const isAsked = endings.some(({ consignment }, place) => closed[place] && holds(consignment, booking));
      return !isAsked && !isTold(booking, endings);
    });
    const numbers = unasked.flatMap(({ trackingNumbers }) => trackingNumbers);
    const beside = unasked.filter((booking) => {
      const place = endings.findLastIndex(({ consignment }) => holds(consignment, booking));
      return place >= 0 && closed.lastIndexOf(true) > place;
    });
    return numbers.length > this.count || beside.length > 0 ? [`booked twice: ${unasked.map(nameOf).join(', ')}`] : [];
  }

  private wrongEndings(live: readonly Live[], endings: readonly Ending[]): readonly string[] {
    const numbers = new Set(live.flatMap(({ trackingNumbers }) => trackingNumbers));
    return endings.flatMap(({ documentId, workStatus, consignment, messages }) => {
      const isHandedOut = workStatus === 'DONE' && consignment.state === 'closed' && !this.isCancelled(documentId);
      const dead = isHandedOut ? numbersOf(consignment).filter((number) => !numbers.has(number)) : [];
      const isSilent = workStatus === 'FAILED' && messages.length === 0;
      return [
        ...dead.map((number) => `${documentId} has the label of ${number}, which is not booked`),
        ...(isSilent ? [`${documentId} has failed, and nobody was told`] : []),
      ];
    });
  }
}

type Live = SimulatedBooking & { readonly carrier: string };

function nameOf({ carrier, reference, trackingNumbers }: Live): string {
  return `${carrier} ${reference} ${trackingNumbers.join('+')}`;
}

function lost(live: readonly Live[], endings: readonly Ending[]): readonly string[] {
  return live.flatMap((booking) => {
    const isKnown = endings.some(({ consignment }) => holds(consignment, booking) || doubts(consignment, booking));
    return [
      ...(isKnown || isTold(booking, endings) ? [] : [`${nameOf(booking)} is lost`]),
      ...(isSaidCancelled(booking, endings) ? [`${nameOf(booking)} is said to be cancelled`] : []),
    ];
  });
}

interface Shown {
  readonly parcels: readonly { readonly trackingNumber: string | null }[];
  readonly unconfirmed: readonly { readonly reference: string }[];
}

function numbersOf({ parcels: all }: Shown): readonly string[] {
  return all.flatMap(({ trackingNumber }) => trackingNumber ?? []);
}

function holds(consignment: Shown, { trackingNumbers }: Live): boolean {
  return numbersOf(consignment).some((number) => trackingNumbers.includes(number));
}

function doubts({ unconfirmed }: Shown, booking: Live): boolean {
  return unconfirmed.some(({ reference }) => reference === booking.reference);
}

function toldIn(endings: readonly Ending[]): readonly string[] {
  return endings.flatMap(({ messages }) => messages.map(({ text }) => text));
}

/** Somebody knows that it is booked, or may be. */
function isTold({ carrierNumber, trackingNumbers, reference }: Live, endings: readonly Ending[]): boolean {
  const numbers = [...(carrierNumber === null ? [] : [carrierNumber]), ...trackingNumbers];
  const byReference = new RegExp(`(?:may still be booked as|Look for) [^.]*\\b${reference}\\b`);
  return toldIn(endings).some(
    (text) => byReference.test(text) || (/booked|may be/.test(text) && numbers.some((number) => text.includes(number))),
  );
}

function isSaidCancelled({ carrierNumber, trackingNumbers }: Live, endings: readonly Ending[]): boolean {
  const numbers = [...(carrierNumber === null ? [] : [carrierNumber]), ...trackingNumbers];
  return toldIn(endings).some((text) => numbers.some((number) => text.includes(`(number ${number}). Throw`)));
}
