import type { EventSource, NewEvent } from './endpoint.js';
import type { Delivery, EventDelivery, EventTarget } from './event-delivery.js';
import type { Json, JsonObject } from './json.js';
import type { Switches } from './switches.js';

const SOURCE = 'public.thetis-ims.com';
const ACCOUNT = '100000000001';
const SUBSCRIBER_ID = '501';

/** The packer whose doings all events come from. */
export const WORKER = { userId: 10000000, deviceName: 'Packing table 1' };

export interface SentEvent {
  readonly eventId: string;
  readonly contextId: number;
  readonly type: string;
  readonly detail: JsonObject;
  /** One for each target and copy. */
  readonly deliveries: readonly Delivery[];
}

interface EventsSettings {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly switches: () => Switches;
  readonly delivery: EventDelivery;
}

/** Every event there was, and to whom they go. */
export class Events implements EventSource {
  private readonly sent: { readonly event: Omit<SentEvent, 'deliveries'>; readonly deliveries: Delivery[] }[] = [];
  private targets: readonly EventTarget[] = [];

  constructor(private readonly settings: EventsSettings) {}

  setTargets(targets: readonly EventTarget[]): void {
    this.targets = targets;
  }

  all(): readonly SentEvent[] {
    return this.sent.map(({ event, deliveries }) => ({ ...event, deliveries: [...deliveries] }));
  }

  has(contextId: number, eventId: string): boolean {
    return this.sent.some(({ event }) => event.contextId === contextId && event.eventId === eventId);
  }

  emit({ contextId, type, detail }: NewEvent): string {
    const eventId = this.settings.newId();
    const common = { eventId, eventType: type, subscriberId: SUBSCRIBER_ID, contextId: String(contextId), ...WORKER };
    const event = { eventId, contextId, type, detail: { ...common, ...detail } };
    const deliveries: Delivery[] = [];
    this.sent.push({ event, deliveries });
    const body = this.write(event);
    const copies = this.settings.switches().sendEventsTwice ? 2 : 1;
    for (const target of this.targets)
      for (let copy = 0; copy < copies; copy += 1) this.post({ contextId, body, target }, deliveries);
    return eventId;
  }

  private post(
    parcel: { readonly contextId: number; readonly body: Json; readonly target: EventTarget },
    deliveries: Delivery[],
  ): void {
    const place = deliveries.length;
    const { origin } = new URL(parcel.target.url);
    deliveries.push({ origin, tries: 0, status: null, outcome: 'waiting' });
    this.settings.delivery.send({ ...parcel, report: (delivery) => void (deliveries[place] = delivery) });
  }

  private write(event: Omit<SentEvent, 'deliveries'>): Json {
    const { eventShape, dropEventFields, flatEventFields } = this.settings.switches();
    const detail = onlyFields(event.detail, (name) => !dropEventFields.includes(name));
    switch (eventShape) {
      case 'detail':
        return detail;
      case 'flat':
        return onlyFields(detail, (name) => flatEventFields.includes(name));
      case 'envelope':
        return this.envelope(event.type, detail);
    }
  }

  private envelope(type: string, detail: JsonObject): Json {
    return {
      version: '0',
      id: this.settings.newId(),
      'detail-type': type,
      source: SOURCE,
      account: ACCOUNT,
      time: this.settings
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
      region: 'eu-west-1',
      resources: [],
      detail,
    };
  }
}

function onlyFields(detail: JsonObject, keep: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => keep(name)));
}
