import { LinkRefused, NoAnswer } from '../../carriers/contract/http-port.js';
import type { AlertsConfig } from '../config/sections/alerts.js';
import { holdUntilCommit } from '../db/advisory-locks.js';
import { type Doubling, doublingMs } from '../worker/backoff.js';
import { startInterval } from '../worker/interval.js';
import type { AttemptEnd } from '../worker/leased-rows.js';
import { withTimeout } from '../worker/with-timeout.js';
import type { WebhookContext } from '../webhooks/deliver-webhooks.js';
import { signedHeaders } from '../webhooks/signature.js';
import {
  type Alert,
  addAlert,
  claimAlert,
  dropOldAlerts,
  endAlert,
  forgetEnded,
  giveBackAlerts,
  readTold,
} from './alert-rows.js';
import { TROUBLES, type Trouble, findTroubles } from './troubles.js';

const LOOK_EVERY_MS = 10_000;
/** At most one alert in this time for each cause. */
const QUIET_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt takes, with its writes. */
const LEASE_MS = 30_000;
/** The delay after a failed attempt: at most 5 minutes, so that an alert arrives soon after its receiver answers again. */
const RETRY: Doubling = { firstMs: 5_000, maxMs: 5 * 60_000, atLeast: 0.9 };
/** After that the alert is given up; a new one follows while its cause stands. */
const TRIED_FOR_MS = 24 * 3_600_000;
const MAX_ANSWER_BYTES = 100_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const MAX_DROPPED = 100;

export interface AlertContext extends WebhookContext {
  /** Where alerts go; `secret` is `whsec_` and base64; without `kinds` all are told. */
  readonly receiver: AlertsConfig;
  /** The address of the service, for links. */
  readonly publicUrl: string;
}

/**
 * Tells a chat or pager what waits for a person: durable, signed, and at most once an hour for each cause.
 * @returns stops it: starts nothing new, and ends with the running call or after this time
 */
export function startAlerts(context: AlertContext): { stop(withinMs: number): Promise<void> } {
  const { database, owner, log } = context;
  let stopped = false;
  const work = () => tellTroubles(context, () => stopped);
  const loop = startInterval({ name: 'tell what needs a person', everyMs: LOOK_EVERY_MS, work, log });
  loop.soon();
  return {
    stop: async (withinMs) => {
      stopped = true;
      await withTimeout(loop.stop(), withinMs, () => undefined);
      await giveBackAlerts(database, owner).catch(() => undefined);
    },
  };
}

/** One round: notes what needs a person, and sends what is due. */
export async function tellTroubles(context: AlertContext, isStopped = () => false): Promise<void> {
  await noteTroubles(context);
  while (!isStopped() && (await deliverNext(context)));
}

async function noteTroubles({ database, clock, publicUrl, receiver }: AlertContext): Promise<void> {
  const now = clock.now();
  const quietSince = new Date(now.getTime() - QUIET_MS);
  const wanted = receiver.kinds;
  const told = await readTold(database);
  // Outside of the transaction, so that bookings can use the only connection of the embedded database before it.
  const troubles = (await findTroubles(database, now)).filter(({ kind }) => wanted?.includes(kind) ?? true);
  const causes = troubles.map(({ cause }) => cause);
  await database.transaction(async (sql) => {
    await holdUntilCommit(sql, 'alerts');
    // Another instance has stored the outcome of its search since, and ours may be older. The next search reads all again.
    if ((await readTold(sql)) !== told) return;
    await forgetEnded(sql, causes);
    for (const trouble of troubles) {
      await addAlert(sql, { trouble, body: alertBody(trouble, { now, publicUrl }), now, quietSince });
    }
  });
  await dropOldAlerts(database, new Date(now.getTime() - KEPT_MS), MAX_DROPPED);
}

/** `text` is what chats show. Neither a name nor an address is in it. */
function alertBody(
  { kind, account, count, consignments }: Trouble,
  { now, publicUrl }: { readonly now: Date; readonly publicUrl: string },
): object {
  const { cases, todo, runbook, page } = TROUBLES[kind];
  const at = account === null ? '' : ` at ${account}`;
  return {
    type: 'waybridge.needs-person',
    timestamp: now.toISOString(),
    text: `Waybridge needs a person: ${cases}${at}: ${count}. What to do: ${todo} (runbook "${runbook}"). ${publicUrl}${page}`,
    data: {
      ...{ kind, account, count, runbook, page: `${publicUrl}${page}` },
      consignments: consignments.map((id) => ({
        ...{ id, url: `${publicUrl}/consignments/${id}`, api: `${publicUrl}/api/v1/consignments/${id}` },
      })),
    },
  };
}

/** @returns whether there may be more now */
async function deliverNext(context: AlertContext): Promise<boolean> {
  const { database, clock, owner } = context;
  const now = clock.now();
  const alert = await claimAlert(database, { owner, now, until: new Date(now.getTime() + LEASE_MS) });
  if (alert === null) return false;
  const ending = await send(context, alert);
  await endAlert(database, { id: alert.id, owner }, ending);
  return ending.state === 'done';
}

/** After a crash between the answer and its storing, the alert is sent again under the same id. */
async function send(context: AlertContext, alert: Alert): Promise<AttemptEnd<'dead'>> {
  const { receiver, clock, post } = context;
  const body = JSON.stringify(alert.body);
  const { secret } = receiver;
  const headers = signedHeaders({ secret, previous: null }, { id: alert.webhookId, body, now: clock.now() });
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
    const status = await post(receiver.url, { body, headers, ...limits });
    if (status >= 200 && status < 300) return { state: 'done', note: null, dueAt: null };
    return failed(context, alert, `answered ${status}`);
  } catch (error) {
    if (!(error instanceof NoAnswer || error instanceof LinkRefused)) throw error;
    // The path of a chat's address is its key.
    const { host, pathname } = new URL(receiver.url);
    return failed(context, alert, error.message.replaceAll(`${host}${pathname}`, host));
  }
}

function failed({ clock, random, log }: AlertContext, alert: Alert, note: string): AttemptEnd<'dead'> {
  const now = clock.now().getTime();
  const isOver = now - alert.createdAt.getTime() > TRIED_FOR_MS;
  const dueAt = isOver ? null : new Date(now + doublingMs(RETRY, alert.attempts, random()));
  log[dueAt === null ? 'error' : 'warn']('alert not delivered', { alert: alert.id, cause: alert.cause, note });
  return { state: isOver ? 'dead' : 'open', note, dueAt };
}
