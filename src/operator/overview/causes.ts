import type { OperatorTexts } from '../reason.js';
import type { FailedBooking } from './failed-bookings.js';
import type { NotTold } from './not-told.js';

/** Failures of one kind and account whose times are further apart than this have different causes. */
const GAP_MS = 60 * 60_000;
/** The shipments that a cause names; the others are behind `list`. */
const MAX_NAMED = 5;

/** Things that one decision of a person settles. */
export interface Cause {
  /** Stays the same while the cause stays. */
  readonly id: string;
  /**
   * Parcels cannot leave: `in-doubt` (the carrier may have booked them), `refused`, `incomplete`. A person or a program was
   * not told: `failed-manifest`, `dead-letter` (a webhook), `given-up` (tracking, in the IMS), `failed-callback`,
   * `untold-worker` (the IMS did not take a message about a booking that nothing else is wrong with). Work was left open: `given-up-task`, `return-in-doubt` (the carrier may have made a return label).
   */
  readonly kind: FailedBooking['kind'] | NotTold['kind'];
  /** In the language of the request; of one of the bookings, where each has its own. */
  readonly reason: string;
  /** The area, where there is one only. */
  readonly area: string | null;
  readonly account: string | null;
  readonly carrier: string | null;
  /** Bookings, manifests, deliveries, updates, callbacks, bookings with messages, tasks or return labels. */
  readonly count: number;
  /** Parcels that cannot leave; 0 where a worker, the IMS or a subscriber was not told. */
  readonly parcels: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  /** Consignments of the cause, the newest first; at most five. */
  readonly named: readonly { readonly id: string; readonly shipment: string }[];
  /** The ids of all its consignments; empty where it is not about bookings. */
  readonly ids: readonly string[];
  /** The address below `/api/v1` of the list that shows them; of return labels and messages, of the consignment of the newest one. */
  readonly list: string;
}

/**
 * Groups bookings by kind, account, message and time; pure.
 * @param bookings newest first
 * @returns most parcels first, then the oldest
 */
export function causesOf(bookings: readonly FailedBooking[], texts: OperatorTexts): readonly Cause[] {
  const groups = new Map<string, FailedBooking[][]>();
  for (const booking of [...bookings].sort((a, b) => b.since.getTime() - a.since.getTime())) {
    const key = keyOf(booking);
    const times = groups.get(key) ?? [];
    const earliest = times.at(-1);
    if (earliest && isNear(earliest.at(-1), booking)) earliest.push(booking);
    else times.push([booking]);
    groups.set(key, times);
  }
  const causes = [...groups].flatMap(([key, times]) => times.map((group) => causeOf(key, group, texts)));
  return causes.sort((a, b) => b.parcels - a.parcels || a.oldestAt.getTime() - b.oldestAt.getTime());
}

function keyOf({ kind, account, carrier, trouble }: FailedBooking): string {
  return [kind, account ?? carrier ?? '-', trouble?.key ?? '-'].join(':');
}

function isNear(later: FailedBooking | undefined, earlier: FailedBooking): boolean {
  return later !== undefined && later.since.getTime() - earlier.since.getTime() <= GAP_MS;
}

function causeOf(key: string, group: readonly FailedBooking[], texts: OperatorTexts): Cause {
  const [newest] = group;
  const oldest = group.at(-1);
  if (!newest || !oldest) throw new Error('a cause has a booking');
  const { kind, account, carrier } = newest;
  const areas = new Set(group.map(({ area }) => area));
  return {
    id: `${key}:${oldest.since.toISOString()}`,
    kind,
    reason: reasonOf(group, newest, texts),
    area: areas.size === 1 ? newest.area : null,
    account,
    carrier,
    count: group.length,
    parcels: group.reduce((sum, { parcels }) => sum + parcels, 0),
    oldestAt: oldest.since,
    newestAt: newest.since,
    named: group.slice(0, MAX_NAMED).map(({ id, shipment }) => ({ id, shipment })),
    ids: group.map(({ id }) => id),
    list: `/consignments?${listOf(kind, account)}`,
  };
}

function reasonOf(group: readonly FailedBooking[], newest: FailedBooking, { text, phrase }: OperatorTexts): string {
  const { kind, carrier, trouble } = newest;
  if (kind === 'in-doubt' && group.length > 1)
    return phrase('cause-in-doubt', { carrier: carrier ?? '-', count: group.length });
  return trouble === null ? '' : text(trouble, newest);
}

function listOf(kind: FailedBooking['kind'], account: string | null): string {
  const query = new URLSearchParams(kind === 'in-doubt' ? { needsOperator: 'true' } : { state: kind });
  if (account !== null) query.set('account', account);
  return query.toString();
}

export function causeOfNotTold(one: NotTold, texts: OperatorTexts): Cause {
  const { kind, of, area, count, oldestAt, newestAt, named } = one;
  return {
    id: `${kind}:${of ?? '-'}`,
    kind,
    reason: notToldReason(one, texts),
    area,
    account: kind === 'dead-letter' || kind === 'given-up-task' ? null : of,
    carrier: null,
    count,
    parcels: 0,
    oldestAt,
    newestAt,
    named,
    ids: [],
    list: notToldList(one),
  };
}

function notToldReason({ kind, of, url, note }: NotTold, { phrase }: OperatorTexts): string {
  const about = { account: of ?? '-', note: note ?? '-' };
  switch (kind) {
    case 'failed-manifest':
      return phrase('cause-manifest', about);
    case 'dead-letter':
      return phrase('cause-dead-letter', { url: url ?? '-', note: note ?? '-' });
    case 'given-up':
      return phrase('cause-given-up', about);
    case 'failed-callback':
      return phrase('cause-callback', about);
    case 'untold-worker':
      return phrase('cause-untold', { account: of ?? '-' });
    case 'given-up-task':
      return phrase('cause-task', { task: of ?? '-', note: note ?? '-' });
    case 'return-in-doubt':
      return phrase('cause-return', about);
  }
}

function notToldList({ kind, of, named }: NotTold): string {
  const account = of === null ? '' : `&account=${encodeURIComponent(of)}`;
  switch (kind) {
    case 'failed-manifest':
      return `/handovers?state=failed${account}`;
    case 'dead-letter':
      return `/subscribers/${of ?? '-'}/dead-letters`;
    case 'given-up':
      return `/tracking/given-up?${account.slice(1)}`;
    case 'failed-callback':
      return `/tracking/failed?${account.slice(1)}`;
    case 'given-up-task':
      return '/dead-letters?kind=task';
    case 'untold-worker':
    case 'return-in-doubt':
      return `/consignments/${named[0]?.id ?? ''}`;
  }
}
