import type { Clock } from '../../carriers/contract/adapter.js';
import { type Addressee, type MessageDraft, messageType } from '../messages/message.js';
import type { Area } from './area.js';

const SOURCE = 'Waybridge';

interface Told {
  readonly to: Addressee;
  readonly message: MessageDraft;
  /** As for `Area.text`. */
  readonly bookedOn?: Parameters<Area['text']>[1];
}

/** Shows a message to the worker who caused an event. */
export async function sendMessage(
  { clock }: { readonly clock: Clock },
  area: Area,
  { to, message, bookedOn }: Told,
): Promise<void> {
  await area.ims.postEventMessage(to.eventId, {
    time: clock.now().getTime(),
    source: SOURCE,
    messageType: messageType(message),
    messageText: area.text(message, bookedOn),
    ...(to.userId === null ? {} : { userId: to.userId }),
    ...(to.deviceName === null ? {} : { deviceName: to.deviceName }),
  });
}
