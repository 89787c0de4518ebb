import { type MessageDraft, say } from '../../../messages/message.js';
import type { PaperKind } from '../../../papers/customs/customs-paper.js';
import { type Consignment, type EffectCall, bookedParcels, paperFileName, shipmentName } from '../../consignment.js';

/** Papers for customs, which are attached in the same wave as the label; none where nothing is booked. */
export function paperCalls(consignment: Consignment): readonly (readonly [key: string, call: EffectCall])[] {
  const papers: readonly PaperKind[] = consignment.plan?.papers ?? [];
  if (bookedParcels(consignment).length === 0) return [];
  return papers.map((paper) => [
    `customs-paper:${paper}`,
    { kind: 'customs-paper', paper, fileName: paperFileName(consignment, paper) },
  ]);
}

/** The parcel must not leave without them: says where they are, or that they have to be made elsewhere. */
export function paperMessages(consignment: Consignment): readonly MessageDraft[] {
  const named = (...states: readonly string[]) =>
    consignment.effects
      .filter(({ key, state }) => key.endsWith(`:${consignment.run}`) && states.includes(state))
      .flatMap(({ call }) => (call.kind === 'customs-paper' ? [call.fileName] : []));
  const [attached, missing] = [named('done'), named('not-allowed')];
  const shipmentNumber = shipmentName(consignment);
  return [
    ...(attached.length > 0 ? [say('customs-papers', { shipmentNumber, files: attached.join(', ') })] : []),
    ...(missing.length > 0 ? [say('customs-papers-missing', { shipmentNumber, files: missing.join(', ') })] : []),
  ];
}
