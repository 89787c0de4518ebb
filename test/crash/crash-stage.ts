import { createHash } from 'node:crypto';
import type { SimulatedBooking } from '../../carriers/contract/simulator.js';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { SandboxState } from '../../src/sandbox/control/control.js';
import type { LoggedRequest } from '../../src/sandbox/api/request-log.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import type { ConsignmentView, PartView, Rows } from './child/protocol.js';
import { numbersOfContainers, wholeReference } from './containers.js';
import type { Stall } from './stalls.js';

export type CarrierBooking = SimulatedBooking & { readonly carrier: string };

/** All that is known when everything has come to rest: the sender's side, the carriers', and ours. */
export interface FinalState {
  readonly state: SandboxState;
  readonly bookings: readonly CarrierBooking[];
  readonly requests: readonly LoggedRequest[];
  /** When whoever noted the requests was too busy to see them come. */
  readonly stalls: readonly Stall[];
  /** The attached label of a document. */
  readonly fileOf: (documentId: number) => Buffer | null;
  /** What stands on each page of a label; `null`: it cannot be read here. */
  readonly pagesOf: (file: Buffer) => readonly string[] | null;
  readonly rows: Rows;
  /** Everything that the service has written, in all its lives. */
  readonly output: string;
}

/** The carrier whose labels are printed in several copies, each asked for on its own. */
export const TWICE = { carrier: 'dao', profile: 'twice', copies: 2 } as const;

const ENDED = ['closed', 'refused', 'incomplete', 'cancelled', 'set-aside'];
const MAX_IN_A_SECOND = 50;

/** @returns what is wrong with it, each with the number of the promise that is broken; nothing when all of them hold */
export function checkFinalState(context: FinalState): readonly string[] {
  return [
    ...missedEvents(context),
    ...bookedTwice(context),
    ...unended(context),
    ...doneTooEarly(context),
    ...stillOngoing(context),
    ...tooManyRequests(context),
    ...outOfOrder(context),
    ...spoken(context),
    ...labels(context),
  ];
}

/** (1) What was answered 202 is stored. The sender's list is its own. */
function missedEvents({ state, rows }: FinalState): readonly string[] {
  const stored = new Set(rows.events.map((event) => event.id));
  return state.events
    .filter((event) => event.deliveries.some((delivery) => delivery.status === 202) && !stored.has(event.eventId))
    .map((event) => `(1) event ${event.eventId} was answered 202 and is not stored`);
}

/** (2) One booking for a reference, and none that nobody knows of. */
function bookedTwice(context: FinalState): readonly string[] {
  const alive = context.bookings.filter((booking) => booking.state === 'booked');
  const first = (booking: CarrierBooking) =>
    alive.find(({ carrier, reference }) => carrier === booking.carrier && reference === booking.reference);
  const surplus = alive
    .filter((booking) => first(booking) !== booking && !isTold(context, booking))
    .map(({ carrier, reference }) => `(2) ${carrier} ${reference} is booked more than once`);
  const unknown = alive
    .filter((booking) => !isKnown(context, booking))
    .map(({ carrier, reference }) => `(2) ${carrier} ${reference} is booked, and we neither know nor ask`);
  const invented = context.rows.consignments.flatMap((row) =>
    row.parts
      .filter((part) => part.state === 'booked' && !isAtCarrier(context, row, part))
      .map((part) => `(2) ${row.carrier} ${part.reference} is booked with us, and not at the carrier`),
  );
  return [...surplus, ...unknown, ...invented, ...bookedAnew(context, alive)];
}

