import type { Booking, BookingRequest, Problem } from '../../../carriers/contract/model.js';
import { asJsonb } from '../../db/json.js';
import { Personal, type Seal } from '../../db/sealing/personal.js';
import type { MessageDraft } from '../../messages/message.js';
import type { Effect, Part } from '../consignment.js';

/*
 * The JSON columns of a consignment. Names, addresses and texts that may quote them are sealed where a data key is set;
 * references, numbers and states, which statements read, are not.
 */

export function partsColumn(parts: readonly Part[]): Personal {
  return new Personal((seal) => asJsonb(parts.map((part) => sealedPart(part, seal))));
}

export function effectsColumn(effects: readonly Effect[]): Personal {
  return new Personal((seal) => asJsonb(effects.map((effect) => sealedEffect(effect, seal))));
}

export function messagesColumn(messages: readonly MessageDraft[]): Personal {
  return new Personal((seal) => asJsonb(messages.map((message) => sealedMessage(message, seal))));
}

export function sealedMessage({ values, ...rest }: MessageDraft, seal: Seal): object {
  return { ...rest, values: seal.json(values) };
}

function sealedPart(part: Part, seal: Seal): object {
  const problems = part.problems.map((problem) => sealedProblem(problem, seal));
  return { ...part, request: sealedRequest(part.request, seal), booking: sealedBooking(part.booking, seal), problems };
}

function sealedBooking(booking: Booking | null, seal: Seal): object | null {
  if (booking?.route === undefined) return booking;
  return { ...booking, route: seal.json(booking.route) };
}

function sealedRequest(request: BookingRequest, seal: Seal): object {
  return {
    ...request,
    sender: seal.json(request.sender),
    recipient: seal.json(request.recipient),
    ...(request.returnTo && { returnTo: seal.json(request.returnTo) }),
    pickUpPointId: seal.json(request.pickUpPointId),
    notesOnDelivery: seal.json(request.notesOnDelivery),
    customersReference: seal.json(request.customersReference),
    sendersReference: seal.json(request.sendersReference),
  };
}

function sealedProblem({ text, values, ...problem }: Problem, seal: Seal): object {
  return { ...problem, text: seal.json(text), ...(values && { values: seal.json(values) }) };
}

function sealedEffect(effect: Effect, seal: Seal): object {
  const { call } = effect;
  const note = seal.json(effect.note);
  if (call.kind !== 'message') return { ...effect, note };
  return { ...effect, note, call: { ...call, message: sealedMessage(call.message, seal) } };
}
