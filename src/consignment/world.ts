import type { CarrierAccount, CarrierAdapter, Clock } from '../../carriers/contract/adapter.js';
import type { HttpRequest } from '../../carriers/contract/http-port.js';
import type { BookingRequest, Label } from '../../carriers/contract/model.js';
import type { Database } from '../db/database.js';
import type { ImsArea } from '../ims/area.js';
import type { Log } from '../log.js';
import type { Printing } from '../printing/print-body.js';
import type { CompiledRules } from '../routing/choose-carrier.js';
import type { CarrierQueue } from './carrier-queue.js';
import type { MessageDraft } from './consignment.js';
import type { Phrases } from '../messages/keys.js';
import type { HeldLeases } from './held-leases.js';
import type { PromisedReferences } from './promised-references.js';
import type { UnwrittenAnswers } from './unwritten-answers.js';

/** An area as the consignments in it see it. */
export interface Area {
  readonly contextId: string;
  readonly bookOn: 'transport-booking' | 'delivery-note';
  readonly giveUpAfterMs: number;
  /** IANA; what rules call weekday and hour. */
  readonly timeZone: string;
  /** Whether what is packed is read for its UN numbers before every booking, whatever rules ask for. */
  readonly checksDangerousGoods: boolean;
  readonly ims: ImsArea;
  /** For what nobody waits for. */
  readonly imsBackground: ImsArea;
  /** A message in the area's language. */
  text(message: MessageDraft): string;
  /** A part of a message in the area's language. */
  readonly phrase: Phrases;
}

export interface Account {
  readonly name: string;
  readonly imsCarrierName: string;
  readonly adapter: CarrierAdapter;
  readonly carrier: CarrierAccount;
  /** The way to `carrier`: every call to it goes through here. */
  readonly queue: CarrierQueue;
  /** What `carrier` would send for this booking; nothing leaves. */
  rehearse(request: BookingRequest): Promise<readonly HttpRequest[]>;
  /**
   * Missing: its settings are in the configuration. Else they are in the IMS, by area and seller: this makes the account of
   * one of them, and `carrier` only tells what it can do; its calls throw CarrierUnavailable.
   */
  readonly settle?: (documents: SettingsDocuments) => SettledAccount;
  /** With the settings that this process used last; `null` before the first. Beside `settle`. */
  readonly settledLast?: () => Account | null;
}

/** Where the settings of an account are in the IMS, for one shipment. */
export interface SettingsDocuments {
  /** `null`: the shipment has none. */
  readonly seller: SettingsDocument | null;
  readonly carrier: SettingsDocument;
}

/** As people know it. */
export interface SettingsOwner {
  readonly kind: 'seller' | 'carrier';
  readonly name: string;
}

export interface SettingsDocument {
  readonly of: SettingsOwner;
  readonly dataDocument: string | null;
  /** Why we do not know it, where the IMS does not show it to us. */
  readonly notShown?: SettingTrouble;
  /** Because our client may not read it (403). */
  readonly forbidden?: boolean;
}

/** A setting that is missing or cannot be used. Never holds a value. */
export interface SettingTrouble {
  /** E.g. `GLSTransport.password`. */
  readonly path: string;
  readonly rule: string;
}

export type SettledAccount =
  | {
      readonly kind: 'settled';
      readonly account: Account;
      /** Stands for the customer of the carrier, without saying which; `null` where settings are in the configuration. */
      readonly customer: string | null;
    }
  | {
      readonly kind: 'unusable';
      readonly account: Account;
      /** Whose settings lack something. */
      readonly of: SettingsOwner;
      readonly troubles: readonly SettingTrouble[];
    };

/** Everything around the consignments; put together once, in `src/app.ts`. */
export interface World {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly areas: ReadonlyMap<string, Area>;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly rules: CompiledRules;
  readonly printing: Printing;
  readonly assemble: (labels: readonly Label[]) => Promise<{ bytes: Uint8Array; pages: number; sha256: string }>;
  /** A signed address of a consignment's label file. */
  readonly labelLink: (consignmentId: string) => string;
  /** A text without our secrets. */
  readonly mask: (text: string) => string;
  /** Whose leases are ours. */
  readonly lease: { readonly owner: string; readonly lengthMs: number; readonly held: HeldLeases };
  readonly promised: PromisedReferences;
  readonly unwritten: UnwrittenAnswers;
}

/** @throws a plain error: configuration was checked at start */
export function areaOf(world: World, contextId: string): Area {
  const area = world.areas.get(contextId);
  if (!area) throw new Error(`area ${contextId} is not configured`);
  return area;
}

/** @throws a plain error when the account was taken out of the configuration while it was needed */
export function accountOf(world: Pick<World, 'accounts'>, name: string | undefined): Account {
  const account = name === undefined ? undefined : world.accounts.get(name);
  if (!account) throw new Error(`account ${name ?? '-'} is not configured`);
  return account;
}