/** Under another reference as well, though no further document has asked for it. */
function bookedAnew({ state, rows }: FinalState, alive: readonly CarrierBooking[]): readonly string[] {
  return state.shipments.flatMap(({ id, shipmentNumber }) => {
    const own = rows.consignments.filter((row) => row.shipmentId === String(id));
    const parts = own.flatMap(({ carrier, parts: some }) => some.map(({ reference }) => ({ carrier, reference })));
    const references = new Set(
      alive
        .filter((one) => parts.some((part) => part.carrier === one.carrier && part.reference === one.reference))
        .map(({ carrier, reference }) => `${carrier} ${wholeReference(reference)}`),
    );
    const asked = state.documents.filter(
      (row) => row.documentType === 'TRANSPORT_BOOKING' && row.shipmentIds.includes(id),
    ).length;
    return references.size > Math.max(1, asked)
      ? [`(2) shipment ${shipmentNumber} is booked as ${[...references].join(', ')}, asked for by ${asked} documents`]
      : [];
  });
}

type OwnedPart = PartView & { readonly of: ConsignmentView };

/** What we have under this reference at this carrier. */
function partsOf({ rows }: FinalState, { carrier, reference }: CarrierBooking): readonly OwnedPart[] {
  return rows.consignments
    .filter((of) => of.carrier === carrier)
    .flatMap((of) => of.parts.filter((part) => part.reference === reference).map((part) => ({ ...part, of })));
}

function isKnown(context: FinalState, booking: CarrierBooking): boolean {
  const known = partsOf(context, booking).some(
    (part) => part.state === 'booked' && sameNumbers(part.trackingNumbers, booking.trackingNumbers),
  );
  return known || isTold(context, booking);
}

function isAtCarrier(context: FinalState, { carrier }: ConsignmentView, part: PartView): boolean {
  return context.bookings.some(
    (booking) =>
      booking.carrier === carrier &&
      booking.reference === part.reference &&
      booking.state === 'booked' &&
      sameNumbers(part.trackingNumbers, booking.trackingNumbers),
  );
}

/** A person was asked to look for it. */
function isTold(context: FinalState, booking: CarrierBooking): boolean {
  return partsOf(context, booking).some(
    (part) =>
      part.state === 'in-doubt' &&
      part.of.needsOperator &&
      errorsTo(context, part.of).some((text) => text.includes(part.reference)),
  );
}

function sameNumbers(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}

/** What says that no label comes by itself; that it takes longer tells nobody how it ended. */
function errorsTo({ state }: FinalState, { eventId }: ConsignmentView): readonly string[] {
  return state.messages
    .filter((message) => message.eventId === eventId && message['messageType'] === 'ERROR')
    .map((message) => String(message['messageText']));
}

/** (3) Everything has ended, or waits for a person, and whoever asked knows. */
function unended(context: FinalState): readonly string[] {
  const { consignments, tasks } = context.rows;
  return [
    ...consignments.flatMap((row) => {
      const asks = row.needsOperator && row.state === 'in-doubt';
      if (row.dueAt !== null || (!ENDED.includes(row.state) && !asks)) return [`(3) ${nameOf(row)} has not ended`];
      const mustTell = asks || row.state === 'refused' || row.state === 'incomplete';
      return mustTell && errorsTo(context, row).length === 0 ? [`(3) nobody was told of ${nameOf(row)}`] : [];
    }),
    ...tasks.filter((row) => row.dueAt !== null).map((row) => `(3) task ${row.id} has not ended`),
    ...context.state.documents
      .filter((row) => row.documentType === 'TRANSPORT_BOOKING')
      .filter((row) => !consignments.some((consignment) => consignment.documentId === String(row.id)))
      .map((row) => `(3) document ${row.id} has no consignment`),
  ];
}

function nameOf(row: ConsignmentView): string {
  return `consignment of document ${row.documentId} (${row.state}${row.needsOperator ? ', waits for a person' : ''})`;
}

