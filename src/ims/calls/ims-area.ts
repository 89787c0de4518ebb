import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';
import type { HttpAnswer } from '../../../carriers/contract/http-port.js';
import { attempt } from './answer.js';
import type { createCache } from './cache.js';
import type { ImsCall, CallTools } from './call.js';
import { callIms } from './call.js';
import type { CapabilityReport } from './capabilities.js';
import { ImsProblem, ImsRefused } from '../errors.js';
import { textField } from '../json-fields.js';
import type { OperationName } from '../operations.js';
import { operation } from '../operations.js';
import { type Stretch, pagedRows } from './paging.js';
import type { ImsCarrier, ImsContext, ImsDocument, ImsSeller, ImsShipment, Reader } from '../resources.js';
import { documentAfter, readCarrier, readContext, readDocument, readSeller, readShipment } from '../resources.js';

export interface Attachment {
  /** Unique within its document or shipment: a second file of the same name replaces the first. */
  readonly fileName: string;
  readonly base64EncodedContent: string;
}

/** The IMS shows it to the worker; with `userId` and `deviceName` of the event it appears on that worker's device. */
export interface EventMessage {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly source: string;
  readonly messageType: 'INFO' | 'WARNING' | 'ERROR';
  readonly messageText: string;
  readonly userId?: string | number;
  readonly deviceName?: string;
}

export type DocumentFilter = Partial<
  Readonly<Record<'documentType' | 'workStatus' | 'onlyNotCancelled' | 'onlyCancelled' | 'documentNumber', string>>
>;

export type ShipmentFilter = Partial<
  Readonly<
    Record<
      | 'carrierName'
      | 'onlyNotCancelled'
      | 'onlyNoDeliveryNote'
      | 'onlyNoConsignmentNote'
      | 'consignmentNoteNumber'
      | 'shipmentNumberMatch',
      string
    >
  >
>;

/**
 * The IMS of one area. Ids are unchanged text. Every method throws ImsUnavailable, ImsForbidden, ImsCredentials or
 * ImsProblem; methods that name ImsRefused throw it when the IMS refuses (422).
 */
export interface ImsArea {
  readonly contextId: string;
  /** Whether an operation is not known to be forbidden. */
  can(name: OperationName): boolean;
  /** The requests that the rest of the day allows, as far as known. `bookings`: background work waits. */
  requestsLeft(): 'everything' | 'bookings' | 'nothing';
  /** What the client may do here; asks for a token. */
  capabilities(): Promise<CapabilityReport>;

  /**
   * @returns the document afterwards, as far as the answer shows it; also when it is refused because an earlier call,
   * whose answer was lost, has set the status
   * @throws ImsRefused the document is cancelled, done, or claimed by another program
   */
  setWorkStatus(documentId: string, workStatus: 'ON_GOING' | 'DONE' | 'FAILED'): Promise<ImsDocument>;
  /** @throws ImsRefused `unknown_Document` */
  loadDocument(id: string): Promise<ImsDocument>;
  /** With its containers. @throws ImsRefused `unknown_Shipment` */
  loadShipment(id: string): Promise<ImsShipment>;
  /** The packed instances of a shipment as they came, at most 1,000 of them. @throws ImsRefused `unknown_Shipment` */
  listPackedItems(shipmentId: string): Promise<readonly JsonObject[]>;
  /** @throws ImsRefused */
  patchShippingContainer(
    id: string,
    numbers: { readonly trackingNumber: string; readonly trackingUrl?: string },
  ): Promise<void>;
  /** `carriersShipmentNumber` has 1 to 36 characters. @throws ImsRefused */
  patchShipment(
    id: string,
    changes:
      | { readonly carriersShipmentNumber: string }
      | { readonly carrierName: string }
      | { readonly dataDocument: string },
  ): Promise<void>;
  /** @throws ImsRefused */
  attachToDocument(documentId: string, file: Attachment): Promise<void>;
  /** @throws ImsRefused */
  attachToShipment(shipmentId: string, file: Attachment): Promise<void>;
  /** @throws ImsRefused */
  postEventMessage(eventId: string, message: EventMessage): Promise<void>;
  /** Not repeated when its answer is lost. @throws ImsRefused */
  printResource(body: Readonly<Record<string, unknown>>): Promise<void>;
  /** Not repeated when its answer is lost. @throws ImsRefused */
  printDocument(documentId: string): Promise<void>;

  /**
   * Cached for minutes, a failure for half a minute; a stale value is returned while the IMS is down.
   * @throws ImsRefused
   */
  loadContext(id: string): Promise<ImsContext>;
  /** As `loadContext`. */
  loadSeller(id: string): Promise<ImsSeller>;
  /** Cached as in `loadContext`, but a failure is not cached. */
  listCarriers(): Promise<readonly ImsCarrier[]>;
  /** Not cached. */
  listSellers(): Promise<readonly ImsSeller[]>;
  /** Every row once; unreadable ones are skipped. @param stretch missing: the whole list */
  listDocuments(filter: DocumentFilter, stretch?: Stretch): AsyncGenerator<ImsDocument, void>;
  /** As `listDocuments`. */
  listShipments(filter: ShipmentFilter, stretch?: Stretch): AsyncGenerator<ImsShipment, void>;
}

/** The caches of an area. */
export interface AreaMemory {
  readonly contexts: ReturnType<typeof createCache<ImsContext>>;
  readonly sellers: ReturnType<typeof createCache<ImsSeller>>;
  readonly carriers: ReturnType<typeof createCache<readonly ImsCarrier[]>>;
}

