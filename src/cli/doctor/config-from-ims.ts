import { stringify } from 'yaml';
import type { CarrierAdapter } from '../../../carriers/contract/adapter.js';
import type { ImsCarrier, ImsContext, ImsSeller } from '../../ims/resources.js';
import { applicationData } from '../../routing/facts/data-document.js';
import { type JsonObject, isJsonObject } from '../../../carriers/contract/json.js';
import { sameName } from '../../routing/language/rule.js';

/** What `waybridge.yaml` replaces by a variable of the environment. */
const REFERENCE = /\$\{[A-Za-z_]\w*\}/;

/** An area as it is set up in the IMS. */
export interface AreaAsItIs {
  readonly contextId: string;
  readonly context: ImsContext;
  readonly carriers: readonly ImsCarrier[];
  readonly sellers: readonly ImsSeller[];
}

export interface WrittenAccount {
  readonly carrier: string;
  readonly imsCarrierName: string;
  readonly config: JsonObject;
}

export interface WrittenRule {
  readonly name: string;
  readonly when: JsonObject;
  readonly use: { readonly account: string; readonly service?: string; readonly options?: JsonObject };
}

/** What `waybridge.yaml` says, and what a person has to look at. Holds no value of a setting. */
export interface Written {
  readonly areas: readonly JsonObject[];
  readonly accounts: Readonly<Record<string, WrittenAccount>>;
  readonly rules: readonly WrittenRule[];
  readonly notes: readonly string[];
}

/** Writes down how areas are set up today; pure. */
export function configFromIms(areas: readonly AreaAsItIs[], adapters: readonly CarrierAdapter[]): Written {
  const known = adapters.filter(({ settingsInIms }) => settingsInIms !== undefined);
  const places = areas.flatMap((area) => area.carriers.flatMap((carrier) => accountAt(area, carrier, known)));
  const accounts = new Map<string, WrittenAccount>();
  for (const { adapter, imsCarrierName } of places) {
    const config = { from: 'ims', ...adapter.settingsInIms?.asTheApp };
    accounts.set(nameOf(imsCarrierName), { carrier: adapter.id, imsCarrierName, config });
  }
  const several = areas.length > 1;
  const found = places.map((place) => withoutReferences(instructionRules(place, several)));
  const words = [...accounts].flatMap(([name, account]) => wordRules(name, account, adapters));
  return {
    areas: areas.map(areaSection),
    accounts: Object.fromEntries(accounts),
    rules: [...found.flatMap(({ rules }) => rules), ...words],
    notes: [...areas.flatMap((area) => carriersLeftOut(area, places)), ...found.flatMap(({ notes }) => notes)],
  };
}

/** The text of the file; notes stand above it as comments. */
export function configText({ areas, accounts, rules, notes }: Written): string {
  const comments = [
    'Written by `waybridge doctor --from-ims`: the areas as they are set up in the IMS today. Settings stay there.',
    'How to move from the apps that book now, without booking twice: docs/moving.md',
    ...(notes.length > 0 ? ['', 'To check:', ...notes.map((note) => `- ${note}`)] : []),
  ];
  const body = stringify({ areas, accounts, ...(rules.length > 0 && { rules }), printing: { mode: 'resource' } });
  return `${comments.map((line) => `# ${line}`.trimEnd()).join('\n')}\n\n${body}`;
}

interface Place {
  readonly area: AreaAsItIs;
  readonly adapter: CarrierAdapter;
  readonly imsCarrierName: string;
  readonly carrier: ImsCarrier;
}

/** Finds the adapter by the settings that are kept for it; where only sellers have them, by its name. */
function accountAt(area: AreaAsItIs, carrier: ImsCarrier, known: readonly CarrierAdapter[]): readonly Place[] {
  const { carrierName, dataDocument } = carrier;
  if (carrierName === null) return [];
  const own = known.find((adapter) => has(adapter, dataDocument));
  const named = known.find((adapter) => sameName(adapter.name, carrierName));
  const bySellers = named && area.sellers.some((seller) => has(named, seller.dataDocument)) ? named : undefined;
  const adapter = REFERENCE.test(carrierName) ? undefined : (own ?? bySellers);
  return adapter ? [{ area, adapter, imsCarrierName: carrierName, carrier }] : [];
}

function has({ settingsInIms }: CarrierAdapter, dataDocument: string | null): boolean {
  return settingsInIms !== undefined && applicationData(dataDocument, settingsInIms.key).kind !== 'none';
}

function carriersLeftOut({ contextId, carriers }: AreaAsItIs, places: readonly Place[]): readonly string[] {
  const left = carriers.filter((carrier) => !places.some((place) => place.carrier === carrier));
  return left.map(
    ({ carrierName, id }) =>
      `carrier ${onOneLine(carrierName ?? id)} of area ${contextId} has no settings in the IMS that we know: no account`,
  );
}

function areaSection({ contextId, context }: AreaAsItIs): JsonObject {
  const language = context.address?.countryCode === 'DK' ? 'da' : 'en';
  return { contextId, apiKey: `\${IMS_API_KEY_${contextId}}`, language };
}

