import { setTimeout as pause } from 'node:timers/promises';
import { END_STATES } from '../../src/consignment/states.js';
import type { FaultKind } from '../../src/sandbox/faults/faults.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, until } from '../support/harness.js';

const { oneParcel } = sampleShipments;
/** Longer than the longest pause of a circuit, and than a booking waits for an answer. */
const RECOVERS_WITHIN_MS = 720_000;

export interface Outage {
  readonly fault: FaultKind;
  readonly lastsMs: number;
  readonly bookings: number;
  readonly arrive: 'at once' | 'spread';
}

/** What became of the bookings, when all of them are at rest. */
export interface AfterOutage {
  readonly forPerson: number;
  readonly done: number;
  /** References that stand on the carrier's books more than once. */
  readonly twice: readonly string[];
}

/** An outage of GLS, which cannot be asked whether a booking was made, while so many bookings arrive. */
export async function playOutage(service: Service, { fault, lastsMs, bookings, arrive }: Outage): Promise<AfterOutage> {
  service.control.addFault({ ...fault, target: 'gls-dk', times: 'always' });
  const end = Date.now() + lastsMs;
  const documents: number[] = [];
  for (let n = 0; n < bookings; n += 1) {
    documents.push(service.book(service.ship(oneParcel, { carrierName: 'GLS' })));
    if (arrive === 'spread') await pause(lastsMs / (bookings + 1));
  }
  await pause(Math.max(0, end - Date.now()));
  service.control.clearFaults();
  const ended = () => documents.filter((id) => ['DONE', 'FAILED'].includes(String(service.document(id).workStatus)));
  await until('every booking is done or left for a person', () => ended().length === bookings, RECOVERS_WITHIN_MS);
  // The document is done in the IMS a moment before its row says so.
  const rowsNow = () => Promise.all(documents.map((id) => service.consignmentOf(id)));
  const atRest = async () =>
    (await rowsNow()).every(({ state, needsOperator }) => END_STATES.includes(state) || needsOperator);
  await until('every row says what became of its booking', atRest, RECOVERS_WITHIN_MS);
  const rows = await rowsNow();
  const references = service.bookings('gls-dk', '').map(({ reference }) => reference);
  return {
    forPerson: rows.filter((row) => row.needsOperator).length,
    done: rows.filter((row) => row.state === 'closed').length,
    twice: references.filter((reference, n) => references.indexOf(reference) !== n),
  };
}
