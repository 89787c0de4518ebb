import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { programFolder } from '../program-files.js';
import type { FromImsCommand } from './doctor/doctor-from-ims.js';
import type { ExplainCommand } from './explain/explain.js';
import { EXPLAIN_EXAMPLES } from './explain/explain-text.js';
import { REPLAY_EXAMPLES, type ReplayCommand } from './replay.js';
import type { RulesTestCommand } from './rules.js';
import type { SandboxCommand } from './sandbox/sandbox.js';

const program = new Command('waybridge')
  .version(ownVersion())
  .description(
    'Books parcel transports for a warehouse: carrier, labels, numbers, and words when something goes wrong.',
  )
  .showHelpAfterError();

program
  .command('serve')
  .description('run the service with the settings of the environment (see .env.example)')
  .action(async () => (await import('./serve.js')).serve());

program
  .command('sandbox')
  .description('run a stand-in of the IMS and of every carrier, for trying out and for tests')
  .option('--port <number>', 'where it listens', portNumber, 9090)
  .option(
    '--scenario <name>',
    'what it is filled with: small-shop, third-party-logistics, thousand-shipments or a file',
  )
  .option('--faults <file>', 'what is to go wrong (YAML)')
  .option('--with-service', 'run the service beside it')
  .option('--service-port <number>', 'where that service listens', portNumber, 8080)
  .action(async (options: SandboxCommand) => (await import('./sandbox/sandbox.js')).sandbox(options));

program
  .command('demo')
  .description('send shipments of several kinds through all of it, and show what became of them')
  .option('--output <folder>', 'where the labels go', 'demo-output')
  .option('--data <folder>', 'where the service keeps its data; a temporary folder when not given')
  .action(async (options: { output: string; data?: string }) => (await import('./demo/demo.js')).demo(options));

program
  .command('doctor')
  .description('check settings, configuration, the IMS and what the access allows; changes nothing')
  .option(
    '--from-ims',
    'write a configuration file for areas as they are set up in the IMS (keys in IMS_API_KEY_<contextId>)',
  )
  .option('--area <contextId>', 'with --from-ims: only this area')
  .option('--out <file>', 'with --from-ims: where to write, - for standard output; CONFIG_FILE when not given')
  .action(async ({ fromIms, ...options }: FromImsCommand & { readonly fromIms?: true }) =>
    fromIms
      ? (await import('./doctor/doctor-from-ims.js')).doctorFromIms(options)
      : (await import('./doctor/doctor.js')).doctor(),
  );

program
  .command('replay')
  .description(
    'have the running service take up what it never heard of: one shipment, one document, or all of some time. What it ' +
      'knows already is left as it is; what somebody else has begun is asked for at the carrier before it is booked',
  )
  .requiredOption('--area <contextId>', 'the area')
  .option('--shipment <id>', 'the id of a shipment: its booking, and its carrier if it has none')
  .option('--document <id>', 'the id of a transport booking (or delivery note)')
  .option('--since <time>', 'what was created from then on and is open, e.g. 2026-03-04T06:00:00Z')
  .option('--until <time>', 'and before then; now when not given, at most 31 days later')
  .option('--dry-run', 'only say what would be done')
  .option('--url <address>', 'where the service is; PUBLIC_URL when not given')
  .addHelpText('after', REPLAY_EXAMPLES)
  .action(async (options: ReplayCommand) => (await import('./replay.js')).replay(options));

program
  .command('explain')
  .description(
    'show who would carry a shipment and why: its fields, every rule, the request that would be sent and what is wrong with ' +
      'it. Nothing is sent to a carrier, nothing is changed',
  )
  .argument('<shipment>', 'its id, for which the running service is asked, or a file as the IMS gives it (.json)')
  .option('--area <contextId>', 'the area; needed where there are several')
  .option('--json', 'for machines')
  .option('--url <address>', 'where the service is; PUBLIC_URL when not given')
  .addHelpText('after', EXPLAIN_EXAMPLES)
  .action(async (shipment: string, options: ExplainCommand) =>
    (await import('./explain/explain.js')).explain(shipment, options),
  );

program
  .command('rules')
  .description('try the rules of the configuration file')
  .command('test')
  .description('run examples through the rules and show where each ends; sends nothing, exit code 1 when one fails')
  .option('--examples <file>', 'the examples; rules.examples.yaml beside the configuration file when not given')
  .action(async (options: RulesTestCommand) => (await import('./rules.js')).testRules(options));

program
  .command('migrate')
  .description('bring the tables of the database up to date; the service does so by itself when it starts')
  .action(async () => (await import('./migrate.js')).migrateNow());

program.parseAsync().catch((error: unknown) => {
  const failure = error instanceof Error ? error : new Error(String(error));
  console.error(isBug(failure) ? (failure.stack ?? failure.message) : inWords(failure));
  // Whatever was begun before it failed shall not keep a dead process alive.
  process.exit(exitCodeOf(failure));
});

/** An error that knows what its end means to a supervisor says so. */
function exitCodeOf(failure: Error & { readonly exitCode?: unknown }): number {
  return typeof failure.exitCode === 'number' ? failure.exitCode : 1;
}

/** What the language throws is a mistake of ours; everything else says what is wrong in its message. */
function isBug(failure: Error): boolean {
  return failure instanceof TypeError || failure instanceof ReferenceError || failure instanceof RangeError;
}

function inWords(failure: Error & { readonly code?: unknown; readonly port?: unknown }): string {
  if (failure.code !== 'EADDRINUSE') return failure.message;
  return `port ${String(failure.port)} is used by another process: stop that one, or choose another port`;
}

function ownVersion(): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(`${programFolder()}package.json`, 'utf8'));
  return version;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('It must be a port number.');
  return port;
}
