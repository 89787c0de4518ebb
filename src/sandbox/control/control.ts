import type { SimulatedBooking, SimulatedReturn, Simulator } from '../../../carriers/contract/simulator.js';
import type { HandAttachment } from '../api/attachments.js';
import { attachByHand, findAttachment } from '../api/attachments.js';
import { checkArea, checkAreasOf, checkFaults, checkNewArea, shipmentsToHandOver } from './control-checks.js';
import type { SandboxState } from './control-state.js';
import { wholeState } from './control-state.js';
import type { Ims, EventDraft } from '../ims.js';
import type { EventDelivery } from '../events/event-delivery.js';
import type { EventTarget, ShownTarget } from '../events/event-target.js';
import { withoutSecrets } from '../events/event-target.js';
import type { Events } from '../events/events.js';
import type { FaultRule, Faults, PlannedFault } from '../faults/faults.js';
import type { FaultsFile } from '../faults/faults-file.js';
import { createConsignmentNote, createTransportBooking } from '../invocations/documents.js';
import type { JsonMembers } from '../store/json.js';
import { show } from '../store/kind.js';
import type { QuickShipment } from './quick-shipment.js';
import { addQuickShipment } from './quick-shipment.js';
import type { OtherDocument } from './other-documents.js';
import { createOtherDocument } from './other-documents.js';
import type { RandomStreams } from './random.js';
import type { LoggedRequest, RequestFilter, RequestLog } from '../api/request-log.js';
import { cancelDocument, documents } from '../resources/documents.js';
import { shipments } from '../resources/shipments.js';
import { seedArea } from '../store/seed.js';
import type { DocumentRow, NewArea, Row, Table } from '../store/store.js';
import { changeSwitches } from './switches.js';
import type { Switches } from './switches.js';
import type { TrackingControl } from '../tracking/tracking-control.js';
import type { Client, Tokens } from '../access/tokens.js';

export type { SandboxState } from './control-state.js';

/**
 * The control interface: tests and people use it to inspect and change what the REST API does not let clients reach.
 */
export interface Control extends TrackingControl {
  requests(filter?: RequestFilter): readonly LoggedRequest[];
  forgetRequests(): void;
  /** @throws Error for an unknown target or area */
  addFault(fault: FaultRule): void;
  faults(): readonly PlannedFault[];
  clearFaults(): void;
  /**
   * Sets the seed and the switches of the file, and replaces the planned faults by its faults. A part that the file
   * lacks stays as it is.
   * @throws Error for an unknown target or area; nothing is changed then
   */
  applyFaultsFile(file: FaultsFile): void;
  /** Restarts all random streams with this seed, a whole number from 0 to `MAX_SEED`. */
  setSeed(seed: number): void;
  switches(): Switches;
  /** @throws Error naming every unknown switch and every invalid value */
  setSwitches(changes: Partial<Switches> | JsonMembers): Switches;
  revokeTokens(): void;
  /** Registers a client that may request tokens, or replaces the one with the same id. */
  addClient(client: Client): void;
  clients(): readonly Omit<Client, 'secret'>[];
  /** Replaces the subscribers that receive events. @throws Error for an invalid target or an unknown area */
  setEventTargets(targets: readonly EventTarget[]): void;
  /** The subscribers that receive events, without their secrets. */
  eventTargets(): readonly ShownTarget[];
  /** Sends an event of any type, e.g. `packingCompleted`. @returns its id @throws Error when the area is unknown */
  emitEvent(event: EventDraft): string;
  /** The new area has only the carriers that are named. @throws Error when another area has its id or its key */
  addArea(area: NewArea): void;
  /** @returns the shipment as `GET /shipments/{id}` shows it @throws ImsRefusal */
  createShipment(quick: QuickShipment): JsonMembers & { readonly id: number };
  /**
   * Does what the invocation of the same name does. @returns the document as `GET /documents/{id}` shows it @throws
   * ImsRefusal
   */
  createTransportBooking(shipmentId: number): JsonMembers & { readonly id: number };
  /** Creates a document of any type, as a worker would. @throws ImsRefusal */
  createDocument(other: OtherDocument): JsonMembers & { readonly id: number };
  /**
   * The carrier collects these packed shipments; without ids, all packed shipments of the area that no carrier has
   * collected. Returns the consignment note as `GET /documents/{id}` shows it.
   * @throws ImsRefusal
   */
  handOver(area: number, shipmentIds?: readonly number[]): JsonMembers & { readonly id: number };
  /** @throws ImsRefusal */
  cancelDocument(documentId: number): JsonMembers;
  /** The number of documents with this work status, in all areas. */
  documentsIn(workStatus: string): number;
  /**
   * Sets the `dataDocument` of a carrier, from which an integration reads its settings; `null` clears it. @throws Error
   * when the area has no such carrier
   */
  setCarrierDataDocument(area: number, carrierName: string, dataDocument: JsonMembers | null): void;
  state(): SandboxState;
  /** Attaches a file to a shipment, a document or an item; clients cannot attach one to an item. @throws ImsRefusal */
  attach(file: HandAttachment): JsonMembers;
  /** The bytes of a document's file; `null` when there is no file of that name, or only a URL was given for it. */
  attachment(documentId: number, fileName: string): Buffer | null;
  /** The bookings that a carrier's simulator holds; `null` when the sandbox does not simulate that carrier. */
  bookings(carrierId: string): readonly SimulatedBooking[] | null;
  /** The returns that it has made labels for; `null` as above. */
  returns(carrierId: string): readonly SimulatedReturn[] | null;
  /** Resolves when every event was delivered or given up. */
  eventsDelivered(): Promise<void>;
}

