import { carrierError } from '../../../carriers/contract/classify.js';
import { CarrierUnavailable, CarrierRejected } from '../../../carriers/contract/errors.js';
import type { Label } from '../../../carriers/contract/model.js';
import { convertedOrAsTheyCame } from '../../labels/as-they-came.js';
import type { AssembledLabels } from '../../labels/assemble.js';
import type { LabelTarget } from '../../labels/conversion/target.js';
import { LabelUnusable } from '../../labels/label-unusable.js';
import { BulkheadRejected } from '../../accounts/bulkhead.js';
import { type Consignment, type Part, hasUnusableNumbers, targetOf } from '../consignment.js';
import { type StoredLabel, asLabel, labelsOf } from '../ledger/label-rows.js';
import { isGivenUp } from '../machine/endings.js';
import type { LabelFile, LabelResult, ReturnsFound } from '../machine/facts.js';
import type { BookingContext } from '../context.js';
import { type Sent, labelsToStore } from './book.js';
import { type Reached, reachAccount } from './reach-account.js';
import { type Returned, returnedWith, returnsFile } from './returns-file.js';

const NO_LABELS = 'The carrier gives labels only with the booking, and that answer was lost.';

/**
 * Fetches missing labels and merges all labels into one file, in the order of the containers. While a label is missing,
 * the file is stored but not used; it is used when the wait is given up.
 * @param justStored labels of this consignment
 */
export async function fetchLabels(
  context: BookingContext,
  consignment: Consignment,
  justStored: readonly StoredLabel[],
): Promise<Sent> {
  const reached = await reachAccount(context, consignment);
  const booked = consignment.parts.filter((part) => part.state === 'booked' && !hasUnusableNumbers(part));
  const lacking = booked.filter((part) => part.labels !== 'stored');
  const fetched = await Promise.all(lacking.map((part) => fetchOf(consignment, reached, part)));
  const results = fetched.map((one) => one.result);
  const labels = fetched.flatMap((one) => one.labels);
  const parts = booked.filter((part) => !lacking.includes(part)).map((part) => part.n);
  const stored = await labelsOf(context.database, consignment.id, { parts, justStored });
  const ordered = labelsInOrder(consignment, { labels: [...stored, ...labels], booked });
  const ordering = { id: consignment.id, ordered, target: targetOf(consignment) };
  // The parcels' own labels come first: return labels are asked for when all of them are here, or the others are given up.
  const waits = results.some(({ kind }) => kind === 'unavailable') && !isLate(context, consignment);
  const returned = waits || ordered.length === 0 ? null : await returnedWith(context, consignment);
  if (returned === null || returned.place === null) {
    const { file, whole } = await assembled(context, ordering);
    return { fact: { kind: 'labels', results, file }, labels: [...labels, ...whole] };
  }
  const { file, whole, returns } = await withReturns(context, consignment, { ...ordering, returned });
  return { fact: { kind: 'labels', results, file, returns }, labels: [...labels, ...whole] };
}

function isLate({ areas, clock }: BookingContext, consignment: Consignment): boolean {
  const giveUpAfterMs = areas.get(consignment.area)?.giveUpAfterMs ?? Infinity;
  return isGivenUp(consignment, { now: clock.now(), giveUpAfterMs });
}

/**
 * The label file with the return labels as its last pages; where one of them does not go on the printer's paper or would spoil the
 * file, they are a file of their own.
 */
async function withReturns(
  context: BookingContext,
  consignment: Consignment,
  { returned, ...ordering }: Ordering & { readonly returned: Returned },
): Promise<{ readonly file: LabelFile; readonly whole: readonly StoredLabel[]; readonly returns: ReturnsFound }> {
  const last = returned.place === 'last-page' ? returned.labels : [];
  const both = last.length === 0 ? null : await assembled(context, { ...ordering, last });
  if (both !== null && isWhole(both.file, ordering.ordered.length)) {
    const { file, whole } = both;
    return { file, whole, returns: { document: 'none', warnings: returned.warnings } };
  }
  const own = await assembled(context, ordering);
  const { files, warnings } = await returnsFile(context, consignment, returned);
  const document = files.length > 0 ? 'stored' : 'none';
  return { ...own, whole: [...own.whole, ...files], returns: { document, warnings } };
}

/** Whether the file is stored and none of the labels behind the first ones was left as it came. */
function isWhole(file: LabelFile, first: number): boolean {
  return file.kind === 'stored' && (file.leftAsTheyCame ?? []).every((position) => position <= first);
}

