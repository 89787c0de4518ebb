import type { SimulatedBooking, Simulator } from '../../../carriers/contract/simulator.js';
import type { HandAttachment } from '../api/attachments.js';
import { attachByHand, findAttachment } from '../api/attachments.js';
import { checkArea, checkAreasOf, checkFaults, checkNewArea, shipmentsToHandOver } from './control-checks.js';
import type { SandboxState } from './control-state.js';
import { stateOf } from './control-state.js';
import type { Ims, NewEvent } from '../ims.js';
import type { EventDelivery } from '../events/event-delivery.js';
import type { EventTarget, ShownTarget } from '../events/event-target.js';
import { withoutSecrets } from '../events/event-target.js';
import type { Events } from '../events/events.js';
import type { Fault, Faults, PlannedFault } from '../faults/faults.js';
import type { FaultsFile } from '../faults/faults-file.js';
import { createConsignmentNote, createTransportBooking } from '../invocations/documents.js';
import type { JsonObject } from '../store/json.js';
import { show } from '../store/kind.js';
import type { QuickShipment } from './quick-shipment.js';
import { addQuickShipment } from './quick-shipment.js';
import type { OtherDocument } from './other-documents.js';
import { createOtherDocument } from './other-documents.js';
import type { Random } from './random.js';
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

/** The hand behind the curtain: looks at and changes what no client of the service could. */
export interface Control extends TrackingControl {
  requests(filter?: RequestFilter): readonly LoggedRequest[];
  forgetRequests(): void;
  /** @throws Error for a target or an area that is not there */
  addFault(fault: Fault): void;
  faults(): readonly PlannedFault[];
  clearFaults(): void;
  /**
   * Its seed and switches are set, and its faults take the place of those that are planned; what it lacks stays.
   * @throws Error for a target or an area that is not there; nothing is changed then
   */
  applyFaultsFile(file: FaultsFile): void;
  /** Whatever happens by chance begins again with this seed, from 0 to `LARGEST_SEED`. */
  setSeed(seed: number): void;
  switches(): Switches;
  /** @throws Error naming what is not a switch or not a value for it */
  setSwitches(changes: Partial<Switches> | JsonObject): Switches;
  revokeTokens(): void;
  /** From now on it may ask for tokens; it takes the place of the client with that id, if there is one. */
  addClient(client: Client): void;
  clients(): readonly Omit<Client, 'secret'>[];
  /** From now on these are told of events, and nobody else. @throws Error for what cannot be a target */
  setEventTargets(targets: readonly EventTarget[]): void;
  /** Who is told of events, without what only they may know. */
  eventTargets(): readonly ShownTarget[];
  /** Sends an event of any type, e.g. `packingCompleted`. @returns its id @throws Error when there is no such area */
  emitEvent(event: NewEvent): string;
  /** Without carriers, unless some are named. @throws Error when there is such an area, or its key is another's */
  addArea(area: NewArea): void;
  /** The shipment as `GET /shipments/{id}` shows it. @throws Refusal */
  createShipment(quick: QuickShipment): JsonObject & { readonly id: number };
  /** As the invocation; the document as `GET /documents/{id}` shows it. @throws Refusal */
  createTransportBooking(shipmentId: number): JsonObject & { readonly id: number };
  /** A document of any other type, as a worker makes it. @throws Refusal */
  createDocument(other: OtherDocument): JsonObject & { readonly id: number };
  /**
   * The carrier takes shipments along that are packed and wait; without ids all such of the area. The consignment note
   * as `GET /documents/{id}` shows it.
   * @throws Refusal
   */
  handOver(area: number, shipmentIds?: readonly number[]): JsonObject & { readonly id: number };
  /** @throws Refusal */
  cancelDocument(documentId: number): JsonObject;
  /** How many documents there are in this status, in all areas. */
  documentsIn(workStatus: string): number;
  /** Settings that a carrier integration reads there. @throws Error when there is no such carrier in the area */
  setCarrierDataDocument(area: number, carrierName: string, dataDocument: JsonObject | null): void;
  state(): SandboxState;
  /** A file on an item, which no client can attach, or on a shipment or document. @throws Refusal */
  attach(file: HandAttachment): JsonObject;
  /** Bytes of a file on a document; `null` when there is none of that name, or only an address was given. */
  attachment(documentId: number, fileName: string): Buffer | null;
  /** `null` when no such carrier is simulated. */
  bookings(carrierId: string): readonly SimulatedBooking[] | null;
  /** Resolves when every event was taken or given up. */
  eventsDelivered(): Promise<void>;
}

export interface ControlSettings {
  readonly ims: Ims;
  readonly events: Events;
  readonly delivery: EventDelivery;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly random: Random;
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
    state: () => stateOf(ims, events),
    bookings: (carrierId) => simulators.get(carrierId)?.bookings() ?? null,
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
