import type { PartAnswer, Resolution } from '../../consignment/machine/operator.js';
import { isRefused, traitsOf } from '../../consignment/states.js';
import { REPRINT, REPRINT_FIELDS } from '../../http/api/reprint/reprint-request.js';
import type { ReprintRequest } from '../../operator/labels/reprint.js';
import { sentIn, typedIn } from '../needs-a-person/answers.js';
import { type WholeConsignment, doubtfulIn } from './view.js';

export const ACTIONS = ['retry', 'reprint', 'cancel', 'resolve'] as const;
export type Action = (typeof ACTIONS)[number];

/** What a person reads before an action. */
export interface Confirmation {
  readonly question: string;
  readonly will: readonly string[];
  readonly willNot: readonly string[];
  /** What makes it fail again; empty: nothing is known. */
  readonly warning: string;
  readonly button: string;
}

/** What a confirmation is about. */
export interface Confirmed extends Pick<WholeConsignment, 'state'> {
  readonly shipment: string;
  readonly carrier: string;
}

export function confirmationOf(action: Action, { shipment, carrier, state }: Confirmed): Confirmation {
  switch (action) {
    case 'retry':
      return {
        question: `Retry ${shipment}?`,
        will: ['read the shipment again, and book the parcels that are not booked', 'write what is missing to the IMS'],
        willNot: ['book again what is booked'],
        warning: isRefused(traitsOf(state))
          ? 'Unless what the reason names was corrected, the same refusal comes back.'
          : '',
        button: 'Retry now',
      };
    case 'reprint':
      return {
        question: `Print the label of ${shipment} again?`,
        will: ['hand the label to the printer once more', 'keep in the history who asked for it, and why'],
        willNot: [`book anything at ${carrier}`],
        warning: '',
        button: 'Print again',
      };
    case 'cancel':
      return {
        question: `Cancel ${shipment} at ${carrier}?`,
        will: [`ask ${carrier} to take the booking back`, 'tell the packer the result'],
        willNot: ['bring the booking back later: a new one in the IMS does that'],
        warning: '',
        button: `Cancel at ${carrier}`,
      };
    case 'resolve':
      return {
        question: `What does ${carrier} have of ${shipment}?`,
        will: [`with “${carrier} has it”: write the numbers to the IMS`, 'with “Not there”: book it again'],
        willNot: [`ask ${carrier}: only its portal can tell`],
        warning: '',
        button: 'Resolve',
      };
  }
}

/**
 * The answers of the form: `outcome:REFERENCE`, `number:REFERENCE:CONTAINER`, `carrierNumber:REFERENCE`, and `sent:REFERENCE` of
 * what it shows.
 */
export function resolutionIn(body: Readonly<Record<string, unknown>>, one: WholeConsignment): Resolution {
  const seen = doubtfulIn(one).map(({ reference }) => ({ reference, sentAt: sentIn(body[`sent:${reference}`]) }));
  if (body['answer'] === 'give-up') return { answer: 'give-up', seen };
  const parts = one.parts.flatMap(({ reference, containers }): readonly PartAnswer[] => {
    const outcome = body[`outcome:${reference}`];
    if (outcome === 'not-booked') return [{ reference, outcome }];
    if (outcome !== 'booked') return [];
    const numbers = containers.map((id) => [id, typedIn(body[`number:${reference}:${id}`])] as const);
    const trackingNumbers = Object.fromEntries(numbers.filter(([, number]) => number !== ''));
    const carrierNumber = typedIn(body[`carrierNumber:${reference}`]) || null;
    return [{ reference, outcome, carrierNumber, trackingNumbers }];
  });
  return { answer: 'parts', parts, seen };
}

/** The fields of the form, of which empty ones are left out. @throws BadRequest */
export function reprintIn(body: Readonly<Record<string, unknown>>): ReprintRequest {
  const given = Object.keys(REPRINT_FIELDS).flatMap((name): readonly (readonly [string, unknown])[] => {
    const value = body[name];
    if (typeof value !== 'string' || value.trim() === '') return [];
    return [[name, name === 'copies' ? Number(value) : value.trim()]];
  });
  return REPRINT.read(Object.fromEntries(given));
}