type Fetched = { readonly result: LabelResult; readonly labels: readonly StoredLabel[] };

async function fetchOf(consignment: Consignment, reached: Reached, part: Part): Promise<Fetched> {
  const { n, booking } = part;
  if (reached.kind === 'not-now') {
    const { because, retryAfterMs } = reached.postponed;
    return { result: { n, kind: 'unavailable', because, retryAfterMs }, labels: [] };
  }
  if (reached.kind === 'gone') return notToBeHad(n, reached.problem.text);
  const { account } = reached;
  const fetch = account.carrier.fetchLabels;
  if (!fetch || booking === null) return notToBeHad(n, NO_LABELS);
  try {
    const labels = await account.bulkhead.run(consignment.id, (call) =>
      call(() => fetch(booking, part.request.labelForm)),
    );
    return labels.length > 0
      ? { result: { n, kind: 'stored' }, labels: labelsToStore(n, labels) }
      : notToBeHad(n, NO_LABELS);
  } catch (error) {
    return { result: { n, ...failure(error) }, labels: [] };
  }
}

function failure(error: unknown) {
  if (error instanceof BulkheadRejected) return { kind: 'unavailable', because: error.message, ...error.wait } as const;
  const known = carrierError(error, 'read');
  if (known instanceof CarrierRejected) return { kind: 'not-to-be-had', problems: known.problems } as const;
  const retryAfterMs = known instanceof CarrierUnavailable ? known.retryAfterMs : null;
  return { kind: 'unavailable', because: known.message, retryAfterMs } as const;
}

function notToBeHad(n: number, text: string): Fetched {
  return { result: { n, kind: 'not-to-be-had', problems: [{ code: null, text, parcelId: null }] }, labels: [] };
}

/** Labels of booked parts, in the order of their containers. */
export function labelsInOrder(
  consignment: Consignment,
  { labels, booked }: { readonly labels: readonly StoredLabel[]; readonly booked: readonly Part[] },
): readonly StoredLabel[] {
  const place = new Map(inOrder(consignment, booked).map((part, index) => [part.n, index]));
  return labels
    .filter((label) => place.has(label.n))
    .sort((a, b) => (place.get(a.n) ?? 0) - (place.get(b.n) ?? 0) || a.k - b.k);
}

/** Sorts parts as the IMS sorts their containers: a part that was booked later may hold an earlier container. */
function inOrder(consignment: Consignment, booked: readonly Part[]): readonly Part[] {
  const containers = consignment.plan?.containers ?? [];
  const first = (part: Part) => Math.min(...part.request.parcels.map((parcel) => containers.indexOf(parcel.id)));
  return [...booked].sort((a, b) => first(a) - first(b));
}

interface Ordering {
  /** Of the consignment. */
  readonly id: string;
  readonly ordered: readonly StoredLabel[];
  readonly target: LabelTarget | null;
  /** Return labels, behind the others. */
  readonly last?: readonly Label[];
}

async function assembled(
  context: BookingContext,
  { id, ordered, target, last = [] }: Ordering,
): Promise<{ readonly file: LabelFile; readonly whole: readonly StoredLabel[] }> {
  if (ordered.length === 0) return { file: { kind: 'none' }, whole: [] };
  try {
    const whole = await convertedOrAsTheyCame(context.assemble, [...ordered.map(asLabel), ...last], target);
    const pages = pagesOf(whole, ordered.length);
    for (const { position, because } of whole.leftAsTheyCame)
      context.log.warn('label left as it came', { consignment: id, label: position, because });
    return { file: fileOf({ ...whole, pages }), whole: [{ n: 0, k: 0, ...whole }] };
  } catch (error) {
    if (!(error instanceof LabelUnusable)) throw error;
    return { file: { kind: 'unusable', because: error.message }, whole: [] };
  }
}

/** Counts the pages as the carrier gave them, to compare them with the parcels; pages of return labels do not count. */
function pagesOf({ pagesOfLabels }: AssembledLabels, labels: number): number {
  return pagesOfLabels.slice(0, labels).reduce((sum, each) => sum + each, 0);
}

function fileOf({ pages, format, leftAsTheyCame }: AssembledLabels): LabelFile {
  const left = leftAsTheyCame.map(({ position }) => position);
  return { kind: 'stored', pages, format, ...(left.length > 0 && { leftAsTheyCame: left }) };
}
