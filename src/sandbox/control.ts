import type { SimulatedBooking, Simulator } from '../../carriers/contract/simulator.js';
import { findAttachment } from './attachments.js';
import type { Ims, NewEvent } from './endpoint.js';
import type { EventDelivery } from './event-delivery.js';
import type { EventTarget } from './event-target.js';
import type { Events, SentEvent } from './events.js';
import type { Fault, Faults, PlannedFault } from './faults.js';
import type { FaultsFile } from './faults-file.js';
import { createConsignmentNote, createTransportBooking } from './invocations/documents.js';
import type { JsonObject } from './json.js';
import { show } from './kind.js';
import type { QuickShipment } from './quick-shipment.js';
import { addQuickShipment } from './quick-shipment.js';
import type { OtherDocument } from './other-documents.js';
import { createOtherDocument } from './other-documents.js';
import type { Random } from './random.js';
import type { LoggedRequest, RequestFilter, RequestLog } from './request-log.js';
import { cancelDocument, documents } from './resources/documents.js';
import { shipments } from './resources/shipments.js';
import { seedArea } from './seed.js';
import type { Area, AttachmentRow, DocumentRow, MessageRow, PrintRow, Row, ShipmentRow, Table } from './store.js';
import { changeSwitches } from './switches.js';
import type { Switches } from './switches.js';
import type { Client, Tokens } from './tokens.js';

/** All that is stored, as it is stored; files without their content. */
export interface SandboxState {
  readonly areas: readonly Area[];
  readonly contexts: readonly Row[];
  readonly sellers: readonly Row[];
  readonly carriers: readonly Row[];
  readonly shipments: readonly ShipmentRow[];
  readonly shippingContainers: readonly Row[];
  readonly documents: readonly DocumentRow[];
  readonly messages: readonly MessageRow[];
  readonly attachments: readonly AttachmentRow[];
  readonly prints: readonly PrintRow[];
  readonly events: readonly SentEvent[];
}

/** The hand behind the curtain: looks at and changes what no client of the service could. */
export interface Control {
  requests(filter?: RequestFilter): readonly LoggedRequest[];
  forgetRequests(): void;
  addFault(fault: Fault): void;
  faults(): readonly PlannedFault[];
  clearFaults(): void;
  /** Its seed and switches are set, and its faults take the place of those that are planned; what it lacks stays. */
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
  /** Sends an event of any type, e.g. `packingCompleted`. @returns its id */
  emitEvent(event: NewEvent): string;
  addArea(area: Area): void;
  /** The shipment as `GET /shipments/{id}` shows it. @throws Refusal */
  createShipment(quick: QuickShipment): JsonObject & { readonly id: number };
  /** As the invocation; the document as `GET /documents/{id}` shows it. @throws Refusal */
  createTransportBooking(shipmentId: number): JsonObject & { readonly id: number };
  /** A document of any other type, as a worker makes it. @throws Refusal */
  createDocument(other: OtherDocument): JsonObject & { readonly id: number };
  /**
   * The carrier takes shipments along; without ids all of the area that are packed and wait. The consignment note as
   * `GET /documents/{id}` shows it.
   * @throws Refusal
   */
  handOver(area: number, shipmentIds?: readonly number[]): JsonObject & { readonly id: number };
  /** @throws Refusal */
  cancelDocument(documentId: number): JsonObject;
  /** Settings that a carrier integration reads there. @throws Error when there is no such carrier in the area */
  setCarrierDataDocument(area: number, carrierName: string, dataDocument: JsonObject | null): void;
  state(): SandboxState;
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
}

export function createControl(settings: ControlSettings): Control {
  const { ims, events, delivery, faults, requests, random, tokens, simulators, switches } = settings;
  return {
    requests: (filter) => requests.all(filter),
    forgetRequests: () => requests.forget(),
    addFault: (fault) => faults.add(fault),
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
    applyFaultsFile: (file) => applyFaultsFile(settings, file),
    setSeed: (seed) => random.restart(seed),
    switches: () => switches.current,
    setSwitches: (changes) => (switches.current = changeSwitches(switches.current, changes)),
    revokeTokens: () => tokens.revokeAll(),
    addClient: (client) => tokens.addClient(client),
    clients: () => tokens.clients(),
    setEventTargets: (targets) => events.setTargets(targets),
    emitEvent: (event) => events.emit(event),
    addArea: (area) => seedArea(ims.store, area),
    createShipment: (quick) => {
      const row = addQuickShipment(ims, quick);
      return { ...show(ims, shipments, row), id: row.id };
    },
    createTransportBooking: (shipmentId) => {
      const document = createTransportBooking(ims, known(ims.store.shipments, shipmentId));
      return { ...show(ims, documents, document), id: document.id };
    },
    createDocument: (other) => {
      const document = createOtherDocument(ims, other);
      return { ...show(ims, documents, document), id: document.id };
    },
    handOver: (area, shipmentIds) => {
      const document = createConsignmentNote(ims, area, shipmentIds ?? null);
      return { ...show(ims, documents, document), id: document.id };
    },
    cancelDocument: (documentId) => show(ims, documents, cancelDocument(ims, known(ims.store.documents, documentId))),
    setCarrierDataDocument: (area, carrierName, dataDocument) => {
      const carrier = ims.store.carriers.in(area).find((row) => row['carrierName'] === carrierName);
      if (carrier === undefined) throw new Error(`There is no carrier ${carrierName} in area ${area}.`);
      ims.store.carriers.put({ ...carrier, dataDocument: dataDocument === null ? null : JSON.stringify(dataDocument) });
    },
    state: () => stateOf(ims, events),
    attachment: (ownerId, fileName) => {
      const contextId = ims.store.documents.byId(ownerId)?.contextId ?? 0;
      const row = findAttachment(ims, { of: 'documents', ownerId, fileName, contextId });
      return row === null ? null : (ims.store.contents.get(row.id) ?? null);
    },
    bookings: (carrierId) => simulators.get(carrierId)?.bookings() ?? null,
    eventsDelivered: () => delivery.idle(),
  };
}

function applyFaultsFile({ faults, random, switches }: ControlSettings, file: FaultsFile): void {
  if (file.seed !== undefined) random.restart(file.seed);
  if (file.switches !== undefined) switches.current = changeSwitches(switches.current, file.switches);
  if (file.faults === undefined) return;
  faults.clear();
  for (const fault of file.faults) faults.add(fault);
}

function known<R extends Row>(table: Table<R>, id: number): R {
  const row = table.byId(id);
  if (row === null) throw new Error(`There is nothing with id ${id}.`);
  return row;
}

function stateOf({ store }: Ims, events: Events): SandboxState {
  return {
    areas: store.areas(),
    contexts: store.contexts.all(),
    sellers: store.sellers.all(),
    carriers: store.carriers.all(),
    shipments: store.shipments.all(),
    shippingContainers: store.shippingContainers.all(),
    documents: store.documents.all(),
    messages: store.messages.all(),
    attachments: store.attachments.all(),
    prints: store.prints.all(),
    events: events.all(),
  };
}
