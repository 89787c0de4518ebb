import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { LabelDrawing } from '../../carriers/contract/tools.js';
import type { AssembledLabels, LabelToPrint } from './assemble.js';
import type { AssemblyAnswer, AssemblyRequest, Ready } from './assembly-process.js';
import { type Drawer, type LabelTarget, drawersFor } from './conversion/target.js';
import type { CustomsPaper } from '../papers/customs/customs-paper.js';
import type { ErrorSheet } from '../papers/error-sheet.js';
import { programFolder } from '../program-files.js';
import { LabelUnusable } from './label-unusable.js';

/** Most time for one job. A label takes some milliseconds, 500 pages one or two seconds. */
const TIME_LIMIT_MS = 15_000;
/** The heap of the process: ten times what the largest valid labels need. */
const MEMORY_LIMIT_MB = 256;
/** With so small a heap, V8 would choose a small space for new objects and collect garbage all the time. */
const NEW_OBJECTS_MB = 16;
/** The limit of memory for drawing labels, in parts of 64 KB: V8 does not count it as heap. */
const MAX_DRAWING_PARTS = 4_096;
/** After this time a process counts as stuck, and another one gets the waiting labels. */
const STUCK_AFTER_MS = 1_000;
/** How much longer a label may take whose process is still starting, which is not the label's fault. */
const START_WITHIN_MS = 20_000;
const MAX_PROCESSES = 3;
/** A process that ends says nothing of its job: another one gets it. Three that end are perhaps the job's doing. */
const MAX_ATTEMPTS = 3;

const PROGRAM = `${programFolder()}dist/bundle/assembly-process.js`;

/**
 * Assembles labels in a separate process, because a carrier may send any bytes. A thread is not enough: a file can make
 * the PDF library ask for so much memory at once that Node ends the whole process, despite a thread's limit.
 */
export interface Assembler extends LabelDrawing {
  /**
   * As `assembleLabels`, with limits of time and memory. A job whose process ends is done by another one.
   * @throws LabelUnusable also when it needs more time or memory than a valid label
   * @throws Error each of the processes that had it has ended
   */
  assemble(labels: readonly LabelToPrint[], target: LabelTarget | null): Promise<AssembledLabels>;
  /**
   * Draws a sheet there as well, where the library is loaded and the service does not wait for it.
   * @throws Error
   */
  drawErrorSheet(sheet: ErrorSheet): Promise<Uint8Array>;
  /** As `drawErrorSheet`, for customs. */
  drawPaper(paper: CustomsPaper): Promise<Uint8Array>;
  /** Draws a page, from 1, of a PDF that `assemble` has made, as PNG for a screen. @throws Error */
  drawPage(pdf: Uint8Array, page: number): Promise<Uint8Array>;
  /**
   * Starts the process, so that the first labels do not wait for it, nor for the programs that convert them.
   * @param targets what labels are made for; none: they stay as they come
   */
  warm(targets: readonly LabelTarget[]): void;
  /** Drops waiting labels and ends the processes; called when the service stops. */
  close(): void;
}

/** Tests set shorter limits. */
export interface AssemblyLimits {
  readonly timeMs?: number;
  readonly memoryMb?: number;
}

interface Job {
  readonly request: AssemblyRequest;
  /** Processes that had it and have ended. */
  readonly ended: number;
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: Error) => void;
}

type Answered = Extract<AssemblyAnswer, { kind: 'assembled' | 'drawn' }>;

/** Result of a job in a process: its answer, or that the process ended without one. */
type Outcome =
  | AssemblyAnswer
  | { readonly kind: 'late' }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'gone'; readonly how: string };

interface AssemblyProcess {
  readonly child: ChildProcess;
  state: 'idle' | 'busy' | 'stuck';
  isReady: boolean;
}

/**
 * Keeps one process running. Labels wait for it, which takes less time than starting another. While a process is stuck, another
 * one is started, so that one slow file does not delay the other labels.
 */
export function createAssembler(limits: AssemblyLimits = {}): Assembler {
  const { timeMs = TIME_LIMIT_MS, memoryMb = MEMORY_LIMIT_MB } = limits;
  const waiting: Job[] = [];
  const pool = createPool(memoryMb);
  let closed = false;

  function goOn(): void {
    while (!closed && waiting.length > 0) {
      const process = pool.available();
      const job = process && waiting.shift();
      if (!process || !job) return;
      void work(process, job).finally(goOn);
    }
  }

  async function work(process: AssemblyProcess, job: Job): Promise<void> {
    process.state = 'busy';
    const stuck = setTimeout(() => {
      process.state = 'stuck';
      goOn();
    }, STUCK_AFTER_MS).unref();
    const outcome = await ask(process, job.request, timeMs);
    clearTimeout(stuck);
    if (closed) return;
    pool.goBack(process, LOST.includes(outcome.kind) ? 'lost' : 'well');
    const ended = job.ended + 1;
    if (outcome.kind === 'gone' && ended < MAX_ATTEMPTS) waiting.unshift({ ...job, ended });
    else settle(job, outcome, { timeMs, memoryMb });
  }

  const answerTo = (request: AssemblyRequest) =>
    new Promise<Answered>((resolve, reject) => {
      waiting.push({ request, ended: 0, resolve, reject });
      goOn();
    });

  return {
    ...jobsOf(answerTo),
    warm: (targets) => {
      if (!closed) pool.warm(drawersFor(targets));
    },
    close: () => {
      closed = true;
      pool.killAll();
    },
  };
}

