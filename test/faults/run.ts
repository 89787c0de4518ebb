import { setTimeout as pause } from 'node:timers/promises';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { JsonMembers } from '../../src/sandbox/store/json.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Story, callNames, callOf, matchOf } from './calls.js';
import type { Cell } from './cell.js';
import type { FaultName } from './faults.js';
import { faults } from './faults.js';
import { keyOf, ownSecrets, secretOf } from './stage.js';
import type { Place } from './stage.js';

/** They take a deadline's time and no work: they wait beside all the others. */
const SLOW: ReadonlySet<FaultName> = new Set(['trickling', 'hanging']);
const LOOK_EVERY_MS = 250;
/** Some end while their document stays open. */
const LOOKS_AT_WHAT_IS_OPEN = 20;
/** Many at once would keep each other from being answered in time. */
const SLOW_APART_MS = 300;
const ENDED: readonly string[] = ['closed', 'refused', 'incomplete', 'cancelled', 'skipped'];

/** A consignment as the operator's list shows it. */
export interface Summary {
  readonly id: string;
  readonly state: string;
  readonly documentId: string | null;
  readonly needsOperator: boolean;
  readonly dueAt: string | null;
}

export interface Ran {
  readonly cell: Cell;
  readonly documentId: number;
  readonly shipmentId: number;
  /** `null`: it has not come to rest in time. */
  readonly summary: Summary | null;
}

/** Where a carrier is asked to book, as in `FaultMatch`. */
function bookingPath(carrier: string): string {
  const name = callNames.find((each) => each.endsWith(' book') && callOf(each).carrier === carrier);
  if (name === undefined) throw new Error(`no call books with ${carrier}`);
  return callOf(name).path;
}

/** Plans the fault of a cell, and what its story needs besides. */
export function plan(cell: Cell, times: 1 | 'always', place: Pick<Place, 'sandbox' | 'refusals' | 'trap'>): void {
  const { call, carrier, area } = cell;
  const match = { ...matchOf(call, cell), times };
  if (call.story === 'lost')
    place.sandbox.control.addFault({
      ...{ target: carrier, method: 'POST', kind: 'drop-after' },
      path: bookingPath(call.carrier),
    });
  const secrets = [keyOf(area), ...ownSecrets, secretOf(call.carrier)].join(' ');
  const happening = faults[cell.faultName]({ trap: place.trap.url, secrets });
  if (happening.kind === 'refused') place.refusals.add(match, cell);
  else place.sandbox.control.addFault({ ...match, ...happening });
}

export interface Pace {
  /** For each cell. */
  readonly patienceMs: number;
  /** So many run beside each other, and the slow ones. */
  readonly atOnce: number;
}

/** Runs them all. */
export async function runCells(
  place: Place,
  cells: readonly Cell[],
  { patienceMs, atOnce }: Pace,
): Promise<readonly Ran[]> {
  const watch = watchConsignments(place);
  const run = (cell: Cell) => runCell(place, cell, { watch, patienceMs });
  const slow = cells.filter(isSlow).map(async (cell, place) => {
    await pause(place * SLOW_APART_MS);
    return run(cell);
  });
  const queue = cells.filter((cell) => !isSlow(cell));
  const rest: Promise<Ran>[] = [];
  const work = async () => {
    for (let cell = queue.shift(); cell !== undefined; cell = queue.shift()) {
      const running = run(cell);
      rest.push(running);
      await running;
    }
  };
  await Promise.all([...slow, ...Array.from({ length: atOnce }, work)]);
  watch.stop();
  return Promise.all([...slow, ...rest]);
}

function isSlow({ faultName, stated }: Cell): boolean {
  return SLOW.has(faultName) || stated.outcome === 'waits';
}

interface Waiting {
  readonly watch: Watch;
  readonly patienceMs: number;
}

