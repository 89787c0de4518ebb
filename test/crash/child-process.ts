import { type ChildProcess, spawn } from 'node:child_process';
import { type Death, HELD_STILL, type Orders, type Question, type Report, type Rows } from './child/protocol.js';

const LISTENS_WITHIN_MS = 180_000;
const ANSWERS_WITHIN_MS = 120_000;

export interface Plan {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly orders: Orders;
  /** What stands before the command, such as a program that watches it; it has to become the service, or run it as its child. */
  readonly before?: readonly string[];
}

/** The watched service in a process of its own. */
export class WatchedService {
  /** Resolves when the process is gone, whatever ended it. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  private readonly child: ChildProcess;
  /** Resolves when the process was stopped in the moment that was ordered; it may be stopped before it can say that it listens. */
  private readonly heldStill: Promise<void>;
  private written = '';
  private reports: ((report: Report) => void)[] = [];
  private alive = true;

  constructor({ program, environment, orders, before = [] }: Plan) {
    const [command = '', ...rest] = [...before, process.execPath, '--liftoff-only', program, JSON.stringify(orders)];
    this.child = spawn(command, rest, {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.heldStill = new Promise((stopped) => {
      for (const stream of [this.child.stdout, this.child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          this.written += chunk.toString();
          if (this.written.includes(HELD_STILL)) stopped();
        });
    });
    this.child.on('message', (report: Report) => this.reports.forEach((listen) => listen(report)));
    this.gone = new Promise((done) =>
      this.child.once('exit', (code, signal) => {
        this.alive = false;
        done({ code, signal });
      }),
    );
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.alive;
  }

  /** Everything it has written so far. */
  get output(): string {
    return this.written;
  }

  /** @returns whether it listens; `false`: it is gone, or was stopped before it could say so */
  async listening(): Promise<boolean> {
    const heard = this.next('listening', LISTENS_WITHIN_MS).then(() => true);
    const neverWill = Promise.race([this.gone, this.heldStill]).then(() => false);
    // Nobody waits for the report any more once the process is known to be stopped.
    heard.catch(() => undefined);
    return Promise.race([heard, neverWill]);
  }

  async rows(): Promise<Rows | null> {
    const report = await this.ask({ ask: 'rows' });
    return report?.tell === 'rows' ? report.rows : null;
  }

  async moments(): Promise<ReadonlyMap<string, number>> {
    const report = await this.ask({ ask: 'moments' });
    return new Map(report?.tell === 'moments' ? report.moments : []);
  }

  async setClock(aheadMs: number): Promise<void> {
    await this.ask({ ask: 'clock', aheadMs });
  }

  /** Its passes count from now on. */
  async dieAt(death: Death): Promise<void> {
    await this.ask({ ask: 'death', death });
  }

  signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.alive) this.signal(signal);
    return (await this.gone).code;
  }

  /** `null`: it died before it could answer. */
  private async ask(question: Question): Promise<Report | null> {
    if (!this.alive || !this.child.connected) return null;
    const answer = this.next(question.ask, ANSWERS_WITHIN_MS);
    this.child.send(question, () => undefined);
    return Promise.race([answer, this.gone.then(() => null)]);
  }

  private next(tell: Report['tell'], withinMs: number): Promise<Report> {
    return new Promise((done, fail) => {
      const forget = () => {
        clearTimeout(timer);
        this.reports = this.reports.filter((other) => other !== listen);
      };
      const listen = (report: Report) => {
        if (report.tell !== tell) return;
        forget();
        done(report);
      };
      const timer = setTimeout(() => {
        forget();
        fail(new Error(`the service says nothing of "${tell}":\n${this.written.slice(-4_000)}`));
      }, withinMs);
      this.reports.push(listen);
      void this.gone.then(forget);
    });
  }
}
