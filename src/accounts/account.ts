import type { CarrierAccount, CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { HttpRequest } from '../../carriers/contract/http-port.js';
import type { BookingRequest } from '../../carriers/contract/model.js';
import type { SettingTrouble, SettingsDocuments, SettingsOwner } from '../config/settings-in-ims.js';
import type { Bulkhead } from './bulkhead.js';

export interface Account {
  readonly name: string;
  readonly imsCarrierName: string;
  readonly adapter: CarrierAdapter;
  readonly carrier: CarrierAccount;
  /** The way to `carrier`: every call to it goes through here. */
  readonly bulkhead: Bulkhead;
  /** What `carrier` would send for this booking; nothing leaves. */
  dryRun(request: BookingRequest): Promise<readonly HttpRequest[]>;
  /**
   * Missing: its settings are in the configuration. Else they are in the IMS, by area and seller: this makes the account of
   * one of them, and `carrier` only tells what it can do; its calls throw CarrierUnavailable.
   */
  readonly settle?: (documents: SettingsDocuments) => SettledAccount;
  /** With the settings that this process used last; `null` before the first. Beside `settle`. */
  readonly settledLast?: () => Account | null;
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

/** @throws a plain error when the account was taken out of the configuration while it was needed */
export function accountOf(
  { accounts }: { readonly accounts: ReadonlyMap<string, Account> },
  name: string | undefined,
): Account {
  const account = name === undefined ? undefined : accounts.get(name);
  if (!account) throw new Error(`account ${name ?? '-'} is not configured`);
  return account;
}
