// Loaded into the service before anything else: tells, when asked by a signal, what it holds and how long it stood still.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const NANOSECONDS = 1e6;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('SIGUSR2', () => {
  const longestMs = delay.max / NANOSECONDS;
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  delay.reset();
  process.stdout.write(`probe ${JSON.stringify({ heapUsed, rss, longestMs })}\n`);
});
