import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carriers } from '../../carriers/index.js';
import { freePort } from '../../src/cli/sandbox/child-service.js';
import { eventTarget, sandboxConfig, sandboxEnvironment } from '../../src/cli/sandbox/sandbox-config.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.js';
import type { Orders, Rows } from './child/protocol.js';
import { WatchedService } from './child-process.js';
import type { FreshDatabase } from './databases.js';
import { pagesOf } from './label-pages.js';
import { watchStalls } from './stalls.js';
import { type CarrierBooking, TWICE, type FinalState } from './crash-stage.js';

const POLL_MS = 60;
/** What is due within this time is waited for; for all that is later the clock is put forward. */
const SOON_MS = 1_000;
const FAR_ENOUGH_MS = 50;

const OBEDIENT: Orders = { death: null, sabotage: [], clockAheadMs: 0 };

export interface StageOptions {
  readonly program: string;
  readonly database: FreshDatabase;
  /** So many instances may run at once. */
  readonly instances?: number;
  /** Changes `waybridge.yaml`. */
  readonly config?: (text: string) => string;
  /** What stands before the command of the service. */
  readonly before?: readonly string[];
}

/** A sandbox, a database, and the service that comes and goes between them. */
export class Stage {
  readonly services: (WatchedService | null)[];
  private readonly ended: WatchedService[] = [];
  private readonly clock: { aheadMs: number };
  private readonly watch: ReturnType<typeof watchStalls>;

  private constructor(
    private readonly parts: {
      readonly sandbox: Sandbox;
      readonly folder: string;
      readonly clock: { aheadMs: number };
      readonly places: readonly { readonly port: number; readonly environment: Readonly<Record<string, string>> }[];
      readonly options: StageOptions;
    },
  ) {
    this.clock = parts.clock;
    this.watch = watchStalls(() => Date.now() + parts.clock.aheadMs);
    this.services = parts.places.map(() => null);
  }

  static async open(options: StageOptions): Promise<Stage> {
    const clock = { aheadMs: 0 };
    const sandbox = await startSandbox({ port: 0, carriers, now: () => new Date(Date.now() + clock.aheadMs) });
    sandbox.control.setSwitches({ eventRetryFirstMs: 40, eventRetryLongestMs: 200, eventTries: 10_000 });
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-stage-'));
    const configFile = join(folder, 'waybridge.yaml');
    const config = withPrinting(sandboxConfig(sandbox));
    await writeFile(configFile, options.config?.(config) ?? config);
    const places = [];
    for (let n = 0; n < (options.instances ?? 1); n += 1) {
      const port = await freePort();
      const environment = {
        ...sandboxEnvironment(sandbox, { port, configFile, dataDir: join(folder, 'data') }),
        LOG_LEVEL: 'debug',
        ...options.database.environment,
      };
      places.push({ port, environment });
    }
    const stage = new Stage({ sandbox, folder, clock, places, options });
    stage.listenAt(0);
    return stage;
  }

  get sandbox(): Sandbox {
    return this.parts.sandbox;
  }

  get service(): WatchedService {
    const [first] = this.services.filter((service) => service?.isAlive);
    if (!first) throw new Error(`no instance is alive:\n${this.output.slice(-6_000)}`);
    return first;
  }

  get liveUrl(): string {
    return this.urlOf(this.services.indexOf(this.service));
  }

  /** Everything that any process has written. */
  get output(): string {
    return [...this.ended, ...this.services.flatMap((service) => service ?? [])].map(({ output }) => output).join('');
  }

  urlOf(instance: number): string {
    return `http://127.0.0.1:${this.parts.places[instance]?.port}`;
  }

  /** The settings that an instance is started with. */
  environmentOf(instance: number): Readonly<Record<string, string>> {
    return this.parts.places[instance]?.environment ?? {};
  }

  /** Events go to this instance from now on. */
  listenAt(instance: number): void {
    this.sandbox.control.setEventTargets([eventTarget(this.urlOf(instance))]);
  }

  /** @returns the process, and whether it has lived to listen */
  async start(
    orders: Partial<Orders> = {},
    instance = 0,
  ): Promise<{ readonly service: WatchedService; readonly listens: boolean }> {
    const environment = this.environmentOf(instance);
    const last = this.services[instance];
    if (last) this.ended.push(last);
    const service = new WatchedService({
      program: this.parts.options.program,
      environment,
      before: this.parts.options.before ?? [],
      orders: { ...OBEDIENT, clockAheadMs: this.clock.aheadMs, ...orders },
    });
    this.services[instance] = service;
    return { service, listens: await service.listening() };
  }

