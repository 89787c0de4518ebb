import { resolve } from 'node:path';
import type { Account } from '../../src/accounts/account.js';
import type { Database } from '../../src/db/database.js';
import type { MessageDraft } from '../../src/messages/message.js';
import { loadMessages } from '../../src/messages/messages.js';
import { type TextsIn, operatorTexts } from '../../src/operator/reason.js';

export const NOW = new Date('2030-03-04T12:30:00Z');
export const MINUTE_MS = 60_000;

export const before = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS);

/** What the areas book on. */
const AREAS = new Map([
  ['1', { bookOn: 'transport-booking' }],
  ['2', { bookOn: 'delivery-note' }],
] as const);

export async function textsIn(): Promise<TextsIn> {
  return operatorTexts(await loadMessages(`${resolve('templates/ims')}/`), AREAS);
}

/** A row of the ledger as a test needs it. */
export interface Row {
  readonly id: string;
  readonly area?: string;
  readonly state?: string;
  readonly account?: string | null;
  readonly carrier?: string;
  readonly shipment?: string;
  readonly needsOperator?: boolean;
  readonly waitingFor?: string;
  /** Beside `waitingFor: carrier`. */
  readonly waitsForAccount?: boolean;
  readonly dueAt?: Date | null;
  readonly message?: MessageDraft;
  /** What the IMS has done with the message. */
  readonly messageState?: 'done' | 'failed' | 'not-allowed' | 'unknown';
  readonly containers?: readonly string[];
  readonly createdAt?: Date;
}

const usual = {
  ...{ area: '1', state: 'closed', account: 'gls', carrier: 'GLS' },
  ...{ dueAt: null, needsOperator: false, createdAt: before(5) },
};

export async function insertRow(database: Database, row: Row): Promise<void> {
  const { id, area, state, account, carrier, dueAt, needsOperator, createdAt, waitingFor, waitsForAccount, ...rest } = {
    ...usual,
    ...row,
  };
  const { shipment = `s-${id}`, containers = [`box-${id}`], message, messageState = 'done' } = rest;
  const chosen = { account, carrierId: account, carrierName: carrier, rule: null, containers, contextId: area };
  const plan = {
    plan: account === null ? null : chosen,
    outcome: null,
    claimed: true,
    compensating: false,
    waitingFor,
    waitsForAccount,
  };
  const effects = message === undefined ? [] : [effectOf(message, messageState)];
  await database.query(
    `insert into consignment (id, area, booked_on, document_id, shipment_id, shipment_number, event_id, state, account, carrier,
                              reference, plan, effects, waits_for_person, due_at, run_started_at, created_at, updated_at)
     values ($1, $2, 'transport-booking', 'd-' || $1, $3, $3, 'e-' || $1, $4, $5, $5, 'r-' || $1, $6::jsonb, $7::jsonb, $8, $9, $10,
             $10, $10)`,
    [
      ...[id, area, shipment, state, account, JSON.stringify(plan), JSON.stringify(effects), needsOperator, dueAt],
      createdAt,
    ],
  );
}

function effectOf(message: MessageDraft, state: string): object {
  const call = { kind: 'message', to: { eventId: 'e', userId: null, deviceName: null }, message };
  return { key: `message:1:1:0:${message.key}`, wave: 1, call, state, note: null };
}

/** An account as far as health looks at it. */
export function accountNamed(name: string, circuit: 'closed' | 'open' = 'closed'): Account {
  const account = { name, adapter: { id: name, name: name.toUpperCase() }, bulkhead: { circuitState: () => circuit } };
  return account as unknown as Account;
}
