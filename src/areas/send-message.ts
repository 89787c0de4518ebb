import type { Clock } from '../../carriers/contract/adapter.js';
import { type Addressee, type MessageDraft, messageType } from '../messages/message.js';
import type { Area } from './area.js';

const SOURCE = 'Waybridge';

/** Shows a message to the worker who caused an event. */
export async function post(
  { clock }: { readonly clock: Clock },
  area: Area,
  { to, message }: { readonly to: Addressee; readonly message: MessageDraft },
): Promise<void> {
  await area.ims.postEventMessage(to.eventId, {
    time: clock.now().getTime(),
    source: SOURCE,
    messageType: messageType(message),
    messageText: area.text(message),
    ...(to.userId === null ? {} : { userId: to.userId }),
    ...(to.deviceName === null ? {} : { deviceName: to.deviceName }),
  });
}
