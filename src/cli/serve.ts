import { startApp } from '../app.js';
import { prepare } from './settings-for.js';

/** Runs until it is told to stop; a second signal does not wait. */
export async function serve(): Promise<void> {
  const { settings, config, log } = prepare();
  const app = await startApp(settings, config, log);
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info('stopping', { signal });
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('did not stop cleanly', { error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
}
