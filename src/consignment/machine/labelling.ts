import {
  type Consignment,
  type Effect,
  type EffectCall,
  type Part,
  bookedParcels,
  carriersShipmentNumber,
  hasUnusableNumbers,
  labelFileName,
  returnFileName,
} from '../consignment.js';
import { type MessageDraft, say } from '../../messages/message.js';
import { targetInWords } from '../../printing/profile.js';
import { timeOfItsOwn, tryAgainLater } from './retry-policy.js';
import { incompleteParcels, isGivenUp, unbookedContainers } from './endings.js';
import type { TransitionContext, Fact, LabelFile, LabelResult } from './facts.js';
import { unusableNumbers } from './numbers.js';
import { paperCalls } from './papers/customs-papers.js';
import { quoteAll, subject } from './booking-messages.js';

const WRITE_BACK_WAVE = 1;

/** Takes the labels, or the fact that they will not come, and plans the writes to the IMS. */
export function labels(
  consignment: Consignment,
  fact: Extract<Fact, { kind: 'labels' }>,
  transitionContext: TransitionContext,
): Consignment {
  const late = isGivenUp(consignment, transitionContext);
  const waiting = fact.results.flatMap((result) => (result.kind === 'unavailable' && !late ? [result] : []));
  const after = { ...consignment, parts: consignment.parts.map((part) => withLabel(part, fact.results, late)) };
  if (waiting.length > 0) return tryAgainLater(after, waiting, transitionContext);
  const problems = fact.results.flatMap((result) => missingLabel(after, result));
  const broken = fact.file.kind === 'unusable' ? [labelMissing(after, fact.file.because)] : [];
  const { plan } = after;
  const unmatched = after.parts.filter((part) => part.unmatched.length > 0).map((part) => foundUnmatched(after, part));
  return {
    ...after,
    plan: plan && {
      ...plan,
      warnings: [...(plan.warnings ?? []), ...asTheyCame(after, fact.file), ...(fact.returns?.warnings ?? [])],
    },
    state: 'labelled',
    shortfalls: [
      ...after.shortfalls,
      ...notBooked(after),
      ...problems,
      ...broken,
      ...unmatched,
      ...unusableNumbers(after),
    ],
    effects: [...after.effects, ...writeBack(after, fact)],
    runStartedAt: timeOfItsOwn(after, transitionContext.now),
    attempts: 0,
    dueAt: transitionContext.now,
  };
}

/** Names every container without a booking, so that no carrier's answer leaves one out silently. */
function notBooked(consignment: Consignment): readonly MessageDraft[] {
  const told = consignment.shortfalls.some((shortfall) => shortfall.key === 'incomplete-parcels');
  return told || unbookedContainers(consignment).length === 0 ? [] : [incompleteParcels(consignment)];
}

function withLabel(part: Part, results: readonly LabelResult[], late: boolean): Part {
  const result = results.find((candidate) => candidate.n === part.n);
  if (!result) return part;
  if (result.kind === 'stored') return { ...part, labels: 'stored' };
  return result.kind === 'not-to-be-had' || late ? { ...part, labels: 'not-to-be-had' } : part;
}

function missingLabel(consignment: Consignment, result: LabelResult): readonly MessageDraft[] {
  if (result.kind === 'stored') return [];
  const because = result.kind === 'unavailable' ? result.because : quoteAll(result.problems);
  return [labelMissing(consignment, because)];
}

function labelMissing(consignment: Consignment, because: string): MessageDraft {
  return say('label-missing', {
    ...subject(consignment),
    carrierNumber: carriersShipmentNumber(consignment) ?? consignment.reference ?? '-',
    problems: because,
  });
}

/** Told once, as a warning at the end: the labels are valid, and may be too large for the paper. */
function asTheyCame(consignment: Consignment, file: LabelFile): readonly MessageDraft[] {
  const target = consignment.plan?.print?.target;
  if (file.kind !== 'stored' || target === undefined) return [];
  const { leftAsTheyCame: left = [] } = file;
  const about = { ...subject(consignment), size: targetInWords(target) };
  return left.length === 0 ? [] : [say('label-as-it-came', { ...about, labels: left.join(', ') })];
}

function foundUnmatched(consignment: Consignment, part: Part): MessageDraft {
  return say('found-unmatched', { ...subject(consignment), numbers: part.unmatched.join(', ') });
}

/** The effects of the first wave: tracking numbers, shipment number, label file, return labels. */
function writeBack(consignment: Consignment, { file, returns }: Extract<Fact, { kind: 'labels' }>): readonly Effect[] {
  const doubtful = consignment.parts.some(hasUnusableNumbers);
  const number = doubtful ? null : carriersShipmentNumber(consignment);
  const fileName = labelFileName(consignment, file.kind === 'stored' ? file.format : undefined);
  const effect = (key: string, call: EffectCall): Effect => ({
    key: `${key}:${consignment.run}`,
    wave: WRITE_BACK_WAVE,
    call,
    state: 'open',
    note: null,
  });
  return [
    ...bookedParcels(consignment).map(({ parcelId, trackingNumber, trackingUrl }) =>
      effect(`tracking:${parcelId}`, { kind: 'tracking', containerId: parcelId, trackingNumber, trackingUrl }),
    ),
    ...paperCalls(consignment).map(([key, call]) => effect(key, call)),
    ...(number === null ? [] : [effect('carriers-number', { kind: 'carriers-number', number })]),
    ...(file.kind === 'stored' ? [effect('attachment', { kind: 'attachment', fileName, pages: file.pages })] : []),
    ...(returns?.document === 'stored'
      ? [effect('return-attachment', { kind: 'return-attachment', fileName: returnFileName(consignment) })]
      : []),
  ];
}
