import { plainToInstance } from 'class-transformer';
import type {
  BookingRequest,
  CarrierAccount,
  CarrierAdapter,
  GivenTools,
  HttpPort,
  NumberPort,
  OperatorFiles,
  StartSimulator,
} from '../contract/index.js';
import {
  type CarrierServer,
  type Fault,
  type SeenRequest,
  CLOSED_ADDRESS,
  startCarrierServer,
} from './carrier-server.js';
import { portFor } from './faults.js';
import { drawnHere } from './drawn-here.js';
import { numbersInMemory } from './numbers-in-memory.js';

/** The moment at which the cases take place. */
export const TEST_NOW = new Date('2030-03-04T08:00:00Z');

/** One thing that every carrier must do. */
export interface ContractCase {
  /** A sentence: what is tried, and what must come of it. */
  readonly name: string;
  /** @throws AssertionError saying what happened instead */
  run(): Promise<void>;
}

type Settings = Readonly<Record<string, unknown>>;
type Config = Settings | ((simulatorUrl: string) => Settings);

/** What the cases need to know of a carrier besides its adapter. What is not given is taken from `adapter.sample`. */
export interface ContractOptions {
  readonly simulator: StartSimulator;
  /** The account's `config` as it stands in the configuration file; a function where it names the simulator's address. */
  readonly config?: Config;
  /** Keys of `config` without which it is not accepted. */
  readonly requiredKeys?: readonly string[];
  /** Values of `config` that must appear in no error. */
  readonly secrets?: readonly string[];
  /** Changes to `config` with which the carrier does not let us in. */
  readonly wrongConfig?: Config;
  /** Requests that the carrier books, the ordinary one first; the names continue "books ...". */
  readonly variants?: readonly (readonly [string, BookingRequest])[];
  /** A request that the carrier refuses; when not given, one to a recipient without an address. */
  readonly refused?: BookingRequest;
  /** Whether the carrier's answer names our id of each parcel; `id` when not given. */
  readonly parcelsMatchedBy?: 'id' | 'position';
  /**
   * Which requests change something; by default all but GET. Asked when the head of a request has arrived, its body has not.
   * Requests for a token (`…/token`) are never among them.
   */
  readonly changes?: (request: SeenRequest) => boolean;
  /**
   * The texts of the parties in a request that arrived, by the names that `textChanges` has for their fields; those of an
   * address beside each other in the order in which one reads them. Not given: it is not checked that texts arrive.
   */
  readonly received?: (seen: SeenRequest) => Readonly<Record<string, string | null>>;
  /** For an adapter that reads files of the operator. */
  readonly files?: OperatorFiles;
  /** More answers to a booking, and whether they prove that nothing was booked must agree with the traits. */
  readonly moreAnswers?: readonly (readonly [string, number, string])[];
}

/** The options that a plug-in may give beside its adapter, under `cases`. */
export const CASE_OPTIONS = [
  ...(['config', 'requiredKeys', 'secrets', 'wrongConfig', 'variants', 'refused'] as const),
  ...(['parcelsMatchedBy', 'changes', 'received', 'files', 'moreAnswers'] as const),
] satisfies readonly (keyof ContractOptions)[];

/** A carrier under test, with everything that the cases use filled in. */
export interface Suite extends Required<
  Omit<ContractOptions, 'received' | 'requiredKeys' | 'wrongConfig' | 'config' | 'files'>
> {
  readonly adapter: CarrierAdapter;
  readonly http: HttpPort;
  readonly requiredKeys: readonly string[];
  readonly received: NonNullable<ContractOptions['received']> | null;
  readonly ordinary: BookingRequest;
  configAt(simulatorUrl: string): Settings;
  settingsAt(simulatorUrl: string): object;
  /** Settings with which the carrier does not let us in. */
  wrongSettingsAt(simulatorUrl: string): object;
  readonly files: Pick<GivenTools, 'files'>;
  /** An account that sends nothing, to see which methods it has. */
  readonly able: CarrierAccount;
}

/** One run of a case: the carrier's simulator behind real HTTP, and our account at it. */
export interface Stage {
  readonly server: CarrierServer;
  /** @param numbers otherwise those that all accounts of the case share */
  connect(http?: HttpPort, numbers?: NumberPort): CarrierAccount;
  /** @returns an account that the carrier does not let in */
  stranger(): CarrierAccount;
  /** From now on every request meets the fault. @returns an account that does not wait long for an answer that never comes */
  failing(fault: Fault): CarrierAccount;
  /** As `failing`, for requests that change something: what the adapter reads before it books is answered. */
  failingToChange(fault: Fault): CarrierAccount;
  /** As `failing`, for what is read before the first request that changes something has arrived, or after it. */
  failingToRead(fault: Fault, when: 'before' | 'after'): CarrierAccount;
  /** Moves the clock of the account and of the simulator on. */
  after(milliseconds: number): void;
  /** Lets pass the time after which a booking is found by its reference. */
  untilVisible(): void;
}

