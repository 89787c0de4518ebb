import type { SimulatedBooking, Simulator } from '../../carriers/contract/simulator.js';
import { findAttachment } from './attachments.js';
import { cancelDocument, presentDocument } from './documents.js';
import type { Ims, NewEvent } from './endpoint.js';
import type { EventDelivery, EventTarget } from './event-delivery.js';
import type { Events, SentEvent } from './events.js';
import type { Fault, Faults, PlannedFault } from './faults.js';
import { createTransportBooking } from './invocations.js';
import type { JsonObject } from './json.js';
import type { LoggedRequest, RequestFilter, RequestLog } from './request-log.js';
import { seedArea } from './seed.js';
import { addShipment, announce, presentShipment } from './shipments.js';
import { addContainer } from './shipping-containers.js';
import type { Area, AttachmentRow, DocumentRow, MessageRow, PrintRow, Row, ShipmentRow, Table } from './store.js';
import { changeSwitches } from './switches.js';
import type { Switches } from './switches.js';
import type { Tokens } from './tokens.js';

/** A shipment that is simply there, without all that leads to it. */
export interface QuickShipment {
  /** `contextId` of its area. */
  readonly area: number;
  /** As `POST /shipments` takes it, but a customer is not needed; `customerAddress` may be given too. */
  readonly shipment: JsonObject;
  /** As `POST /shippingContainers` takes them, but without their shipment; one kilogram in a box if none are given. */
  readonly containers?: readonly JsonObject[];
  /** Whether `shipmentCreated` is sent; nothing is sent when not given. */
  readonly event?: 'send' | 'none';
}

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
  switches(): Switches;
  /** @throws Error naming what is not a switch or not a value for it */
  setSwitches(changes: Partial<Switches> | JsonObject): Switches;
  revokeTokens(): void;
  /** From now on these are told of events, and nobody else. @throws TypeError for what is no address */
  setEventTargets(targets: readonly EventTarget[]): void;
  /** Sends an event of any type, e.g. `packingCompleted`. @returns its id */
  emitEvent(event: NewEvent): string;
  addArea(area: Area): void;
  /** The shipment as `GET /shipments/{id}` shows it. @throws Refusal */
  createShipment(quick: QuickShipment): JsonObject & { readonly id: number };
  /** As the invocation; the document as `GET /documents/{id}` shows it. @throws Refusal */
  createTransportBooking(shipmentId: number): JsonObject & { readonly id: number };
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
  readonly tokens: Tokens;
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly switches: { current: Switches };
}

export function createControl(settings: ControlSettings): Control {
  const { ims, events, delivery, faults, requests, tokens, simulators, switches } = settings;
  return {
    requests: (filter) => requests.all(filter),
    forgetRequests: () => requests.forget(),
    addFault: (fault) => faults.add(fault),
    faults: () => faults.all(),
    clearFaults: () => faults.clear(),
    switches: () => switches.current,
    setSwitches: (changes) => (switches.current = changeSwitches(switches.current, changes)),
    revokeTokens: () => tokens.revokeAll(),
    setEventTargets: (targets) => events.setTargets(targets),
    emitEvent: (event) => events.emit(event),
    addArea: (area) => seedArea(ims.store, area),
    createShipment: (quick) => createShipment(ims, quick),
    createTransportBooking: (shipmentId) => {
      const document = createTransportBooking(ims, known(ims.store.shipments, shipmentId));
      return { ...presentDocument(ims, document), id: document.id };
    },
    cancelDocument: (documentId) => presentDocument(ims, cancelDocument(ims, known(ims.store.documents, documentId))),
    setCarrierDataDocument: (area, carrierName, dataDocument) => {
      const carrier = ims.store.carriers.in(area).find((row) => row['carrierName'] === carrierName);
      if (carrier === undefined) throw new Error(`There is no carrier ${carrierName} in area ${area}.`);
      ims.store.carriers.put({ ...carrier, dataDocument: dataDocument === null ? null : JSON.stringify(dataDocument) });
    },
    state: () => stateOf(ims, events),
    attachment: (ownerId, fileName) => {
      const row = findAttachment(ims, { of: 'documents', ownerId, fileName });
      return row === null ? null : (ims.store.contents.get(row.id) ?? null);
    },
    bookings: (carrierId) => simulators.get(carrierId)?.bookings() ?? null,
    eventsDelivered: () => delivery.idle(),
  };
}

function createShipment(ims: Ims, quick: QuickShipment): JsonObject & { readonly id: number } {
  const { area, shipment, event = 'none' } = quick;
  const stored = addShipment(ims, area, { customerNumber: 'C-1000', ...shipment });
  const { customerAddress } = shipment;
  const row = customerAddress === undefined ? stored : ims.store.shipments.put({ ...stored, customerAddress });
  const containers = quick.containers ?? [{ grossWeight: 1 }];
  for (const container of containers)
    addContainer(ims, area, { containerTypeName: 'Box', ...container, shipmentId: row.id });
  return { ...presentShipment(ims, event === 'send' ? announce(ims, row) : row), id: row.id };
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
