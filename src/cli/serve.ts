import { createServer } from 'node:net';
import type { App, StartOptions } from '../app/app.js';
import { openDatabase } from '../db/open-database.js';
import { type Settings, processEnvironment } from '../config/environment.js';
import { listenError } from '../config/exposure.js';
import { startWatchdog } from '../app/watchdog.js';
import { READER_GONE_EXIT_CODE, stopWithReader } from './reader-gone.js';
import { settingsFor } from './settings-for.js';

const READER_GONE =
  'waybridge stops: the program that read its log or its error messages has ended. Start it with one that keeps reading, or write the log to a file.\n';

/**
 * Runs until a signal stops it, also while it is still starting, or until the program that reads its log has ended. A
 * second signal ends it at once.
 */
export async function serve(): Promise<void> {
  const { settings, config, log } = await settingsFor(processEnvironment(), 'listen');
  await requireFreePort(settings);
  const watchdog = startWatchdog();
  const database = openDatabase(settings, log);
  database.then(watchdog.opened, () => undefined);
  const starting = start({ settings, config, log, database });
  let isStopping = false;
  const stop = async (exitCode: number) => {
    isStopping = true;
    try {
      await (await starting).stop();
      process.exit(exitCode);
    } catch (error) {
      log.error('did not stop cleanly', { error });
      process.exit(1);
    }
  };
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 1) process.exit(1);
    log.info('stopping', { signal });
    if (!isStopping) void stop(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  stopWithReader(() => {
    if (isStopping) return;
    void stop(READER_GONE_EXIT_CODE);
    process.stderr.write(READER_GONE);
  });
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  await starting;
}

/** Checks the port before the database opens, which takes seconds. @throws Error EADDRINUSE, SettingsError */
async function requireFreePort(settings: Settings): Promise<void> {
  const server = createServer();
  await new Promise<void>((free, taken) => {
    server.once('error', (error) => taken(listenError(error, settings)));
    server.listen(settings.PORT, settings.HOST, free);
  });
  await new Promise((closed) => server.close(closed));
}

/** Loads all other modules while the database opens, which spends half of its time waiting for the disk. */
async function start({ database, ...rest }: Required<Omit<StartOptions, 'seams'>>): Promise<App> {
  // The steps that need the module report the error.
  database.catch(() => undefined);
  const { startAppWith } = await import('../app/app.js');
  return startAppWith({ ...rest, database });
}