export interface ControlSettings {
  readonly ims: Ims;
  readonly events: Events;
  readonly delivery: EventDelivery;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly random: RandomStreams;
  readonly tokens: Tokens;
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly switches: { current: Switches };
  readonly tracking: TrackingControl;
}

export function createControl(settings: ControlSettings): Control {
  return {
    ...lookingControl(settings),
    ...chanceControl(settings),
    ...eventsControl(settings),
    ...storeControl(settings),
    ...documentsControl(settings),
    ...settings.tracking,
  };
}

function lookingControl({ ims, events, requests, tokens, simulators, switches }: ControlSettings) {
  return {
    requests: (filter) => requests.all(filter),
    forgetRequests: () => requests.forget(),
    switches: () => switches.current,
    setSwitches: (changes) => (switches.current = changeSwitches(switches.current, changes)),
    revokeTokens: () => tokens.revokeAll(),
    addClient: (client) => tokens.addClient(client),
    clients: () => tokens.clients(),
    state: () => wholeState(ims, events),
    bookings: (carrierId) => simulators.get(carrierId)?.bookings() ?? null,
    returns: (carrierId) => (simulators.has(carrierId) ? (simulators.get(carrierId)?.returns?.() ?? []) : null),
  } satisfies Partial<Control>;
}

function chanceControl(settings: ControlSettings) {
  const { ims, faults, random, simulators } = settings;
  return {
    addFault: (fault) => {
      checkFaults([fault], ims.store, simulators.keys());
      faults.add(fault);
    },
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
    applyFaultsFile: (file) => applyFaultsFile(settings, file),
    setSeed: (seed) => random.restart(seed),
  } satisfies Partial<Control>;
}

function eventsControl({ ims, events, delivery }: ControlSettings) {
  return {
    setEventTargets: (targets) => {
      checkAreasOf(targets, ims.store);
      events.setTargets(targets);
    },
    eventTargets: () => events.allTargets().map(withoutSecrets),
    emitEvent: (event) => {
      checkArea(ims.store, event.contextId);
      return events.emit(event);
    },
    eventsDelivered: () => delivery.idle(),
  } satisfies Partial<Control>;
}

function storeControl({ ims }: ControlSettings) {
  return {
    addArea: (area) => {
      checkNewArea(ims.store, area);
      seedArea(ims.store, area);
    },
    createShipment: (quick) => {
      checkArea(ims.store, quick.area);
      const row = addQuickShipment(ims, quick);
      return { ...show(ims, shipments, row), id: row.id };
    },
    setCarrierDataDocument: (area, carrierName, dataDocument) => {
      checkArea(ims.store, area);
      const carrier = ims.store.carriers.in(area).find((row) => row['carrierName'] === carrierName);
      if (carrier === undefined) throw new Error(`There is no carrier ${carrierName} in area ${area}.`);
      ims.store.carriers.put({ ...carrier, dataDocument: dataDocument === null ? null : JSON.stringify(dataDocument) });
    },
    attach: (file) => attachByHand(ims, file),
    attachment: (ownerId, fileName) => {
      const contextId = ims.store.documents.byId(ownerId)?.contextId ?? 0;
      const row = findAttachment(ims, { of: 'documents', ownerId, fileName, contextId });
      return row === null ? null : (ims.store.contents.get(row.id) ?? null);
    },
  } satisfies Partial<Control>;
}

function documentsControl({ ims }: ControlSettings) {
  const shown = (document: DocumentRow) => ({ ...show(ims, documents, document), id: document.id });
  return {
    createTransportBooking: (shipmentId) =>
      shown(createTransportBooking(ims, known(ims.store.shipments, shipmentId, 'shipment'))),
    createDocument: (other) => {
      checkArea(ims.store, other.area);
      return shown(createOtherDocument(ims, other));
    },
    handOver: (area, shipmentIds) => {
      checkArea(ims.store, area);
      const chosen = shipmentIds === undefined ? null : shipmentsToHandOver(ims, area, shipmentIds);
      return shown(createConsignmentNote(ims, area, chosen));
    },
    cancelDocument: (documentId) => shown(cancelDocument(ims, known(ims.store.documents, documentId, 'document'))),
    documentsIn: (workStatus) => ims.store.documents.all().filter((row) => row.workStatus === workStatus).length,
  } satisfies Partial<Control>;
}

function applyFaultsFile({ ims, simulators, faults, random, switches }: ControlSettings, file: FaultsFile): void {
  checkFaults(file.faults ?? [], ims.store, simulators.keys());
  if (file.switches !== undefined) switches.current = changeSwitches(switches.current, file.switches);
  if (file.seed !== undefined) random.restart(file.seed);
  if (file.faults === undefined) return;
  faults.clear();
  for (const fault of file.faults) faults.add(fault);
}

function known<R extends Row>(table: Table<R>, id: number, name: string): R {
  const row = table.byId(id);
  if (row === null) throw new Error(`There is no ${name} with id ${id}.`);
  return row;
}