export async function runCell(place: Place, cell: Cell, { watch, patienceMs }: Waiting): Promise<Ran> {
  const { control } = place.sandbox;
  const shipmentId = ship(place, cell);
  const documentId = control.createTransportBooking(shipmentId).id;
  const until = Date.now() + patienceMs;
  let summary = await watch.rest(documentId, until);
  if (cell.call.story === 'cancelled' && summary?.state === 'closed') {
    control.cancelDocument(documentId);
    summary = await watch.rest(documentId, until, (one) => one.state !== 'closed');
  }
  return { cell, documentId, shipmentId, summary };
}

/** Where a story goes to a pick-up point; each simulator knows that number. */
const POINTS: Readonly<Partial<Record<Story, JsonMembers>>> = {
  'to a point': { deliverToPickUpPoint: true, pickUpPointId: '700001' },
  'to the nearest point': { deliverToPickUpPoint: true },
};

function ship({ sandbox }: Place, { call, name, area }: Cell): number {
  const { shipment: sample, containers } = sampleShipments.oneParcel;
  const { sellerNumber, ...others } = sample;
  const seller = call.story === 'without sender' || sellerNumber === undefined ? {} : { sellerNumber };
  const about = { shipmentNumber: name, carrierName: 'Pretend', termsOfDelivery: name };
  const shipment = { ...others, ...seller, ...about, ...POINTS[call.story] };
  const shown = sandbox.control.createShipment({ area, shipment, containers });
  if (call.story === 'without seller') hideSeller({ sandbox }, area, shown);
  return shown.id;
}

/** The shipment names its seller, and no more. */
function hideSeller({ sandbox }: Pick<Place, 'sandbox'>, area: number, shown: JsonMembers): void {
  const body = { ...shown, sellerAddress: null, sellerContactPerson: null };
  const about = { target: 'ims', area, method: 'GET', path: '^/shipments/\\d+$', times: 'always' } as const;
  sandbox.control.addFault({ ...about, kind: 'status', status: 200, body });
}

export interface Watch {
  /** @returns `null` when it does not come to rest until then */
  rest(documentId: number, until: number, isMeant?: (summary: Summary) => boolean): Promise<Summary | null>;
  stop(): void;
}

/** Looks at the documents, and asks the service only for those whose status says that they have ended. */
export function watchConsignments({ url, sandbox }: Pick<Place, 'url' | 'sandbox'>): Watch {
  let status: ReadonlyMap<number, string | null> = new Map();
  const look = () => (status = new Map(sandbox.control.state().documents.map((row) => [row.id, row.workStatus])));
  const timer = setInterval(look, LOOK_EVERY_MS);
  const rest: Watch['rest'] = async (documentId, until, isMeant = () => true) => {
    for (let looks = 1; Date.now() < until; looks += 1) {
      await pause(LOOK_EVERY_MS);
      const isOpen = ['PENDING', 'ON_GOING'].includes(status.get(documentId) ?? 'PENDING');
      if (isOpen && looks % LOOKS_AT_WHAT_IS_OPEN !== 0) continue;
      const found = await summaryOf(url, documentId);
      if (found && isAtRest(found) && isMeant(found)) return found;
    }
    return null;
  };
  return { rest, stop: () => clearInterval(timer) };
}

function isAtRest({ state, dueAt, needsOperator }: Summary): boolean {
  return dueAt === null && (ENDED.includes(state) || needsOperator);
}

async function summaryOf(url: string, documentId: number): Promise<Summary | null> {
  const { consignments }: { readonly consignments: readonly Summary[] } = await operator(url, `?q=${documentId}`);
  return consignments.find((one) => one.documentId === String(documentId)) ?? null;
}

/** A request as the operator makes it. */
// What came is looked at freely: a test asserts its shape.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function operator(url: string, path: string): Promise<any> {
  const headers = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };
  const answer = await patiently(() => fetch(`${url}/api/v1/consignments${path}`, { headers }));
  if (!answer.ok) throw new Error(`the operator's list answers ${answer.status}`);
  return answer.json();
}

const TRIES = 5;

/** A busy service may close an idle connection in the moment it is used again. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tried === TRIES) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}
