import { MESSAGES, type MessageKey, type MessageType, type MessageValues } from './keys.js';

/** The recipient of a message: it appears on the device of the worker who caused the event. */
export interface Addressee {
  readonly eventId: string;
  readonly userId: string | number | null;
  readonly deviceName: string | null;
}

/** A message as a key and its values; it becomes text in the area's language when it is sent. */
export type MessageDraft = {
  readonly [Key in MessageKey]: { readonly key: Key; readonly values: MessageValues<Key> } & About;
}[MessageKey];

interface About {
  /** What asked for the booking that the message is about; missing: what asked for the booking of its worker. */
  readonly bookedOn?: 'transport-booking' | 'delivery-note' | 'packing-completed';
}

/** One message; its values are checked against its key. */
export function say<Key extends MessageKey>(key: Key, values: MessageValues<Key>): MessageDraft {
  return { key, values } as MessageDraft;
}

/** How loudly it is shown; a message of a row that another version wrote and this one does not know: as a warning. */
export function messageType({ key }: MessageDraft): MessageType {
  return Object.hasOwn(MESSAGES, key) ? MESSAGES[key].type : 'WARNING';
}
