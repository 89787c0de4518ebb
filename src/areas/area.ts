import type { ImsArea } from '../ims/calls/ims-area.js';
import type { ImsShipment } from '../ims/resources.js';
import type { Language, Phrases } from '../messages/keys.js';
import type { MessageDraft } from '../messages/message.js';

export interface Area {
  readonly contextId: string;
  readonly bookOn: 'transport-booking' | 'delivery-note';
  readonly giveUpAfterMs: number;
  /** IANA; rules judge `weekday` and `hour` in it. */
  readonly timeZone: string;
  /** Whether the packed items are read for their UN numbers before every booking, even if no rule asks for them. */
  readonly checksDangerousGoods: boolean;
  readonly ims: ImsArea;
  /** For background requests, which go after bookings. */
  readonly imsBackground: ImsArea;
  /** Of its people. */
  readonly language: Language;
  /**
   * A message in the area's language.
   * @param bookedOn what asked for the booking that the message is about; missing, or no document: the message names the
   * document that the area books on
   */
  text(message: MessageDraft, bookedOn?: Area['bookOn'] | 'packing-completed'): string;
  /** A part of a message in the area's language. */
  readonly phrase: Phrases;
}

/**
 * The kind of document that a person creates for a booking: the one that asked for it or, where none did, the one that the
 * area books on.
 * @param area of the booking; missing: it is not configured any more
 */
export function documentOfBooking(
  bookedOn: Area['bookOn'] | 'packing-completed',
  area: Pick<Area, 'bookOn'> | undefined,
): Area['bookOn'] {
  return bookedOn === 'packing-completed' ? (area?.bookOn ?? 'transport-booking') : bookedOn;
}

/**
 * An event without an area counts as one of the only area, and its shipment may belong to another one.
 * @returns the area of the shipment; `null`: one of ours, or unknown
 */
export function areaNotOurs(
  { areas }: { readonly areas: ReadonlyMap<string, Area> },
  { contextId }: Pick<ImsShipment, 'contextId'>,
): string | null {
  return contextId === null || areas.has(contextId) ? null : contextId;
}

/** @throws a plain error: configuration was checked at start */
export function areaOf({ areas }: { readonly areas: ReadonlyMap<string, Area> }, contextId: string): Area {
  const area = areas.get(contextId);
  if (!area) throw new Error(`area ${contextId} is not configured`);
  return area;
}
