import type { EventSource, EventDraft } from '../ims.js';
import type { DeliveryState, EventDelivery } from './event-delivery.js';
import type { EventTarget } from './event-target.js';
import { checkTarget, isFor } from './event-target.js';
import type { Json, JsonMembers } from '../store/json.js';
import type { Switches } from '../control/switches.js';

const SOURCE = 'public.thetis-ims.com';
const ACCOUNT = '100000000001';
const SUBSCRIBER_ID = '501';
/** The sandbox keeps at least this many of the newest events. It drops older ones in batches of `FORGOTTEN_AT_ONCE`. */
const KEPT_EVENTS = 200_000;
const FORGOTTEN_AT_ONCE = 10_000;

/** The worker and device that every event names. */
export const WORKER = { userId: 10000000, deviceName: 'Packing table 1' };

export interface SentEvent {
  readonly eventId: string;
  readonly contextId: number;
  readonly type: string;
  readonly detail: JsonMembers;
  /** One delivery for each matching target and each copy. */
  readonly deliveries: readonly DeliveryState[];
}

type Unsent = Omit<SentEvent, 'deliveries'>;

interface Kept {
  readonly event: Unsent;
  /** `posted`: the sandbox stores the event and posts it to the targets. `not-posted`: the sandbox only stores it. */
  readonly posting: 'posted' | 'not-posted';
  readonly deliveries: DeliveryState[];
}

interface EventsSettings {
  readonly now: () => Date;
  readonly newId: () => string;
  readonly switches: () => Switches;
  readonly delivery: EventDelivery;
}

/** Stores events and sends them to the targets. */
export class Events implements EventSource {
  /** Stored events by id, oldest first. */
  private readonly sent = new Map<string, Kept>();
  private targets: readonly EventTarget[] = [];

  constructor(private readonly settings: EventsSettings) {}

  /** @throws Error for an invalid pattern, TypeError for an invalid URL */
  setTargets(targets: readonly EventTarget[]): void {
    for (const target of targets) checkTarget(target);
    this.targets = targets;
  }

  allTargets(): readonly EventTarget[] {
    return this.targets;
  }

  /** The events that were sent, oldest first. */
  all(): readonly SentEvent[] {
    const posted = [...this.sent.values()].filter((kept) => kept.posting === 'posted');
    return posted.map(({ event, deliveries }) => ({ ...event, deliveries: [...deliveries] }));
  }

  has(contextId: number, eventId: string): boolean {
    return this.sent.get(eventId)?.event.contextId === contextId;
  }

  emit(created: EventDraft): string {
    const kept = this.remember(created, 'posted');
    this.post(kept);
    return kept.event.eventId;
  }

  keep(created: EventDraft): string {
    return this.remember(created, 'not-posted').event.eventId;
  }

  private remember({ contextId, type, detail }: EventDraft, posting: Kept['posting']): Kept {
    const eventId = this.settings.newId();
    const common = { eventId, eventType: type, subscriberId: SUBSCRIBER_ID, contextId: String(contextId), ...WORKER };
    const event = { eventId, contextId, type, detail: { ...common, ...detail } };
    const kept: Kept = { event, posting, deliveries: [] };
    this.sent.set(eventId, kept);
    if (this.sent.size >= KEPT_EVENTS + FORGOTTEN_AT_ONCE) this.forgetOldest();
    return kept;
  }

  /** Deletes in batches: a Map's iterator takes longer to reach the first key with every key deleted before it. */
  private forgetOldest(): void {
    for (const id of this.sent.keys()) {
      if (this.sent.size <= KEPT_EVENTS) return;
      this.sent.delete(id);
    }
  }

  private post({ event, deliveries }: Kept): void {
    const shape = this.write(event);
    const copies = this.settings.switches().sendEventsTwice ? 2 : 1;
    for (const [place, target] of this.targets.entries()) {
      if (!isFor(target, event)) continue;
      const { fields } = target;
      const body = fields === undefined ? shape : onlyFields(this.detailOf(event), (name) => fields.includes(name));
      for (let copy = 0; copy < copies; copy += 1) {
        const { origin } = new URL(target.url);
        const row = deliveries.push({ origin, attempts: 0, tries: 0, status: null, outcome: 'waiting' });
        const report = (delivery: DeliveryState) => void (deliveries[row - 1] = delivery);
        this.settings.delivery.send({ contextId: event.contextId, body, target, place, report });
      }
    }
  }

  private detailOf(event: Unsent): JsonMembers {
    const { dropEventFields } = this.settings.switches();
    return onlyFields(event.detail, (name) => !dropEventFields.includes(name));
  }

  private write(event: Unsent): Json {
    const { eventShape, flatEventFields } = this.settings.switches();
    const detail = this.detailOf(event);
    switch (eventShape) {
      case 'detail':
        return detail;
      case 'flat':
        return onlyFields(detail, (name) => flatEventFields.includes(name));
      case 'envelope':
        return this.envelope(event.type, detail);
    }
  }

  private envelope(type: string, detail: JsonMembers): Json {
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

function onlyFields(detail: JsonMembers, keep: (name: string) => boolean): JsonMembers {
  return Object.fromEntries(Object.entries(detail).filter(([name]) => keep(name)));
}
