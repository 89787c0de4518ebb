import { type Area, documentOfBooking } from '../areas/area.js';
import type { Language, Phrases } from '../messages/keys.js';
import { type MessageDraft, messageType } from '../messages/message.js';
import type { Messages } from '../messages/messages.js';
import { type Consignment, type WaitingFor, carrierName, isOfRun, shipmentName } from '../consignment/consignment.js';
import { AWAITED_MESSAGES, traitsOf } from '../consignment/states.js';
import { personNeeded, waitingInDoubt } from '../consignment/machine/doubts.js';

/** Texts for operators in one language. */
export interface OperatorTexts {
  /** @param booking what the message is about */
  text(message: MessageDraft, booking: Pick<Consignment, 'area' | 'bookedOn'>): string;
  readonly phrase: Phrases;
}

export type TextsIn = (language: Language) => OperatorTexts;

export function operatorTexts(messages: Messages, areas: ReadonlyMap<string, Pick<Area, 'bookOn'>>): TextsIn {
  return (language) => ({
    text: ({ key, values, bookedOn: own }, { area, bookedOn }) => {
      const bookOn = documentOfBooking(own ?? bookedOn, areas.get(area));
      return messages.text({ language, bookOn }, key, values as never);
    },
    phrase: (key, values) => messages.phrase(language, key, values),
  });
}

/**
 * Why a consignment is in its state, in words: what went wrong, or what it waits for.
 * @returns `null`: nothing went wrong, and it waits for nothing
 */
export function reasonOf(consignment: Consignment, { text, phrase }: OperatorTexts): string | null {
  const { state, needsOperator, waitingFor } = consignment;
  const told = troubles(messagesOfRun(consignment)).map((message) => text(message, consignment));
  if (needsOperator) return told.join(' ') || text(personNeeded(consignment), consignment);
  if (state === 'skipped') return phrase('skipped', {});
  if (traitsOf(state).isEnd) return [...new Set(told)].join(' ') || null;
  const waits = waitingFor ?? waitsForAnswer(consignment);
  return waits === null ? null : text(waitingMessage(consignment, waits), consignment);
}

/** The carrier answers, but says nothing yet of a booking in doubt, or gives no label that can be used. */
function waitsForAnswer({ state, attempts }: Consignment): 'carrier' | null {
  const { awaits } = traitsOf(state);
  return awaits === 'outcome' || (awaits === 'label' && attempts > 0) ? 'carrier' : null;
}

function waitingMessage(consignment: Consignment, waitingFor: WaitingFor): MessageDraft {
  const { state, area } = consignment;
  const isRefused = waitingFor === 'ims-key' || waitingFor === 'ims-client';
  const { awaits } = traitsOf(state);
  const isPastSending = awaits === 'outcome' || awaits === 'label';
  const byWait = isPastSending && !isRefused ? AWAITED_MESSAGES[awaits] : (`waiting-${waitingFor}` as const);
  const key = waitingInDoubt(consignment) ?? byWait;
  const values = { shipmentNumber: shipmentName(consignment), carrier: carrierName(consignment), area };
  return { key, values } as MessageDraft;
}

/** The messages of the current run, the latest at the end. */
export function messagesOfRun({ effects, run }: Consignment): readonly MessageDraft[] {
  return effects.flatMap(({ key, call }) => (call.kind === 'message' && isOfRun(key, run) ? [call.message] : []));
}

/** The messages that say what went wrong, or, where none does, those that warn. */
export function troubles(messages: readonly MessageDraft[]): readonly MessageDraft[] {
  const errors = messages.filter((message) => messageType(message) === 'ERROR');
  return errors.length > 0 ? errors : messages.filter((message) => messageType(message) === 'WARNING');
}
