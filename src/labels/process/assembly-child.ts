import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import type { AssemblyAnswer, AssemblyRequest, Beside } from './assembly-messages.js';
import { answerWithBytes, withoutBytes } from './assembly-messages.js';
import { sendBeside, takeBeside } from './bytes-beside.js';
import { programFolder } from '../../program-files.js';

/** With so small a heap, V8 would choose a small space for new objects and collect garbage all the time. */
const NEW_OBJECTS_MB = 16;
/** Of what draws labels, in parts of 64 KB: V8 does not count it as heap. */
const MAX_DRAWING_PARTS = 4_096;
/** Of the pipe for bytes, beside standard input, output, errors and messages. */
const PIPE = 4;

const PROGRAM = `${programFolder()}dist/bundle/assembly-process.js`;

/** Result of a job in a process: its answer, or that the process ended without one. */
export type Outcome =
  | AssemblyAnswer
  | { readonly kind: 'late' }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'gone'; readonly how: string };

/** Starts a process that reads labels. @param memoryMb of its heap */
export function startAssembly(memoryMb: number): ChildProcess {
  if (!existsSync(PROGRAM)) throw new Error('the program that reads labels is missing; build it');
  const child = fork(PROGRAM, [], {
    serialization: 'advanced',
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      `--max-semi-space-size=${NEW_OBJECTS_MB}`,
      `--wasm-max-mem-pages=${MAX_DRAWING_PARTS}`,
    ],
    // The process gets no settings and no secrets; its output is dropped.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  // The exit event reports its end. An idle process does not keep the service alive.
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  pipeOf(child)
    .on('error', () => undefined)
    .unref();
  return child;
}

function pipeOf(child: ChildProcess): Socket {
  const pipe = child.stdio[PIPE];
  if (!(pipe instanceof Socket)) throw new Error('the process that reads labels has no pipe');
  return pipe;
}

/** One job at a time; a process that is late or gone takes no further one. */
export function askAssembly(child: ChildProcess, request: AssemblyRequest, timeMs: number): Promise<Outcome> {
  return new Promise((done) => {
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      child.off('message', onAnswer).off('exit', onExit);
      done(outcome);
    };
    const gone = (error: Error) => end({ kind: 'gone', how: error.message });
    const onAnswer = ({ content, sizes }: Beside<AssemblyAnswer>) =>
      void takeBeside(pipeOf(child), sizes).then((bytes) => end(answerWithBytes(content, bytes)), gone);
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      end(signal === 'SIGABRT' ? { kind: 'out-of-memory' } : { kind: 'gone', how: signal ?? `code ${code}` });
    const timer = setTimeout(() => end({ kind: 'late' }), timeMs);
    child.on('message', onAnswer).on('exit', onExit);
    const [message, bytes] = withoutBytes(request);
    child.send(message, (error) => error && gone(error));
    sendBeside(pipeOf(child), bytes);
  });
}
