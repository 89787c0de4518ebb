import type { CarrierAccount, CarrierAdapter } from '../../carriers/contract/adapter.js';
import type { HttpRequest } from '../../carriers/contract/http-port.js';
import type { BookingRequest, Party } from '../../carriers/contract/model.js';
import type { CustomsConfig } from '../config/sections/customs.js';
import type { SettingTrouble, SettingsDocuments, SettingsOwner } from '../config/settings-in-ims.js';
import type { Bulkhead } from './bulkhead.js';

export interface Account {
  readonly name: string;
  readonly imsCarrierName: string;
  readonly adapter: CarrierAdapter;
  readonly carrier: CarrierAccount;
  /** As of a settled account; missing: its settings are in the IMS. */
  readonly customer?: string | null;
  /** Where parcels that cannot be delivered go; missing: to the sender. */
  readonly returnAddress?: Party;
  /** For customs; missing: none are known. */
  readonly customs?: CustomsConfig;
  /** Every call to `carrier` runs in it. */
  readonly bulkhead: Bulkhead;
  /**
   * Sends the carrier's harmless call, where it offers one, outside the bulkhead and on a connection of its own.
   * @returns the status of the last answer; `null`: there was none
   * @throws CarrierUnavailable the carrier does not answer
   */
  probeOnce(): Promise<number | null>;
  /** The requests that `carrier` would send for this booking; sends nothing. */
  dryRun(request: BookingRequest): Promise<readonly HttpRequest[]>;
  /**
   * Missing: the settings are in the configuration. Else they are in the IMS by area and seller: this makes the account
   * of one seller, while `carrier` only shows the capabilities and its calls throw CarrierUnavailable.
   */
  readonly settle?: (documents: SettingsDocuments) => SettledAccount;
  /** The account with the settings used last in this process; `null` before the first. Only beside `settle`. */
  readonly settledLast?: () => Account | null;
}

export type SettledAccount =
  | {
      readonly kind: 'settled';
      readonly account: Account;
      /** Identifies the customer at the carrier without naming it; `null`: nothing identifies it. */
      readonly customer: string | null;
    }
  | {
      readonly kind: 'unusable';
      readonly account: Account;
      /** The owner of the incomplete settings. */
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
