// What one run of a measure gets: it starts what it needs here, all of which ends with the run, and reports its figures.
import { createClient, openLoop } from './load.js';
import { startNetworkProcess } from './network.js';
import { findPostgres, startPostgres } from './postgres.js';
import { freePort, start, until } from './processes.js';
import { startSandboxProcess } from './sandbox.js';
import { startService } from './service.js';
import { median, percentile, spread } from './statistics.js';

/**
 * @param measure of `createFigures`
 * @returns the frame, and `end`, which ends everything that was started, last first
 */
export function createFrame(measure) {
  const open = [];
  const kept = async (starting) => {
    const started = await starting;
    open.push(started);
    return started;
  };
  const frame = {
    ...{ measure, openLoop, until, freePort, findPostgres, median, percentile, spread },
    /** @see startSandboxProcess */
    sandbox: (options) => kept(startSandboxProcess(options)),
    /** @see startNetworkProcess */
    network: (sandbox) => kept(startNetworkProcess(sandbox)),
    /** @see startService */
    service: (sandbox, options) => kept(startService(sandbox, options)),
    /** @see startPostgres */
    postgres: (settings) => kept(startPostgres(settings)),
    /** @see createClient */
    client: (options) => kept(createClient(options)),
    /** Any other process; @see start in processes.js */
    process: (command, words, options) => kept(start(command, words, options)),
    /** @param end called when the run ends */
    atEnd: (end) => open.push({ end }),
  };
  const end = async () => {
    for (const each of open.splice(0).reverse()) await each.end();
  };
  return { frame, end };
}