function nameOf(imsCarrierName: string): string {
  const name = imsCarrierName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return name === '' ? 'carrier' : name;
}

interface Found {
  readonly rules: readonly WrittenRule[];
  readonly notes: readonly string[];
}

/** The seller's list is asked before the carrier's; within a list the first that fits counts, as with rules. */
function instructionRules({ area, adapter, imsCarrierName, carrier }: Place, several: boolean): Found {
  const where = { ...(several && { contextId: Number(area.contextId) }), carrierName: imsCarrierName };
  const general = several ? `${imsCarrierName} in area ${area.contextId}` : imsCarrierName;
  const lists = [
    ...area.sellers.map(({ id, sellerNumber, dataDocument }) => ({
      ...{ dataDocument, when: { ...where, sellerId: Number(id) } },
      title: `${general}, seller ${onOneLine(sellerNumber ?? id)}`,
    })),
    { dataDocument: carrier.dataDocument, when: where, title: general },
  ];
  const found = lists.flatMap(({ dataDocument, when, title }) =>
    instructionsIn(adapter, dataDocument).map((instruction, index) =>
      ruleOf(adapter, instruction, {
        name: `${title}: instruction ${index + 1}`,
        when,
        account: nameOf(imsCarrierName),
      }),
    ),
  );
  return {
    rules: found.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    notes: found.flatMap((one) => (typeof one === 'string' ? [one] : [])),
  };
}

/** What comes from the IMS must not become a secret of this machine, and the notation has no way to write it as plain text. */
function withoutReferences({ rules, notes }: Found): Found {
  const [named, plain] = [rules.filter(hasReference), rules.filter((rule) => !hasReference(rule))];
  const left = named.map(({ name }) => `${name} holds \${…}, which names a variable in this file: left out`);
  return { rules: plain, notes: [...notes, ...left] };
}

function hasReference(rule: WrittenRule): boolean {
  return REFERENCE.test(JSON.stringify(rule));
}

function instructionsIn({ settingsInIms }: CarrierAdapter, dataDocument: string | null): readonly unknown[] {
  if (!settingsInIms?.instruction) return [];
  const found = applicationData(dataDocument, settingsInIms.key);
  const list = found.kind === 'found' ? found.data['instructions'] : null;
  return Array.isArray(list) ? list : [];
}

interface About {
  readonly name: string;
  readonly when: JsonObject;
  readonly account: string;
}

/** @returns a note where it cannot be said as a rule */
function ruleOf(adapter: CarrierAdapter, instruction: unknown, { name, when, account }: About): WrittenRule | string {
  if (!isJsonObject(instruction)) return `${name} is not an object: left out`;
  const product = adapter.settingsInIms?.instruction?.(instruction) ?? null;
  if (product === null || product.service === null) return `${name} names no product: left out`;
  const pattern = conditions(instruction['shipmentPattern'] ?? {}, '');
  if (pattern === null) return `${name} has a pattern that cannot be a rule: write one by hand`;
  const options = Object.keys(product.options).length > 0 ? { options: product.options } : {};
  return { name, when: { ...when, ...pattern }, use: { account, service: product.service, ...options } };
}

/** A list is one of several values; an object asks the fields of the object of that name. */
function conditions(pattern: unknown, path: string): JsonObject | null {
  if (!isJsonObject(pattern)) return null;
  const all: Record<string, unknown> = {};
  for (const [name, wanted] of Object.entries(pattern)) {
    const field = path === '' ? name : `${path}.${name}`;
    if (!isJsonObject(wanted)) {
      all[field] = Array.isArray(wanted) ? { $in: wanted } : wanted;
      continue;
    }
    const inside = conditions(wanted, field);
    if (inside === null) return null;
    Object.assign(all, inside);
  }
  return all;
}

/** One for each set of words, the larger sets first: of rules the first that matches counts, of words each. */
function wordRules(
  account: string,
  { carrier, imsCarrierName }: WrittenAccount,
  adapters: readonly CarrierAdapter[],
): readonly WrittenRule[] {
  const words = adapters.find(({ id }) => id === carrier)?.settingsInIms?.words;
  if (!words) return [];
  const sets = subsets(words.list).toSorted((one, other) => other.length - one.length);
  return sets.map((set) => ({
    name: `${imsCarrierName}: ${set.map(({ word }) => word).join(' ')}`,
    when: { carrierName: imsCarrierName, ...contains(set.map(({ word }) => word)) },
    use: { account, options: words.options(set.map(({ service }) => service)) },
  }));
}

/** All but the empty one; there are few words. */
function subsets<T>([first, ...others]: readonly T[]): readonly (readonly T[])[] {
  if (first === undefined) return [];
  const without = subsets(others);
  return [[first], ...without.map((set) => [first, ...set]), ...without];
}

function contains(words: readonly string[]): JsonObject {
  const [only, ...others] = words.map((word) => ({ termsOfDelivery: { $regex: word } }));
  return others.length === 0 ? { ...only } : { $and: [only, ...others] };
}

/** Names come from the IMS, and stand in comments. */
function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ');
}
