import type { Account } from '../../accounts/account.js';
import { type Consignment, bookedParcels, chosenCarrier } from '../../consignment/consignment.js';
import { type ConsignmentRow, toConsignment } from '../../consignment/ledger/row.js';
import { certainFrom, unanswered } from '../../consignment/machine/doubts.js';
import type { ConsignmentState } from '../../consignment/states.js';
import type { Database, Sql } from '../../db/database.js';
import type { Language } from '../../messages/keys.js';
import { type Destination, destinationOf } from '../destination.js';
import { type HistoryRow, type LastAction, lastAction } from '../last-action.js';
import { type TextsIn, reasonOf } from '../reason.js';

/** A reference that may be booked at the carrier; `resolve` asks about each. */
export interface Unconfirmed {
  readonly reference: string;
  /** Ids of the containers, in the order of the booking. */
  readonly containers: readonly string[];
  /** `null`: not by us, as far as our records go. */
  readonly sentAt: Date | null;
  /** The time from which the carrier certainly shows a booking that was made; `null`: it did so before. */
  readonly certainFrom: Date | null;
}

/** A booking that a person decides about, and what became of it. */
export interface OpenBooking {
  readonly id: string;
  /** The shipment's number, or the best name that is known. */
  readonly shipment: string;
  readonly area: string;
  readonly account: string | null;
  readonly carrier: string | null;
  readonly state: ConsignmentState;
  readonly needsOperator: boolean;
  readonly dueAt: Date | null;
  readonly updatedAt: Date;
  readonly reason: string | null;
  readonly to: Destination | null;
  readonly parcels: number;
  /** Empty unless it is in doubt and needs a person. */
  readonly unconfirmed: readonly Unconfirmed[];
  readonly trackingNumbers: readonly string[];
  readonly lastAction: LastAction | null;
}

/** @returns those that there are, in the order of the ids */
export type LoadOpenBookings = (ids: readonly string[], language: Language) => Promise<readonly OpenBooking[]>;

export interface OpenBookingsDeps {
  readonly database: Database;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly textsIn: TextsIn;
}

interface ActionRow extends HistoryRow {
  readonly consignment_id: string;
}

export function openBookings({ database, accounts, textsIn }: OpenBookingsDeps): LoadOpenBookings {
  return async (ids, language) => {
    const rows = await database.query<ConsignmentRow>('select * from consignment where id = any($1::text[])', [ids]);
    const actions = await loadActions(database, ids);
    const found = new Map(
      rows.map((row) => {
        const consignment = toConsignment(row);
        const texts = textsIn(language);
        const history = actions.filter(({ consignment_id: id }) => id === row.id);
        const about = {
          updatedAt: row.updated_at,
          reason: reasonOf(consignment, texts),
          lastAction: lastAction(consignment, history, texts),
          unconfirmed: unconfirmedOf(consignment, accounts),
        };
        return [row.id, { ...about, ...whatIsKnown(consignment) }] as const;
      }),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  };
}

/** The last action of each. */
function loadActions(sql: Sql, ids: readonly string[]): Promise<readonly ActionRow[]> {
  return sql.query<ActionRow>(
    `select distinct on (consignment_id) consignment_id, at, what, fields from journal
      where consignment_id = any($1::text[]) and fields ? 'action' order by consignment_id, id desc`,
    [ids],
  );
}

function whatIsKnown(consignment: Consignment) {
  const { id, area, state, needsOperator, dueAt, plan } = consignment;
  const chosen = chosenCarrier(consignment);
  return {
    ...{ id, area, state, needsOperator, dueAt },
    shipment: nameOf(consignment),
    account: chosen?.account ?? null,
    carrier: chosen?.carrierName ?? consignment.eventCarrierName,
    to: destinationOf(consignment),
    parcels: plan?.containers.length ?? 1,
    trackingNumbers: bookedParcels(consignment).map(({ trackingNumber }) => trackingNumber),
  };
}

function nameOf({ shipmentNumber, shipmentId, documentId, id }: Consignment): string {
  return shipmentNumber ?? shipmentId ?? documentId ?? id;
}

function unconfirmedOf(consignment: Consignment, accounts: ReadonlyMap<string, Account>): readonly Unconfirmed[] {
  if (!consignment.needsOperator) return [];
  const { bookingVisibleAfterMs = 0 } = accounts.get(consignment.plan?.account ?? '')?.adapter.traits ?? {};
  return unanswered(consignment).map((part) => ({
    reference: part.request.reference,
    containers: part.request.parcels.map(({ id }) => id),
    sentAt: part.sentAt === null ? null : new Date(part.sentAt),
    certainFrom: certainFrom(part, bookingVisibleAfterMs),
  }));
}
