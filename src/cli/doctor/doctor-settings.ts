import type { ConfiguredAccount } from '../../config/sections/account.js';
import {
  type SettingsFound,
  settingsInIms,
  type SettingsDocument,
  type SettingsDocuments,
} from '../../config/settings-in-ims.js';
import type { ImsCarrier, ImsSeller } from '../../ims/resources.js';
import { applicationData } from '../../routing/facts/data-document.js';
import { sameName } from '../../routing/language/rule.js';
import { counted } from './report.js';

/** What an area keeps in the IMS. */
export interface KeptInIms {
  readonly carriers: readonly ImsCarrier[];
  readonly sellers: readonly ImsSeller[];
}

/** Values are never in it. */
export interface AccountFindings {
  readonly lines: readonly string[];
  /** `absent`: the area has none at all; `broken`: some bookings fail for what is missing or wrong. */
  readonly state: 'found' | 'absent' | 'broken';
}

/** Finds the settings of an account in an area, by seller, and those that it lacks. */
export function settingsFindings(account: ConfiguredAccount, kept: KeptInIms): AccountFindings {
  const carrier = carrierDocument(account, kept);
  const own = kept.sellers.filter((seller) => holds(account, seller.dataDocument));
  const general = found(account, { seller: null, carrier });
  const sellers = own.map((seller) => {
    const of = { kind: 'seller', name: seller.sellerNumber ?? seller.id } as const;
    return { name: of.name, found: found(account, { seller: { of, dataDocument: seller.dataDocument }, carrier }) };
  });
  const others = kept.sellers.length - own.length;
  // The carrier's may lack something where every shipment has a seller with settings of its own.
  const needsGeneral = !sellers.some((seller) => seller.found.kind === 'found') || !isOnlyMissing(general);
  const isBroken = sellers.some((seller) => seller.found.kind === 'unusable') || (needsGeneral && !isFound(general));
  const isAbsent =
    own.length === 0 && isOnlyMissing(general) && !isFound(general) && !holds(account, carrier.dataDocument);
  return {
    state: isAbsent ? 'absent' : isBroken ? 'broken' : 'found',
    lines: [
      `without a seller, and for ${others} sellers: ${inWords(general)}`,
      ...sellers.map((seller) => `seller ${seller.name}: ${inWords(seller.found)}`),
    ],
  };
}

/** Signs that the vendor's app was installed. The IMS does not show who is subscribed to events. */
export function vendorSigns(account: ConfiguredAccount, kept: KeptInIms): readonly string[] {
  const key = account.adapter.settingsInIms?.key;
  if (key === undefined) return [];
  const carriers = kept.carriers.filter((carrier) => holds(account, carrier.dataDocument));
  const sellers = kept.sellers.filter((seller) => holds(account, seller.dataDocument));
  const places = [
    ...carriers.map(({ carrierName, id }) => `carrier ${carrierName ?? id}`),
    ...(sellers.length > 0 ? [counted(sellers.length, 'seller')] : []),
  ];
  return places.length === 0 ? [] : [`${key} is in ${places.join(' and ')}`];
}

function carrierDocument({ imsCarrierName }: ConfiguredAccount, { carriers }: KeptInIms): SettingsDocument {
  const carrier = carriers.find(({ carrierName }) => carrierName !== null && sameName(carrierName, imsCarrierName));
  return { of: { kind: 'carrier', name: imsCarrierName }, dataDocument: carrier?.dataDocument ?? null };
}

function found({ adapter, fromIms }: ConfiguredAccount, documents: SettingsDocuments): SettingsFound {
  return settingsInIms(adapter, fromIms?.given ?? {}, documents);
}

function holds({ adapter }: ConfiguredAccount, dataDocument: string | null): boolean {
  return (
    adapter.settingsInIms !== undefined && applicationData(dataDocument, adapter.settingsInIms.key).kind !== 'none'
  );
}

function isFound({ kind }: SettingsFound): boolean {
  return kind === 'found';
}

function isOnlyMissing(settings: SettingsFound): boolean {
  return settings.kind === 'found' || settings.troubles.every(({ rule }) => rule === 'missing');
}

function inWords(settings: SettingsFound): string {
  const there = [...settings.places].map(([name, place]) => `${name} (${place})`).join(', ') || 'nothing';
  if (settings.kind === 'found') return there;
  return `${there}; ${settings.troubles.map(({ path, rule }) => `${path} ${rule}`).join('; ')}`;
}
