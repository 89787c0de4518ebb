import { type Ending, type Service, until } from './harness.js';

type Booked = Pick<Ending, 'documentId'>;

/** The messages that answer the event of its document. */
export function textsOf({ messages }: Pick<Ending, 'messages'>): string {
  return messages.map(({ text }) => text).join('\n');
}

/** Every message that was sent to a worker so far. */
export function allTexts({ control }: Service): readonly string[] {
  return control.state().messages.map((row) => String(row['messageText']));
}

/** Every message about its shipment, whichever event it answers. */
export function toldOf(service: Service, { documentId }: Booked): readonly string[] {
  const about = new RegExp(`hipment ${service.numberOf(documentId)}\\b`);
  return allTexts(service).filter((text) => about.test(text));
}

/** Its shipment's bookings at the carrier. */
export function bookingsOf(service: Service, { documentId }: Booked, carrier = 'dao') {
  return service.bookings(carrier, service.numberOf(documentId));
}

/** Waits until so many of its cancellations are answered. */
export async function cancelAnswered(service: Service, { documentId }: Booked, times = 1): Promise<Ending> {
  await until(`${times} cancellations are answered`, async () => {
    const { consignment } = await service.look(documentId);
    return consignment.history.filter(({ what }: { what: string }) => what === 'cancellation').length >= times;
  });
  return service.ending(documentId);
}

/** Waits until the booking needs an operator. */
export async function operatorNeeded(service: Service, documentId: number): Promise<Ending> {
  await until('an operator is needed', async () => (await service.consignmentOf(documentId))?.needsOperator === true);
  return service.ending(documentId);
}

/** Waits for the end of its second run. */
export async function ranAgain(service: Service, documentId: number): Promise<Ending> {
  await until('it runs again', async () => (await service.look(documentId)).consignment.run === 2);
  return service.ending(documentId);
}
