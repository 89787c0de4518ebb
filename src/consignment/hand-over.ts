import { CarrierRejected } from '../../carriers/contract/errors.js';
import type { CarrierAccount } from '../../carriers/contract/adapter.js';
import type { Booking } from '../../carriers/contract/model.js';
import { drawHandOverLists } from '../handover/draw-hand-over-list.js';
import { ImsForbidden, ImsRefused } from '../ims/errors.js';
import { quoteProblems } from '../messages/quote.js';
import { type MessageDraft, partsIn, say } from './consignment.js';
import type { Errand } from './errand-rows.js';
import { listsOf } from './hand-over-lists.js';
import {
  type HandOver,
  type HandedOverRow,
  findHandOvers,
  handedOverBy,
  insertHandOver,
  saveAttachment,
  saveCloseOut,
} from './hand-over-rows.js';
import { LONGEST_WITH_IMS_MS } from './retry.js';
import { type Account, type Area, type World, areaOf } from './world.js';

/** Bookings in one call. */
const CLOSED_OUT_AT_ONCE = 500;

/** Tells the worker who made the consignment note; each message once. */
type Tell = (messages: readonly MessageDraft[]) => Promise<void>;

/**
 * After the carriers have left: a list for each of their accounts, closed out with the carrier where it wants that, and
 * attached to the note where we may. Repeating it goes on where it ended: what is done is noted in the list's row.
 * @returns a note
 * @throws what keeps it from being done now; the rest of it is done all the same
 */
export async function handOver(world: World, errand: Errand, tell: Tell): Promise<string> {
  const { documentId } = errand;
  if (documentId === null) return 'names no document';
  const area = areaOf(world, errand.area);
  const rows = await handedOverBy(world.database, errand.area, documentId);
  await keepLists(world, { area, documentId, rows });
  const handOvers = await findHandOvers(world.database, documentId, errand.area);
  const tasks = handOvers.flatMap((each) => [
    () => closeOut(world, { errand, handOver: each, rows, tell }),
    () => attach(world, area, each),
  ]);
  const failures: unknown[] = [];
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  const accounts = handOvers.map(({ account }) => account);
  return accounts.length === 0 ? 'nothing of ours' : accounts.join(', ');
}

interface Left {
  readonly area: Area;
  readonly documentId: string;
  readonly rows: readonly HandedOverRow[];
}

async function keepLists(world: World, { area, documentId, rows }: Left): Promise<void> {
  const now = world.clock.now();
  for (const list of listsOf(rows, { documentId, area, now })) {
    const offered = world.accounts.get(list.account)?.carrier.closeOut !== undefined;
    await insertHandOver(world.database, {
      ...{ area: area.contextId, documentId, account: list.account, list, createdAt: now },
      closeOut: offered ? 'open' : 'not-offered',
    });
  }
}

interface Closing {
  readonly errand: Errand;
  readonly handOver: HandOver;
  readonly rows: readonly HandedOverRow[];
  readonly tell: Tell;
}

async function closeOut(world: World, { errand, handOver, rows, tell }: Closing): Promise<void> {
  if (handOver.closeOut !== 'open') return;
  const account = world.accounts.get(handOver.account);
  const close = account?.carrier.closeOut?.bind(account.carrier);
  const save = (state: HandOver['closeOut'], note: string | null) =>
    saveCloseOut(world.database, handOver, { state, note });
  if (!account || !close) return save('not-offered', null);
  try {
    await save('done', await closeAll(account, close, { errand, bookings: bookingsIn(handOver, rows) }));
  } catch (error) {
    const isOld = world.clock.now().getTime() - errand.createdAt.getTime() > LONGEST_WITH_IMS_MS;
    const end = endBecause(error, isOld ? 'old' : 'young');
    if (end === null) throw error;
    const problems = quoteProblems(end.problems);
    const { carrierName: carrier } = handOver.list;
    // Before it is noted: better said twice than never, and saying it twice is kept from happening by the errand.
    await tell([say('close-out-failed', { document: handOver.documentId, carrier, problems })]);
    await save(end.state, problems);
  }
}

/** @returns `null`: it is tried again */
function endBecause(error: unknown, age: 'young' | 'old') {
  if (error instanceof CarrierRejected) return { state: 'refused', problems: error.problems } as const;
  if (age === 'young' || !(error instanceof Error)) return null;
  return { state: 'given-up', problems: [{ text: error.message }] } as const;
}

function bookingsIn({ list }: HandOver, rows: readonly HandedOverRow[]): readonly Booking[] {
  const listed = new Set(list.consignments.map((each) => each.consignmentId));
  const taken = rows.filter(({ consignment }) => listed.has(consignment.id));
  return taken.flatMap(({ consignment }) => partsIn(consignment, 'booked').flatMap((part) => part.booking ?? []));
}

/** @returns the carrier's numbers of it */
async function closeAll(
  account: Account,
  close: NonNullable<CarrierAccount['closeOut']>,
  { errand, bookings }: { readonly errand: Errand; readonly bookings: readonly Booking[] },
): Promise<string | null> {
  const numbers: string[] = [];
  for (let from = 0; from < bookings.length; from += CLOSED_OUT_AT_ONCE) {
    const some = bookings.slice(from, from + CLOSED_OUT_AT_ONCE);
    const { number } = await account.queue.visit(errand.id, (call) => call(() => close(some)));
    if (number !== null) numbers.push(number);
  }
  return numbers.length === 0 ? null : numbers.join(', ');
}

/** Under one name: a second time replaces the first. */
async function attach(world: World, area: Area, handOver: HandOver): Promise<void> {
  if (handOver.attachment !== 'open') return;
  const save = (state: HandOver['attachment'], note: string | null) =>
    saveAttachment(world.database, handOver, { state, note });
  const bytes = await drawHandOverLists([handOver.list]);
  const file = { fileName: listFileName(handOver), base64EncodedContent: Buffer.from(bytes).toString('base64') };
  try {
    await area.imsBackground.attachToDocument(handOver.documentId, file);
    await save('done', null);
  } catch (error) {
    if (error instanceof ImsForbidden) return save('not-allowed', error.message);
    if (error instanceof ImsRefused) return save('refused', error.message);
    throw error;
  }
}

export function listFileName({ documentId, account }: Pick<HandOver, 'documentId' | 'account'>): string {
  return `HANDOVER_LIST_${documentId}_${account}.pdf`.replace(/[^\w.-]+/g, '-');
}