function jobsOf(answerTo: (request: AssemblyRequest) => Promise<Answered>): Omit<Assembler, 'warm' | 'close'> {
  const draw = async (request: AssemblyRequest) => {
    const answer = await answerTo(request);
    return answer.kind === 'drawn' ? answer.bytes : strange(answer);
  };
  return {
    assemble: async (labels, target) => {
      const answer = await answerTo({ labels, target });
      if (answer.kind !== 'assembled') return strange(answer);
      const bytes = answer.bytes ?? labels[0]?.bytes;
      return bytes ? { ...answer.labels, bytes } : strange(answer);
    },
    draw: (template, values) => draw({ template, values }),
    drawErrorSheet: (errorSheet) => draw({ errorSheet }),
    drawPaper: (paper) => draw({ paper }),
    drawPage: (pdf, page) => draw({ pdf, page }),
  };
}

function strange({ kind }: Answered): never {
  throw new Error(`the process that reads labels answered another question: ${kind}`);
}

/** The running processes: one from its first use on, and more only while all are stuck. */
function createPool(memoryMb: number) {
  const processes = new Set<AssemblyProcess>();
  let drawers: readonly Drawer[] = [];

  function spawn(): AssemblyProcess {
    const process: AssemblyProcess = { child: start(memoryMb, drawers), state: 'idle', isReady: false };
    processes.add(process);
    process.child.once('message', () => (process.isReady = true));
    process.child.once('exit', () => processes.delete(process));
    return process;
  }

  function kill(process: AssemblyProcess): void {
    processes.delete(process);
    process.child.kill('SIGKILL');
  }

  const spawnFirst = () => {
    if (processes.size === 0) spawn();
  };

  return {
    /** @param wanted what this process and those that follow it load at their start */
    warm: (wanted: readonly Drawer[]) => {
      drawers = wanted;
      spawnFirst();
    },
    available: (): AssemblyProcess | null => {
      const all = [...processes];
      const idle = all.find((process) => process.state === 'idle');
      if (idle) return idle;
      return all.every((process) => process.state === 'stuck') && all.length < MAX_PROCESSES ? spawn() : null;
    },
    /** A broken process is replaced; an extra one that is not needed ends. */
    goBack: (process: AssemblyProcess, how: 'well' | 'lost') => {
      const otherIsIdle = [...processes].some((other) => other !== process && other.state === 'idle');
      if (how === 'lost' || otherIsIdle) kill(process);
      else process.state = 'idle';
      spawnFirst();
    },
    killAll: () => processes.forEach(kill),
  };
}

const LOST: readonly Outcome['kind'][] = ['late', 'out-of-memory', 'gone'];

function start(memoryMb: number, drawers: readonly Drawer[]): ChildProcess {
  if (!existsSync(PROGRAM)) throw new Error('the program that reads labels is missing; build it');
  const child = fork(PROGRAM, [...drawers], {
    serialization: 'advanced',
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      `--max-semi-space-size=${NEW_OBJECTS_MB}`,
      `--wasm-max-mem-pages=${MAX_DRAWING_PARTS}`,
    ],
    // The process gets no settings and no secrets; its output is dropped.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // What waits for its answer hears of its end. An idle process does not keep the service alive.
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  return child;
}

/** @param timeMs from the moment at which the process can be asked */
function ask({ child, isReady }: AssemblyProcess, request: AssemblyRequest, timeMs: number): Promise<Outcome> {
  return new Promise((done) => {
    const lateAfter = (ms: number) => setTimeout(() => end({ kind: 'late' }), ms);
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      child.off('message', onAnswer).off('exit', onExit).off('error', onError);
      done(outcome);
    };
    const onAnswer = (answer: AssemblyAnswer | Ready) => {
      if (answer.kind !== 'ready') return end(answer);
      clearTimeout(timer);
      timer = lateAfter(timeMs);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      end(signal === 'SIGABRT' ? { kind: 'out-of-memory' } : { kind: 'gone', how: signal ?? `code ${code}` });
    // It could not be started; then there is no exit.
    const onError = ({ message }: Error) => end({ kind: 'gone', how: message });
    let timer = lateAfter(isReady ? timeMs : START_WITHIN_MS + timeMs);
    child.on('message', onAnswer).on('exit', onExit).on('error', onError);
    child.send(request, (error) => error && onError(error));
  });
}

function settle(job: Job, outcome: Outcome, { timeMs, memoryMb }: Required<AssemblyLimits>): void {
  switch (outcome.kind) {
    case 'assembled':
    case 'drawn':
      return job.resolve(outcome);
    case 'unusable':
      return job.reject(new LabelUnusable(outcome.because, outcome.position));
    case 'late':
      return job.reject(tooMuch(job, `more than ${timeMs / 1_000} seconds`));
    case 'out-of-memory':
      return job.reject(tooMuch(job, `more than ${memoryMb} MB of memory`));
    case 'failed':
      return job.reject(new Error(`labels could not be put together: ${outcome.because}`));
    case 'gone':
      return job.reject(new Error(`the process that reads labels has ended: ${outcome.how}`));
  }
}

function tooMuch({ request }: Job, what: string): LabelUnusable {
  const alone = 'labels' in request && request.labels.length === 1;
  const which = alone ? 'label 1 of 1 is' : 'of the labels at least one is';
  return new LabelUnusable(`${which} built in a way that takes ${what} to read`, alone ? 1 : null);
}
