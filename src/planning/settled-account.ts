import type { ImsArea } from '../ims/calls/ims-area.js';
import { ImsForbidden, isRefusal } from '../ims/errors.js';
import type { ImsSeller } from '../ims/resources.js';
import { sameName } from '../routing/language/rule.js';
import type { SettingsDocument, SettingsDocuments, SettingsOwner } from '../config/settings-in-ims.js';
import type { Account, SettledAccount } from '../accounts/account.js';

/** The seller and carrier whose settings are wanted. */
export interface SettingsWanted {
  readonly sellerId: string | null;
  /** In the IMS. */
  readonly carrierName: string;
}

/**
 * The account with the settings of one seller of an area; the same account where its settings are in the configuration.
 * @throws ImsUnavailable | ImsCredentials | ImsProblem the settings cannot be read now
 */
export async function settledAccount(
  account: Account,
  documents: (wanted: string) => Promise<SettingsDocuments | null>,
): Promise<SettledAccount> {
  const asItIs = { kind: 'settled', account, customer: account.customer ?? null } as const;
  if (!account.settle) return asItIs;
  const read = await documents(account.imsCarrierName);
  return read === null ? asItIs : account.settle(read);
}

/**
 * Reads the documents through the area's cache. A seller that we may not read does not get the carrier's settings: they
 * may be another customer's.
 * @throws ImsUnavailable | ImsCredentials | ImsProblem
 */
export async function settingsDocuments(
  ims: ImsArea,
  { sellerId, carrierName }: SettingsWanted,
): Promise<SettingsDocuments> {
  const [seller, carrier] = await Promise.all([
    sellerId === null
      ? null
      : shown(
          { kind: 'seller', name: sellerId },
          `GET /sellers/${sellerId}`,
          ims.loadSeller(sellerId).then(sellerDocument),
        ),
    shown({ kind: 'carrier', name: carrierName }, 'GET /carriers', carrierDocument(ims, carrierName)),
  ]);
  return { seller, carrier };
}

export function sellerDocument({ id, sellerNumber, dataDocument }: ImsSeller): SettingsDocument {
  return { of: { kind: 'seller', name: sellerNumber ?? id }, dataDocument };
}

async function carrierDocument(ims: ImsArea, name: string): Promise<SettingsDocument> {
  const carriers = await ims.listCarriers();
  const found = carriers.find(({ carrierName }) => carrierName !== null && sameName(carrierName, name));
  return { of: { kind: 'carrier', name }, dataDocument: found?.dataDocument ?? null };
}

async function shown(of: SettingsOwner, path: string, reading: Promise<SettingsDocument>): Promise<SettingsDocument> {
  try {
    return await reading;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const forbidden = error instanceof ImsForbidden;
    const scopes = of.kind === 'seller' ? 'api/full or api/sales' : 'api/full';
    const rule = forbidden ? `is not allowed (403): the client of the IMS needs ${scopes}` : 'is refused';
    return { of, dataDocument: null, forbidden, notShown: { path: forbidden ? `${path}: 403` : path, rule } };
  }
}
