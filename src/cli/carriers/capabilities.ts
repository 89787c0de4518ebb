import type { CarrierAccount, CarrierAdapter, HttpPort } from '../../../carriers/contract/index.js';
import { NoAnswer } from '../../../carriers/contract/index.js';
import { operatorFiles } from '../../program-files.js';

/** Something that an adapter may offer: a method of an account, or the adapter's `parseCallback`. */
export type CapabilityName = Exclude<keyof CarrierAccount, 'sender'> | 'parseCallback';

export interface Capability {
  readonly offered: boolean;
  /** The setting of an account without which it is not offered; `null`: none. */
  readonly needsSetting: string | null;
}

/** The titles, in the order of the report. A new method of the contract does not compile without a line here. */
export const CAPABILITIES: Readonly<Record<CapabilityName, string>> = {
  book: 'books shipments',
  findByReference: 'finds a booking by reference',
  fetchLabels: 'gives labels',
  cancel: 'cancels a booking',
  returnLabel: 'makes return labels',
  quote: 'tells price and delivery time',
  track: 'tracking when it is asked',
  trackChanges: 'tracking by a feed of changes',
  parseCallback: 'tracking by callbacks',
  pickupPoints: 'finds pick-up points',
  closeOut: 'closes out at the handover',
  probe: 'tells whether it works',
  check: 'problems told before booking',
  textChanges: 'cut texts told before booking',
};

export const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as readonly CapabilityName[];

/** From the methods that the adapter's account has with the settings of its sample; sends nothing. */
export function capabilitiesOf(adapter: CarrierAdapter): Readonly<Record<CapabilityName, Capability>> {
  const settings = adapter.sample.config(adapter.baseUrl);
  const account = sampleAccount(adapter, settings);
  const without = Object.keys(settings).map((left) => {
    const others = Object.fromEntries(Object.entries(settings).filter(([key]) => key !== left));
    return { left, account: accountOrNull(adapter, others) };
  });
  const capability = (name: CapabilityName): Capability => {
    if (name === 'parseCallback') return { offered: adapter.parseCallback !== undefined, needsSetting: null };
    if (account[name] === undefined) return { offered: false, needsSetting: null };
    const needed = without.find((each) => each.account !== null && each.account[name] === undefined);
    return { offered: true, needsSetting: needed?.left ?? null };
  };
  const found = CAPABILITY_NAMES.map((name) => [name, capability(name)]);
  return Object.fromEntries(found) as Record<CapabilityName, Capability>;
}

/** An account with the credentials that the carrier's simulator accepts. */
export function sampleAccount(
  adapter: CarrierAdapter,
  settings = adapter.sample.config(adapter.baseUrl),
): CarrierAccount {
  const config = Object.assign(new adapter.Config(), settings);
  const clock = { now: () => new Date() };
  return adapter.connect(config, { http: NOWHERE, clock, baseUrl: adapter.baseUrl, files: operatorFiles });
}

/** @returns `null`: an account needs the setting that was left out */
function accountOrNull(adapter: CarrierAdapter, settings: Readonly<Record<string, unknown>>): CarrierAccount | null {
  try {
    return sampleAccount(adapter, settings);
  } catch {
    return null;
  }
}

const away = () => Promise.reject(new NoAnswer('nothing is sent to look at a carrier', 'never'));

const NOWHERE: HttpPort = { send: away, fetchLink: away };
