import { plainToInstance } from 'class-transformer';
import type {
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  HttpPort,
  StartSimulator,
  Tools,
} from '../contract/index.js';
import { type CarrierServer, type Fault, type SeenRequest, startCarrierServer } from './carrier-server.js';
import { portFor } from './faults.js';

/** The moment at which the cases take place. */
export const TEST_NOW = new Date('2030-03-04T08:00:00Z');

/** One thing that every carrier must do. */
export interface ContractCase {
  /** A sentence: what is tried, and what must come of it. */
  readonly name: string;
  /** @throws AssertionError saying what happened instead */
  run(): Promise<void>;
}

/** What the cases need to know of a carrier besides its adapter. What is not given is taken from `adapter.sample`. */
export interface ContractOptions {
  readonly simulator: StartSimulator;
  /** The account's `config` as it stands in the configuration file. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys of `config` without which it is not accepted. */
  readonly requiredKeys?: readonly string[];
  /** Values of `config` that must appear in no error. */
  readonly secrets?: readonly string[];
  /** Changes to `config` with which the carrier does not let us in. */
  readonly wrongConfig?: Readonly<Record<string, unknown>>;
  /** Requests that the carrier books, the ordinary one first; the names continue "books ...". */
  readonly variants?: readonly (readonly [string, BookingRequest])[];
  /** A request that the carrier refuses; when not given, one to a recipient without an address. */
  readonly refused?: BookingRequest;
  /** Whether the carrier's answer names our id of each parcel; `id` when not given. */
  readonly parcelsMatchedBy?: 'id' | 'position';
  /** Which requests change something; by default all but GET. Requests for a token (`…/token`) are never among them. */
  readonly changes?: (request: SeenRequest) => boolean;
  /**
   * The texts of the parties in a request that arrived, by the names that `losses` has for their fields; those of an
   * address beside each other in the order in which one reads them. Not given: it is not checked that texts arrive.
   */
  readonly received?: (seen: SeenRequest) => Readonly<Record<string, string | null>>;
  /** More answers to a booking, and whether they prove that nothing was booked must agree with the traits. */
  readonly moreAnswers?: readonly (readonly [string, number, string])[];
}

/** A carrier under test, with everything that the cases use filled in. */
export interface Suite extends Required<Omit<ContractOptions, 'received' | 'requiredKeys' | 'wrongConfig'>> {
  readonly adapter: CarrierAdapter;
  readonly http: HttpPort;
  readonly requiredKeys: readonly string[];
  readonly received: NonNullable<ContractOptions['received']> | null;
  readonly ordinary: BookingRequest;
  readonly settings: object;
  /** Settings with which the carrier does not let us in. */
  readonly wrongSettings: object;
  /** An account that sends nothing, to see which methods it has. */
  readonly able: CarrierAccount;
}

/** One run of a case: the carrier's simulator behind real HTTP, and our account at it. */
export interface Stage {
  readonly server: CarrierServer;
  connect(http?: HttpPort, settings?: object): CarrierAccount;
  /** From now on every request meets the fault. @returns an account that does not wait long for an answer that never comes */
  failing(fault: Fault): CarrierAccount;
  /** Lets pass the time after which a booking is found by its reference. */
  untilVisible(): void;
}

export function suiteOf(adapter: CarrierAdapter, http: HttpPort, given: ContractOptions): Suite {
  const options = { ...bySample(adapter), ...given };
  const { config, secrets, variants, simulator, changes, parcelsMatchedBy } = options;
  const [, ordinary] = variants[0] ?? ['', adapter.sample.request];
  const settings = settingsOf(adapter, config);
  return {
    ...{ adapter, http, simulator, config, secrets, variants, ordinary, settings, changes, parcelsMatchedBy },
    ...{ requiredKeys: options.requiredKeys, received: options.received, moreAnswers: options.moreAnswers },
    wrongSettings: settingsOf(adapter, { ...config, ...(given.wrongConfig ?? withOther(config, secrets)) }),
    refused: given.refused ?? toNowhere(ordinary),
    able: adapter.connect(settings, { ...toolsAt(http, TEST_NOW), baseUrl: adapter.baseUrl.replace(/\/$/, '') }),
  };
}

/** What the cases do where nothing else is given. */
function bySample(adapter: CarrierAdapter) {
  const { sample, baseUrl } = adapter;
  return {
    config: withSecrets(sample.config(baseUrl), sample.secrets),
    secrets: Object.values(sample.secrets),
    variants: sampleVariants(adapter),
    requiredKeys: [],
    parcelsMatchedBy: 'id' as const,
    changes: ({ method }: SeenRequest) => method !== 'GET',
    received: null,
    moreAnswers: [],
  };
}

/** A case that has a simulator of its own for as long as it runs. */
export function staged(suite: Suite, name: string, play: (stage: Stage) => Promise<void>): ContractCase {
  return {
    name,
    run: async () => {
      const { adapter, http, settings } = suite;
      let now = TEST_NOW;
      const clock = { now: () => now };
      const server = await startCarrierServer(adapter.id, suite.simulator, clock.now);
      const connect: Stage['connect'] = (port = http, given = settings) =>
        adapter.connect(given, { http: port, clock, baseUrl: server.baseUrl });
      try {
        await play({
          server,
          connect,
          failing: (fault) => {
            server.failWith(fault);
            return connect(portFor(http, fault));
          },
          untilVisible: () => {
            now = new Date(now.getTime() + adapter.traits.bookingVisibleAfterMs);
          },
        });
      } finally {
        await server.close();
      }
    },
  };
}

/** A case that needs no carrier. */
export function plain(name: string, check: () => void | Promise<void>): ContractCase {
  return { name, run: async () => check() };
}

export function toolsAt(http: HttpPort, now: Date): Omit<Tools, 'baseUrl'> {
  return { http, clock: { now: () => now } };
}

export function settingsOf(adapter: CarrierAdapter, config: Readonly<Record<string, unknown>>): object {
  return plainToInstance(adapter.Config, config);
}

/** `${NAME}` in any text of the settings becomes the secret of that name. */
export function withSecrets(
  config: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(config);
  return JSON.parse(
    text.replace(/\$\{(\w+)\}/g, (_all, name: string) => JSON.stringify(secrets[name] ?? '').slice(1, -1)),
  );
}

function withOther(config: Readonly<Record<string, unknown>>, secrets: readonly string[]) {
  const wrong = Object.entries(config).filter(([, value]) => secrets.includes(value as string));
  return Object.fromEntries(wrong.map(([key, value]) => [key, `not-${String(value)}`]));
}

function sampleVariants({ sample, traits }: CarrierAdapter): readonly (readonly [string, BookingRequest])[] {
  const { request } = sample;
  const [first] = request.parcels;
  if (first === undefined || traits.maxParcels < 2) return [['the sample', request]];
  const second = { ...first, id: `${first.id}2`, label: `${first.label} (2)`, weightGrams: first.weightGrams + 700 };
  return [
    ['two parcels', { ...request, parcels: [first, second] }],
    ['the sample', request],
  ];
}

function toNowhere(request: BookingRequest): BookingRequest {
  const { contact } = request.recipient;
  const nowhere = Object.fromEntries(Object.keys(request.recipient.address).map((key) => [key, null]));
  return { ...request, recipient: { contact, address: nowhere as never } };
}
