import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { ConsignmentView, Rows } from './child/protocol.js';
import type { CarrierBooking } from './crash-stage.js';

const PATIENT_ROUNDS = 5;
/** The carriers without a search have ended their work on what was lost. */
const LOOKS_AFTER_MS = 2 * 60_000;

export interface Desk {
  readonly url: string;
  readonly bookings: () => readonly CarrierBooking[];
  /** Waits until everything is at rest again. */
  readonly settle: () => Promise<Rows>;
  readonly putForward: (ms: number) => Promise<void>;
}

/**
 * Does what a person is asked to: looks for the reference in the carrier's books, and says what is there. Somebody who works
 * like this leaves nothing in doubt.
 * @returns the rows as they are then, and how many questions there were
 */
export async function answerQuestions(desk: Desk): Promise<{ readonly rows: Rows; readonly questions: number }> {
  let questions = 0;
  let rows = await desk.settle();
  for (let round = 0; round < PATIENT_ROUNDS; round += 1) {
    const asking = rows.consignments.filter((row) => row.needsOperator);
    if (asking.length === 0) break;
    questions += asking.length;
    await desk.putForward(LOOKS_AFTER_MS);
    for (const consignment of asking) await answer(desk, consignment);
    rows = await desk.settle();
  }
  return { rows, questions };
}

async function answer(desk: Desk, { id, carrier, parts }: ConsignmentView): Promise<void> {
  const doubtful = parts.filter((part) => part.state === 'in-doubt');
  const answers = doubtful.map((part) => {
    const { reference, containers } = part;
    const booking = desk
      .bookings()
      .find((one) => one.carrier === carrier && one.reference === reference && one.state === 'booked');
    if (!booking) return { reference, outcome: 'not-booked' };
    const trackingNumbers = Object.fromEntries(
      containers.map((container, place) => [container, booking.trackingNumbers[place] ?? '']),
    );
    return { reference, outcome: 'booked', carrierNumber: booking.carrierNumber, trackingNumbers };
  });
  const response = await fetch(`${desk.url}/api/v1/consignments/${id}/resolve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ parts: answers }),
  });
  if (response.status !== 202) throw new Error(`resolve: ${response.status} ${await response.text()}`);
}
