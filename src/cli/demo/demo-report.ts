import type { ListedCarrier } from '../../../carriers/index.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxState } from '../../sandbox/control/control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Story } from './demo-stories.js';

/** The outcome of one story. */
export interface Told {
  readonly title: string;
  readonly number: string;
  readonly carrier: string;
  readonly carriersNumber: string;
  readonly trackingNumbers: readonly string[];
  readonly label: string;
  readonly printed: string;
  readonly ms: number;
  readonly messages: readonly string[];
  /** The promises that do not hold. */
  readonly problems: readonly string[];
}

interface Ids {
  readonly shipmentId: number;
  /** `null`: the story ends before there is one. */
  readonly documentId: number | null;
  readonly ms: number;
}

interface Playing {
  readonly sandbox: Sandbox;
  readonly output: string;
  readonly listed: readonly ListedCarrier[];
}

/** Reads the outcome from the IMS and the carriers, not from the service. */
export function told(stage: Playing, story: Story, ids: Ids): Told {
  const state = stage.sandbox.control.state();
  const shipment = state.shipments.find((row) => row.id === ids.shipmentId);
  if (!shipment) throw new Error(`shipment ${ids.shipmentId} is gone`);
  const number = shipment.shipmentNumber;
  const { documentId } = ids;
  const label =
    documentId === null ? null : stage.sandbox.control.attachment(documentId, `SHIPPING_LABEL_${documentId}.pdf`);
  if (label) writeFileSync(join(stage.output, `${number}.pdf`), label);
  const { carrierName } = shipment;
  const bookings = bookingsOf(stage, number);
  const seen = { ...seenIn(state, ids), label: label !== null, bookings, carrierName };
  return {
    title: story.title,
    number,
    carrier: shipment.carrierName ?? '-',
    carriersNumber: String(shipment['carriersShipmentNumber'] ?? '-'),
    trackingNumbers: seen.trackingNumbers,
    label: label ? `${number}.pdf` : '-',
    printed: seen.prints === 0 ? '-' : `${seen.prints}×`,
    ms: ids.ms,
    messages: seen.messages,
    problems: PROBLEMS[story.ending](seen),
  };
}

function seenIn(state: SandboxState, ids: Ids) {
  const document = state.documents.find((row) => row.id === ids.documentId);
  const containers = state.shippingContainers.filter((row) => row['shipmentId'] === ids.shipmentId);
  const numbers = containers.map((row) => row['trackingNumber']);
  const shipment = state.shipments.find((row) => row.id === ids.shipmentId);
  const events = [
    ...[document?.['documentCreatedEventId'], document?.['documentCancelledEventId']],
    shipment?.['shipmentCreatedEventId'],
  ];
  const messages = state.messages.filter((message) => events.includes(message.eventId));
  return {
    status: document?.workStatus ?? 'missing',
    trackingNumbers: numbers.filter((number) => typeof number === 'string'),
    containers: containers.length,
    prints: state.prints.filter((print) => JSON.stringify(print.body).includes(String(ids.documentId))).length,
    messages: messages.map((message) => String(message['messageText'])),
  };
}

interface Seen extends ReturnType<typeof seenIn> {
  readonly label: boolean;
  readonly carrierName: unknown;
  readonly bookings: readonly { readonly reference: string; readonly state: string }[];
}

function bookingsOf({ sandbox, listed }: Playing, number: string) {
  const all = listed.flatMap(({ adapter }) => sandbox.control.bookings(adapter.id) ?? []);
  return all.filter(({ reference }) => reference === number || reference.startsWith(`${number}-`));
}

/** Each line: whether a promise holds, and the text when it does not. */
const PROBLEMS: Readonly<Record<Story['ending'], (seen: Seen) => readonly string[]>> = {
  labelled: (seen) =>
    broken([
      [once(seen), 'booked twice'],
      [seen.status === 'DONE', `the document is ${seen.status}`],
      [seen.trackingNumbers.length === seen.containers, 'a container has no number'],
      [new Set(seen.trackingNumbers).size === seen.containers, 'two containers share a number'],
      [seen.label, 'there is no label'],
      [seen.prints === 1, `printed ${seen.prints} times`],
    ]),
  refused: (seen) =>
    broken([
      [seen.status === 'FAILED', `the document is ${seen.status}`],
      [seen.messages.length > 0, 'no worker was told'],
      [seen.bookings.length === 0, 'it is booked'],
    ]),
  cancelled: (seen) =>
    broken([
      [once(seen), 'booked twice'],
      [
        seen.bookings.length > 0 && seen.bookings.every((booking) => booking.state === 'cancelled'),
        'it is still booked',
      ],
      [seen.messages.length > 0, 'no worker was told'],
    ]),
  'carrier-set': (seen) =>
    broken([
      [(seen.carrierName ?? null) !== null, 'there is no carrier'],
      [seen.bookings.length === 0, 'it is booked'],
    ]),
  warned: (seen) =>
    broken([
      [seen.messages.length > 0, 'no worker was told'],
      [seen.bookings.length === 0, 'it is booked'],
    ]),
};

function broken(promises: readonly (readonly [boolean, string])[]): readonly string[] {
  return promises.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function once(seen: Seen): boolean {
  return new Set(seen.bookings.map((booking) => booking.reference)).size === seen.bookings.length;
}

const HEADS = ['shipment', 'story', 'carrier', "carrier's number", 'tracking numbers', 'label', 'printed', 'ms'];

export function showTable(results: readonly Told[], output: string): void {
  const lines = results.map((result) => [
    result.number,
    result.title,
    result.carrier,
    result.carriersNumber,
    shortList(result.trackingNumbers),
    result.label,
    result.printed,
    String(result.ms),
  ]);
  const widths = HEADS.map((head, column) =>
    Math.max(head.length, ...lines.map((line) => (line[column] ?? '').length)),
  );
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(`\n${row(HEADS)}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  for (const line of lines) console.log(row(line));
  console.log('\nWhat workers were told:');
  for (const result of results) for (const message of result.messages) console.log(`  ${result.number}: ${message}`);
  const failed = results.filter((result) => result.problems.length > 0);
  for (const result of failed) console.log(`\n✗ ${result.number} ${result.title}: ${result.problems.join(', ')}`);
  console.log(`\n${results.length - failed.length} of ${results.length} ended as expected; labels are in ${output}/`);
}

function shortList(numbers: readonly string[]): string {
  const [first, ...more] = numbers;
  if (first === undefined) return '-';
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