export function createArea(tools: CallTools, memory: AreaMemory): ImsArea {
  const { capabilities, tokens, contextId } = tools;
  return {
    contextId,
    can: (name) => capabilities.allowed(name, tokens.last()) !== 'no',
    requestsLeft: tools.budget.left,
    capabilities: async () => capabilities.report(await tokens.current()),
    ...reading(tools, memory),
    ...writing(tools),
  };
}

type Reading =
  | 'loadDocument'
  | 'loadShipment'
  | 'listPackedItems'
  | 'loadContext'
  | 'loadSeller'
  | 'listCarriers'
  | 'listSellers'
  | 'listDocuments'
  | 'listShipments';

/** One page is enough: known shipments have fewer packed instances. */
const PACKED_ITEMS: Stretch = { maxPages: 1 };
const readPackedItem: Reader<JsonObject> = (value) => (isJsonObject(value) ? value : null);

function reading(tools: CallTools, memory: AreaMemory): Pick<ImsArea, Reading> {
  return {
    loadDocument: (id) => load({ name: 'loadDocument', id }, readDocument, tools),
    loadShipment: (id) => load({ name: 'loadShipment', id }, readShipment, tools),
    listPackedItems: (id) => listAll({ name: 'listPackedItems', id, stretch: PACKED_ITEMS }, readPackedItem, tools),
    loadContext: (id) => memory.contexts(id, () => load({ name: 'loadContext', id }, readContext, tools)),
    loadSeller: (id) => memory.sellers(id, () => load({ name: 'loadSeller', id }, readSeller, tools)),
    listCarriers: () => memory.carriers('all', () => listAll({ name: 'listCarriers' }, readCarrier, tools)),
    listSellers: () => listAll({ name: 'listSellers' }, readSeller, tools),
    listDocuments: (filter, stretch) => list({ name: 'listDocuments', query: filter, stretch }, readDocument, tools),
    listShipments: (filter, stretch) => list({ name: 'listShipments', query: filter, stretch }, readShipment, tools),
  };
}

function writing(tools: CallTools) {
  const change = async (name: OperationName, id: string, json: unknown) =>
    void (await callIms({ name, id, json }, tools));
  const attach = async (name: OperationName, id: string, file: Attachment) =>
    void (await callIms({ name, id, json: file, fileBytes: file.base64EncodedContent.length }, tools));
  const invoke = async (name: OperationName, json: unknown) => void (await callIms({ name, json }, tools));
  return {
    setWorkStatus: (documentId, workStatus) => setWorkStatus(documentId, workStatus, tools),
    patchShippingContainer: (id, numbers) => change('patchShippingContainer', id, numbers),
    patchShipment: (id, changes) => change('patchShipment', id, changes),
    attachToDocument: (documentId, file) => attach('attachToDocument', documentId, file),
    attachToShipment: (shipmentId, file) => attach('attachToShipment', shipmentId, file),
    postEventMessage: (eventId, message) => change('postEventMessage', eventId, message),
    printResource: (body) => invoke('printResource', body),
    printDocument: (documentId) => invoke('printDocument', { documentId: asSent(documentId) }),
  } satisfies Partial<ImsArea>;
}

/**
 * Every 2xx counts, also without a readable body. After a lost answer, the IMS may refuse the repeated call because the
 * first one succeeded; then the document is read. ON_GOING may be another program's, so a refusal of a first try counts.
 */
async function setWorkStatus(id: string, workStatus: string, tools: CallTools): Promise<ImsDocument> {
  const call: ImsCall = { name: 'setWorkStatus', id, json: { workStatus } };
  try {
    const { json } = await callIms(call, tools);
    return documentAfter(id, json);
  } catch (error) {
    if (!(error instanceof ImsRefused)) throw error;
    if (workStatus === 'ON_GOING' && error.refused === 'first-try') throw error;
    const document = await load({ name: 'loadDocument', id }, readDocument, tools);
    if (document.workStatus !== workStatus || document.cancelled === true) throw error;
    return document;
  }
}

async function load<T>(call: ImsCall, read: Reader<T>, tools: CallTools): Promise<T> {
  const answer = await callIms(call, tools);
  return read(answer.json) ?? unreadable(call, answer, tools);
}

async function listAll<T>(call: ListCall, read: Reader<T>, tools: CallTools): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of list(call, read, tools)) all.push(row);
  return all;
}

type ListCall = ImsCall & { readonly stretch?: Stretch | undefined };

async function* list<T>({ stretch, ...call }: ListCall, read: Reader<T>, tools: CallTools): AsyncGenerator<T, void> {
  const loadPage = async (page: Readonly<Record<string, string>>) => {
    const answer = await callIms({ ...call, query: { ...call.query, ...page } }, tools);
    const { json: rows } = answer;
    return Array.isArray(rows) ? (rows as readonly unknown[]) : unreadable(call, answer, tools);
  };
  const idOf = (value: unknown) => (isJsonObject(value) ? textField(value, 'id') : null);
  for await (const row of pagedRows(loadPage, idOf, stretch)) {
    const value = read(row);
    if (value !== null) yield value;
  }
}

function unreadable(call: ImsCall, answer: HttpAnswer, { contextId }: CallTools): never {
  const asked = { operation: operation(call.name), id: call.id ?? null, contextId };
  throw new ImsProblem(`${attempt(asked)} The answer is not of the kind that was asked for.`, answer.status);
}

/** Ids are numbers in the IMS; one that does not fit into a JavaScript number stays text. */
function asSent(id: string): string | number {
  return /^\d+$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
