import { createServer } from 'node:net';
import type { App, StartOptions } from '../app/app.js';
import { openDatabase } from '../db/open-database.js';
import { type Settings, processEnvironment } from '../config/environment.js';
import { startWatchdog } from '../app/watchdog.js';
import { settingsFor } from './settings-for.js';

/** Runs until a signal stops it, also while it is still starting. A second signal ends it at once. */
export async function serve(): Promise<void> {
  const { settings, config, log } = await settingsFor(processEnvironment(), 'listen');
  await requireFreePort(settings);
  const watchdog = startWatchdog();
  const database = openDatabase(settings, log);
  database.then(watchdog.opened, () => undefined);
  const starting = start({ settings, config, log, database });
  let signals = 0;
  const stop = async (signal: string) => {
    signals += 1;
    if (signals > 1) process.exit(1);
    log.info('stopping', { signal });
    const app = await starting;
    await app.stop();
    process.exit(0);
  };
  const stopOn = (signal: NodeJS.Signals) =>
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error('did not stop cleanly', { error });
        process.exit(1);
      });
    });
  stopOn('SIGTERM');
  stopOn('SIGINT');
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  await starting;
}

/** Before the database opens, which takes seconds. @throws Error EADDRINUSE */
async function requireFreePort({ PORT, HOST }: Settings): Promise<void> {
  if (PORT === 0) return;
  const server = createServer();
  await new Promise<void>((free, taken) => server.once('error', taken).listen(PORT, HOST, free));
  await new Promise((closed) => server.close(closed));
}

/** Loads all other modules while the database opens, which spends half of its time waiting for the disk. */
async function start({ database, ...rest }: Required<Omit<StartOptions, 'seams'>>): Promise<App> {
  // The steps that need the module report the error.
  database.catch(() => undefined);
  const { startAppWith } = await import('../app/app.js');
  return startAppWith({ ...rest, database });
}
