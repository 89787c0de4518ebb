import { Socket } from 'node:net';
import { assembleLabels } from './assemble.js';
import type { AssemblyAnswer, AssemblyRequest, Beside } from './process/assembly-messages.js';
import { answerWithoutBytes, withBytes } from './process/assembly-messages.js';
import { boundDecoding } from './bounded-decoding.js';
import { sendBeside, takeBeside } from './process/bytes-beside.js';
import { LabelUnusable } from './label-unusable.js';
import { drawPaper } from '../papers/customs/draw-paper.js';
import { drawErrorSheet } from '../papers/error-sheet.js';

/** As the service numbers it: behind standard input, output, errors and messages. */
const PIPE = 4;
const pipe = new Socket({ fd: PIPE });

async function answerTo(request: AssemblyRequest): Promise<AssemblyAnswer> {
  try {
    if ('errorSheet' in request) return { kind: 'drawn', bytes: await drawErrorSheet(request.errorSheet) };
    if ('paper' in request) return { kind: 'drawn', bytes: await drawPaper(request.paper) };
    return { kind: 'assembled', labels: await assembleLabels(request.labels, request.target) };
  } catch (error) {
    if (error instanceof LabelUnusable) return { kind: 'unusable', because: error.message, position: error.position };
    return { kind: 'failed', because: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

boundDecoding();
// The service handles a signal to the whole group: it finishes its work and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', ({ content, sizes }: Beside<AssemblyRequest>) => {
  void takeBeside(pipe, sizes)
    .then((bytes) => answerTo(withBytes(content, bytes)))
    .then((answer) => {
      const [message, bytes] = answerWithoutBytes(answer);
      process.send?.(message);
      sendBeside(pipe, bytes);
    });
});
