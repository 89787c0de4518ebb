import { createHash } from 'node:crypto';
import type { CarrierAdapter, SettingsInIms } from '../../carriers/contract/adapter.js';
import { readAccountSettings, settingNames } from './account-settings.js';
import { applicationData } from '../routing/facts/data-document.js';

type Values = Readonly<Record<string, unknown>>;

/** From which place each setting is taken. */
export type SettingPlaces = ReadonlyMap<string, 'configuration' | 'seller' | 'carrier'>;

/** Where the settings of an account are in the IMS, for one shipment. */
export interface SettingsDocuments {
  /** `null`: the shipment has none. */
  readonly seller: SettingsDocument | null;
  readonly carrier: SettingsDocument;
}

/** The name that people use for it. */
export interface SettingsOwner {
  readonly kind: 'seller' | 'carrier';
  readonly name: string;
}

export interface SettingsDocument {
  readonly of: SettingsOwner;
  readonly dataDocument: string | null;
  /** Why the IMS does not show us the document. */
  readonly notShown?: SettingTrouble;
  /** Our client lacks the right to read it (the IMS answers 403). */
  readonly forbidden?: boolean;
}

/** A setting that is missing or cannot be used. Never holds a value. */
export interface SettingTrouble {
  /** E.g. `GLSTransport.password`. */
  readonly path: string;
  readonly rule: string;
}

export type SettingsFound =
  | {
      readonly kind: 'found';
      readonly config: object;
      readonly customer: string | null;
      readonly places: SettingPlaces;
      /** The seller's document. Our client may not read it, and the vendor's app never read it. */
      readonly passedOver?: SettingTrouble;
    }
  | {
      readonly kind: 'unusable';
      /** The party whose document should hold the settings. */
      readonly of: SettingsOwner;
      readonly troubles: readonly SettingTrouble[];
      readonly places: SettingPlaces;
    };

const CUSTOMER_CHARACTERS = 16;
const NO_PLACES: SettingPlaces = new Map();

/**
 * The settings of an account for one shipment; pure. What stands in the configuration counts first, then the seller's
 * document, then the carrier's, as far as the seller's has no login of its own (`SettingsInIms`). When we may not read the
 * seller's document, it is skipped only where the vendor's app takes its settings from the carrier alone.
 * @param given in the configuration
 * @see docs/decisions/0035
 */
export function settingsInIms(adapter: CarrierAdapter, given: Values, documents: SettingsDocuments): SettingsFound {
  const { seller, carrier } = documents;
  const isPassedOver = adapter.settingsInIms?.keptBy === 'carrier' && seller?.forbidden === true;
  const found = merged(adapter, given, isPassedOver ? { seller: null, carrier } : documents);
  return found.kind === 'found' && isPassedOver && seller.notShown ? { ...found, passedOver: seller.notShown } : found;
}

function merged(adapter: CarrierAdapter, given: Values, { seller, carrier }: SettingsDocuments): SettingsFound {
  const inIms = adapter.settingsInIms;
  if (!inIms) throw new Error(`${adapter.id} has no settings in the IMS`);
  const own = seller === null ? NOTHING : valuesIn(seller, adapter, inIms);
  const common = hasAny(own.values, inIms.login) ? NOTHING : valuesIn(carrier, adapter, inIms);
  const unreadable = [...own.troubles, ...common.troubles];
  if (unreadable.length > 0) {
    const of = own.troubles.length > 0 && seller !== null ? seller.of : carrier.of;
    return { kind: 'unusable', of, troubles: unreadable, places: NO_PLACES };
  }
  const places = placesOf({ given, own: own.values, common: without(common.values, namesHiddenBy(own.values, inIms)) });
  const all = { ...common.values, ...own.values, ...given };
  const used = Object.fromEntries(Object.entries(all).filter(([name]) => places.has(name)));
  const { config, problems } = readAccountSettings(adapter, used, { where: inIms.key, rest: 'required' });
  if (problems.length === 0) return { kind: 'found', config, customer: customerOf(config, adapter), places };
  const troubles = problems.map(({ where, rule }) => ({ path: where, rule: isMissing(where) ? 'missing' : rule }));
  return { kind: 'unusable', of: (seller ?? carrier).of, troubles, places };

  function isMissing(where: string): boolean {
    return !places.has(where.slice(`${inIms?.key}.`.length));
  }
}

interface Read {
  readonly values: Values;
  readonly troubles: readonly SettingTrouble[];
}

const NOTHING: Read = { values: {}, troubles: [] };

/** Only settings that the carrier knows; `null` and empty texts count as absent, since a form saves fields that were left empty. */
function valuesIn({ dataDocument, notShown }: SettingsDocument, adapter: CarrierAdapter, inIms: SettingsInIms): Read {
  const { key, olderNames = {} } = inIms;
  if (notShown) return { values: {}, troubles: [notShown] };
  const found = applicationData(dataDocument, key);
  if (found.kind === 'unusable') {
    const rule = found.trouble === 'unreadable' ? 'is not a JSON object' : 'must be an object of settings';
    return { values: {}, troubles: [{ path: found.path, rule }] };
  }
  if (found.kind === 'none') return NOTHING;
  const { data } = found;
  const entries = settingNames(adapter).flatMap((name) => {
    const value = said(data, name) ?? said(data, olderNames[name] ?? name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { values: Object.fromEntries(entries), troubles: [] };
}

function said(data: Values, name: string): unknown {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

function hasAny(values: Values, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(values, name));
}

/** A contact belongs to one customer of the carrier and is not used with another. */
function namesHiddenBy(own: Values, { within }: SettingsInIms): readonly string[] {
  const first = within.findIndex((name) => Object.hasOwn(own, name));
  return first === -1 ? [] : within.slice(first);
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function placesOf(of: { readonly given: Values; readonly own: Values; readonly common: Values }): SettingPlaces {
  return new Map([
    ...Object.keys(of.common).map((name) => [name, 'carrier'] as const),
    ...Object.keys(of.own).map((name) => [name, 'seller'] as const),
    ...Object.keys(of.given).map((name) => [name, 'configuration'] as const),
  ]);
}

/**
 * @param config of an account, with the settings that were read in the IMS
 * @returns a hash that stays the same as long as the account belongs to the same customer of the carrier; `null`: no
 *   settings identify the customer
 */
export function customerOf(config: object, { id, customer, settingsInIms: inIms }: CarrierAdapter): string | null {
  if (customer === undefined) return null;
  const key = inIms?.key ?? id;
  const values = customer.map((name) => (config as Values)[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([key, values]))
    .digest('hex')
    .slice(0, CUSTOMER_CHARACTERS);
}