export function suiteOf(adapter: CarrierAdapter, http: HttpPort, given: ContractOptions): Suite {
  const options = { ...bySample(adapter), ...given };
  const { secrets, variants, simulator, changes, parcelsMatchedBy } = options;
  const [, ordinary] = variants[0] ?? ['', adapter.sample.request];
  const configAt = (url: string) => at(options.config, url);
  const settingsAt = (url: string) => settingsOf(adapter, configAt(url));
  const wrongConfigAt = (url: string) => at(given.wrongConfig ?? withOther(configAt(url), secrets), url);
  const baseUrl = adapter.baseUrl.replace(/\/$/, '');
  const files = given.files === undefined ? {} : { files: given.files };
  return {
    ...{ adapter, http, simulator, configAt, settingsAt, secrets, variants, ordinary, changes, parcelsMatchedBy },
    ...{ requiredKeys: options.requiredKeys, received: options.received, moreAnswers: options.moreAnswers },
    wrongSettingsAt: (url) => settingsOf(adapter, { ...configAt(url), ...wrongConfigAt(url) }),
    refused: given.refused ?? toNowhere(ordinary),
    files,
    able: adapter.connect(settingsAt(baseUrl), { ...toolsAt(http, TEST_NOW), ...files, baseUrl }),
  };
}

function at(config: Config, simulatorUrl: string): Settings {
  return typeof config === 'function' ? config(simulatorUrl) : config;
}

/** What the cases do where nothing else is given. */
function bySample(adapter: CarrierAdapter) {
  const { sample } = adapter;
  return {
    config: (simulatorUrl: string) => withSecrets(sample.config(simulatorUrl), sample.secrets),
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
      const { adapter, http, settingsAt, wrongSettingsAt } = suite;
      let now = TEST_NOW;
      const clock = { now: () => now };
      const server = await startCarrierServer(adapter.id, suite.simulator, clock.now);
      const { baseUrl } = server;
      const shared = numbersInMemory();
      const connect: Stage['connect'] = (port = http, numbers = shared) =>
        adapter.connect(settingsAt(baseUrl), {
          ...suite.files,
          labels: drawnHere,
          http: port,
          clock,
          baseUrl,
          numbers,
        });
      const after = (milliseconds: number) => {
        now = new Date(now.getTime() + milliseconds);
      };
      try {
        await play({
          server,
          connect,
          stranger: () => adapter.connect(wrongSettingsAt(baseUrl), { ...suite.files, http, clock, baseUrl }),
          failing: (fault) => {
            server.failWith(fault);
            return connect(portFor(http, fault));
          },
          failingToChange: (fault) => {
            server.failWith(fault, suite.changes);
            return connect(portFor(http, fault));
          },
          failingToRead: (fault, when) => {
            const isAfter = () => server.asked().slice(0, -1).some(suite.changes);
            server.failWith(fault, (request) => !suite.changes(request) && isAfter() === (when === 'after'));
            return connect(portFor(http, fault));
          },
          after,
          untilVisible: () => after(adapter.traits.bookingVisibleAfterMs),
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

/** @returns an account whose carrier is not there */
export function nowhere({ adapter, http, settingsAt, files }: Suite): CarrierAccount {
  const baseUrl = CLOSED_ADDRESS;
  return adapter.connect(settingsAt(baseUrl), { ...toolsAt(http, TEST_NOW), ...files, baseUrl });
}

function toolsAt(http: HttpPort, now: Date): Omit<GivenTools, 'baseUrl'> {
  return { http, clock: { now: () => now } };
}

export function settingsOf(adapter: CarrierAdapter, config: Settings): object {
  return plainToInstance(adapter.Config, config);
}

/** `${NAME}` in any text of the settings becomes the secret of that name. */
export function withSecrets(config: Settings, secrets: Readonly<Record<string, string>>): Settings {
  const text = JSON.stringify(config);
  return JSON.parse(
    text.replace(/\$\{(\w+)\}/g, (_all, name: string) => JSON.stringify(secrets[name] ?? '').slice(1, -1)),
  );
}

function withOther(config: Settings, secrets: readonly string[]) {
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