/** (4) DONE is a document whose containers have numbers of their own, with its label. */
function doneTooEarly(context: FinalState): readonly string[] {
  return bookingsDone(context).flatMap((document) => {
    const [shipmentId] = document.shipmentIds;
    const containers = context.state.shippingContainers.filter((row) => row['shipmentId'] === shipmentId);
    const shipment = context.state.shipments.find((row) => row.id === shipmentId);
    const given = numbersOfContainers(consignmentsOf(context, shipmentId), context.bookings);
    const strange = containers.filter((row) => !given.get(String(row.id))?.has(String(row['trackingNumber'])));
    const numbers = containers.map((row) => row['trackingNumber']);
    return [
      ...(numbers.some((number) => typeof number !== 'string') ? [`(4) ${document.id} is DONE without a number`] : []),
      ...strange.map((row) => `(4) ${document.id}: the carrier has another number for container ${row.id}`),
      ...(new Set(numbers).size === numbers.length ? [] : [`(4) ${document.id} has one number twice`]),
      ...(shipment?.['carriersShipmentNumber'] ? [] : [`(4) ${document.id} is DONE without the shipment's number`]),
      ...(context.fileOf(document.id) === null ? [`(4) ${document.id} is DONE without a label`] : []),
    ];
  });
}

function consignmentsOf({ rows }: FinalState, shipmentId: number | undefined): readonly ConsignmentView[] {
  return rows.consignments.filter((row) => row.shipmentId === String(shipmentId));
}

function bookingsDone({ state }: FinalState): SandboxState['documents'] {
  return state.documents.filter((row) => row.documentType === 'TRANSPORT_BOOKING' && row.workStatus === 'DONE');
}

/** (5) Nobody waits before a document that nobody works on. */
function stillOngoing({ state }: FinalState): readonly string[] {
  return state.documents
    .filter((row) => row.documentType === 'TRANSPORT_BOOKING')
    .filter((row) => !['DONE', 'FAILED', 'CANCELLED'].includes(row.workStatus))
    .map((row) => `(5) document ${row.id} is ${row.workStatus}`);
}

/** (6) In no second more than the key allows, and what came while nobody looked. */
function tooManyRequests({ requests, stalls }: FinalState): readonly string[] {
  const calls = requests.filter((request) => request.target === 'ims' && request.area !== null);
  return [...new Set(calls.map(({ area }) => area))].flatMap((area) => {
    const times = calls.filter((request) => request.area === area).map(({ at }) => at);
    const most = Math.max(0, ...times.map((time, index) => withinSecond(times, index, time) - queuedAt(time, stalls)));
    return most > MAX_IN_A_SECOND ? [`(6) ${Math.ceil(most)} requests in a second for the key of area ${area}`] : [];
  });
}

/** So many may have come earlier than was noted, in the second that begins here. */
function queuedAt(time: number, stalls: readonly Stall[]): number {
  const near = stalls.filter(({ endedAt }) => endedAt > time - 1_000 && endedAt < time + 1_000);
  return near.reduce((sum, { ms }) => sum + (ms / 1_000) * MAX_IN_A_SECOND, 0);
}

function withinSecond(times: readonly number[], from: number, start: number): number {
  let count = 0;
  for (let index = from; index < times.length && (times[index] ?? 0) < start + 1_000; index += 1) count += 1;
  return count;
}

/** (7) Numbers and label before print and DONE, whoever sends them and how often. */
function outOfOrder({ state, requests }: FinalState): readonly string[] {
  const calls = requests.filter((request) => request.target === 'ims' && request.method !== 'GET');
  return state.documents
    .filter((row) => row.documentType === 'TRANSPORT_BOOKING')
    .flatMap((document) => {
      const [shipmentId] = document.shipmentIds;
      const containers = state.shippingContainers.filter((row) => row['shipmentId'] === shipmentId);
      const paths = [
        `/documents/${document.id}/attachments`,
        ...containers.map((row) => `/shippingContainers/${String(row.id)}`),
      ];
      const writes = calls.filter(({ path, status }) => paths.includes(path) && status !== null && status < 300);
      const ends = calls.filter(
        ({ path, body }) =>
          (path === `/documents/${document.id}` && JSON.stringify(body).includes('DONE')) ||
          (path.includes('printResource') && JSON.stringify(body).includes(`SHIPPING_LABEL_${document.id}.`)),
      );
      const lastWrite = Math.max(0, ...writes.map((request) => request.n));
      const firstEnd = Math.min(Infinity, ...ends.map((request) => request.n));
      return lastWrite > firstEnd ? [`(7) document ${document.id} was written to after its end`] : [];
    });
}