  /**
   * Waits until nothing is left to do; what waits for a later time gets it at once, by all clocks.
   * @param life stops waiting with it
   */
  async settle(withinMs: number, life?: WatchedService): Promise<Rows> {
    const end = Date.now() + withinMs;
    for (;;) {
      const delivered = this.delivered();
      const rows = await this.rows();
      const restless = rows ? this.restless(rows) : ['nobody answers'];
      // An event that arrived while the rows were read is not among them.
      if (rows && restless.length === 0 && delivered === this.delivered()) return rows;
      if (life?.isAlive === false) throw new Error('it is gone');
      if (Date.now() > end) {
        const last = rows ? '' : `; written last:\n${this.output.slice(-6_000)}`;
        throw new Error(`it does not come to rest: ${restless.join('; ')}${last}`);
      }
      await this.passTime(rows);
    }
  }

  private async passTime(rows: Rows | null): Promise<void> {
    const idleMs = rows && this.allDelivered() ? idleFor(rows) : 0;
    if (idleMs > SOON_MS) await this.putForward(idleMs + FAR_ENOUGH_MS);
    else await pause(POLL_MS);
  }

  private restless({ consignments, tasks, nowMs }: Rows): readonly string[] {
    const dueIn = (at: number | null) => (at === null ? '' : `due in ${at - nowMs} ms`);
    return [
      ...(this.allDelivered() ? [] : ['events are on their way']),
      ...consignments.filter((row) => row.dueAt !== null).map((row) => `${row.id} ${row.state} ${dueIn(row.dueAt)}`),
      ...tasks.filter((row) => row.dueAt !== null).map((row) => `task ${row.id} ${dueIn(row.dueAt)}`),
    ];
  }

  /** As the first that lives sees it; what any of them holds counts as held by the living. */
  private async rows(): Promise<Rows | null> {
    const all = await Promise.all(
      this.services.filter((service) => service?.isAlive).map((service) => service?.rows()),
    );
    const [first, ...others] = all.flatMap((rows) => rows ?? []);
    if (!first) return null;
    const held = new Set(
      others.flatMap((rows) => [...rows.consignments, ...rows.tasks].filter((row) => row.own)).map((row) => row.id),
    );
    const withOwn = <Row extends { readonly id: string; readonly own: boolean }>(row: Row): Row => ({
      ...row,
      own: row.own || held.has(row.id),
    });
    return { ...first, consignments: first.consignments.map(withOwn), tasks: first.tasks.map(withOwn) };
  }

  async context(rows: Rows): Promise<FinalState> {
    const { control } = this.sandbox;
    return {
      state: control.state(),
      bookings: this.bookings(),
      requests: control.requests(),
      stalls: this.watch.stalls,
      fileOf: (documentId) => control.attachment(documentId, `SHIPPING_LABEL_${documentId}.pdf`),
      pagesOf,
      rows,
      output: this.output,
    };
  }

  /** What all carriers have on their books. */
  bookings(): readonly CarrierBooking[] {
    return carriers.flatMap(({ adapter }) =>
      (this.sandbox.control.bookings(adapter.id) ?? []).map((booking) => ({ ...booking, carrier: adapter.id })),
    );
  }

  async close(): Promise<void> {
    this.watch.stop();
    for (const service of this.services) await service?.end('SIGKILL');
    await this.sandbox.close();
    await rm(this.parts.folder, { recursive: true, force: true });
    await this.parts.options.database.drop();
  }

  /** By all clocks; a service that starts later has the same. */
  async putForward(ms: number): Promise<void> {
    this.clock.aheadMs += ms;
    await Promise.all(this.services.map((service) => service?.setClock(this.clock.aheadMs)));
  }

  private allDelivered(): boolean {
    return this.deliveries().every((delivery) => delivery.outcome === 'delivered');
  }

  private delivered(): number {
    return this.deliveries().filter((delivery) => delivery.outcome === 'delivered').length;
  }

  private deliveries() {
    return this.sandbox.control.state().events.flatMap((event) => event.deliveries);
  }
}

/** So that the moments of a sheet, and of several copies, are among those of the story. */
function withPrinting(config: string): string {
  const profiles = {
    [TWICE.profile]: { format: 'pdf', copies: TWICE.copies },
    small: { format: 'pdf', widthMm: 100, heightMm: 150 },
  };
  const use = [{ when: { carrier: TWICE.carrier }, profile: TWICE.profile }];
  const printing = JSON.stringify({ mode: 'resource', errorSheet: true, profiles, use });
  return config.replace('printing: { mode: resource }', `printing: ${printing}`);
}

/** For how long nothing will happen; 0 when something is under way or about to be. */
function idleFor({ consignments, tasks, nowMs }: Rows): number {
  const waiting = [...consignments, ...tasks].filter((row) => row.dueAt !== null);
  // Its event came while they were read.
  if (waiting.length === 0) return 0;
  if (waiting.some((row) => row.own && row.leaseUntil !== null)) return 0;
  return Math.min(...waiting.map((row) => Math.max(row.dueAt ?? 0, row.leaseUntil ?? 0))) - nowMs;
}