/** What must never stand in a log: secrets, and who lives where. */
const UNSPEAKABLE = [
  ...Object.values(sandboxSecrets),
  ...Object.values(sampleShipments).flatMap(({ shipment }) =>
    textsIn([shipment['deliveryAddress'], shipment['contactPerson']]),
  ),
].filter((text) => text.length >= 6 && !/^\d+$/.test(text));

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** (8) */
function spoken({ output }: FinalState): readonly string[] {
  return [...new Set(UNSPEAKABLE)].filter((text) => output.includes(text)).map((text) => `(8) the log says "${text}"`);
}

/** (9) What is kept is what was given; one file for a document, no second print, and one error sheet for a run. */
function labels(context: FinalState): readonly string[] {
  const { state, rows } = context;
  const spoiled = rows.labels
    .filter((label) => label.told !== label.real)
    .map((label) => `(9) label ${label.n} of ${label.consignment} is not what was stored`);
  const files = rows.consignments.flatMap((row) => {
    const documentId = Number(row.documentId);
    const file = context.fileOf(documentId);
    const whole = rows.labels.find((label) => label.consignment === row.id && label.n === 0);
    const digest = file === null ? null : createHash('sha256').update(file).digest('hex');
    const attached = state.attachments.filter(
      (one) => one.ownerId === documentId && one.fileName.startsWith('SHIPPING'),
    );
    const printsOf = (name: string) =>
      state.prints.filter((print) => JSON.stringify(print.body).includes(`${name}_${documentId}.`)).length;
    const [prints, sheets] = [printsOf('SHIPPING_LABEL'), printsOf('NO_LABEL')];
    return [
      ...(digest !== null && digest !== whole?.real ? [`(9) document ${documentId} has another label than we`] : []),
      ...(attached.length > 1 ? [`(9) document ${documentId} has ${attached.length} files`] : []),
      ...(prints > (row.carrier === TWICE.carrier ? TWICE.copies : 1)
        ? [`(9) document ${documentId} was printed ${prints} times`]
        : []),
      ...wrongPapers(context, row),
      ...(sheets > row.run ? [`(9) the error sheet of ${documentId} was printed ${sheets} times`] : []),
    ];
  });
  return [...spoiled, ...files, ...bookingsDone(context).flatMap((document) => misprinted(context, document))];
}

/** One file for each paper that was attached. */
function wrongPapers({ state }: FinalState, { documentId, effects }: ConsignmentView): readonly string[] {
  const papers = state.attachments.filter(
    (one) => one.ownerId === Number(documentId) && one.fileName.startsWith('COMMERCIAL_INVOICE'),
  );
  const wanted = effects.filter((effect) => effect.key.startsWith('customs-paper:') && effect.state === 'done');
  return [
    ...(papers.length > 1 ? [`(9) document ${documentId} has ${papers.length} papers for customs`] : []),
    ...(papers.length < wanted.length ? [`(9) document ${documentId} has no paper for customs`] : []),
  ];
}

/** A page for each container, in their order, with the number that the carrier has for it. */
function misprinted(context: FinalState, { id, shipmentIds }: SandboxState['documents'][number]): readonly string[] {
  const file = context.fileOf(id);
  const pages = file && context.pagesOf(file);
  if (!pages) return [];
  const [shipmentId] = shipmentIds;
  const containers = context.state.shippingContainers.filter((row) => row['shipmentId'] === shipmentId);
  if (pages.length !== containers.length)
    return [`(9) the label of ${id} has ${pages.length} pages for ${containers.length} containers`];
  const given = numbersOfContainers(consignmentsOf(context, shipmentId), context.bookings);
  return containers
    .filter((row, place) => ![...(given.get(String(row.id)) ?? [])].some((number) => pages[place]?.includes(number)))
    .map((row) => `(9) the label of ${id} has another number than the carrier for container ${row.id}`);
}
