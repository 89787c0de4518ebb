import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { programFolder } from '../program-files.js';
import { envFileAdvice } from './env-file.js';
import { CARRIERS_EXAMPLES } from './carriers/examples.js';
import {
  CHECK_CARRIER_EXAMPLES,
  DEMO_EXAMPLES,
  DOCTOR_EXAMPLES,
  FORGET_EXAMPLES,
  MIGRATE_EXAMPLES,
  NEW_CARRIER_EXAMPLES,
  REPLAY_EXAMPLES,
  REPRINT_EXAMPLES,
  RESOLVE_EXAMPLES,
  RULES_EXAMPLES,
  SANDBOX_EXAMPLES,
  SERVE_EXAMPLES,
} from './examples.js';
import type { CarriersCommand } from './carriers/carriers.js';
import { CONSIGNMENTS_EXAMPLES, type ConsignmentsCommand } from './consignments.js';
import type { DemoCommand } from './demo/demo.js';
import type { DoctorCommand } from './doctor/doctor.js';
import type { FromImsCommand } from './doctor/doctor-from-ims.js';
import type { ExplainCommand } from './explain/explain.js';
import { EXPLAIN_EXAMPLES } from './explain/explain-text.js';
import type { ForgetCommand } from './forget.js';
import type { NewCarrierCommand } from './new-carrier/new-carrier.js';
import { endWithReader } from './reader-gone.js';
import type { ReplayCommand } from './replay.js';
import type { ReprintCommand } from './reprint/reprint.js';
import type { ResolveCommand } from './resolve.js';
import type { RulesTestCommand } from './rules.js';
import type { SandboxCommand } from './sandbox/sandbox.js';

endWithReader();

const program = new Command('waybridge')
  .version(ownVersion())
  .description('Books shipments of a warehouse at parcel carriers, fetches labels and tells workers what went wrong.')
  .showHelpAfterError('npx waybridge --help lists all commands');

program
  .command('serve')
  .description('run the service with the settings of the environment (see .env.example)')
  .addHelpText('after', SERVE_EXAMPLES)
  .action(async () => (await import('./serve.js')).serve());

program
  .command('sandbox')
  .description('run a stand-in of the IMS and of every carrier, for trials and tests')
  .option('--port <number>', 'the port it listens on', portNumber, 9090)
  .option('--host <address>', 'the address it listens on, and under which the service reaches it', '127.0.0.1')
  .addOption(
    new Option('--events-to <address>', 'where it sends events, e.g. http://127.0.0.1:8080/events/<EVENTS_SECRET>')
      .argParser(webAddress)
      .conflicts('withService'),
  )
  .option(
    '--scenario <name>',
    'the data it starts with: small-shop, third-party-logistics, thousand-shipments or a file',
  )
  .option('--faults <file>', 'the faults to inject (YAML)')
  .option('--adapter <adapters...>', 'carriers from outside: packages that are installed here, or folders')
  .option('--with-service', 'run the service beside it')
  .option('--service-port <number>', 'the port of that service', portNumber, 8080)
  .addHelpText('after', SANDBOX_EXAMPLES)
  .action(async (options: SandboxCommand) => (await import('./sandbox/sandbox.js')).sandbox(options));

program
  .command('demo')
  .description('book shipments of several kinds against the sandbox, and show how each ended')
  .option('--output <folder>', 'the folder for the labels', 'demo-output')
  .option('--data <folder>', 'the data folder of the service; default: a temporary folder')
  .option('--adapter <adapters...>', 'carriers from outside: packages that are installed here, or folders')
  .addHelpText('after', DEMO_EXAMPLES)
  .action(async (options: DemoCommand) => (await import('./demo/demo.js')).demo(options));

program
  .command('doctor')
  .description('check settings, access to the IMS, accounts, clock, addresses, database and disk; changes nothing')
  .addOption(
    new Option(
      '--from-ims',
      'write a configuration file for areas as they are set up in the IMS (keys in IMS_API_KEY_<contextId>)',
    ).conflicts('json'),
  )
  .option('--area <contextId>', 'with --from-ims: only this area')
  .option('--out <file>', 'with --from-ims: the file to write, - for standard output; default: CONFIG_FILE')
  .option('--json', 'print JSON: each check with its state (ok, look, problem) and what it says')
  .addHelpText('after', DOCTOR_EXAMPLES)
  .action(
    async (
      { fromIms, json, ...options }: FromImsCommand & DoctorCommand & { readonly fromIms?: true },
      command: Command,
    ) => {
      if (fromIms) return (await import('./doctor/doctor-from-ims.js')).doctorFromIms(options);
      const [alone] = command.options.filter((option) => Object.hasOwn(options, option.attributeName()));
      if (alone) command.error(`error: option '${alone.flags}' needs '--from-ims'`);
      return (await import('./doctor/doctor.js')).doctor(undefined, json ? { json } : {});
    },
  );

program
  .command('replay')
  .description(
    'have the running service recover missed events: of one shipment, of one document, or of a span of time. What it knows ' +
      'already stays as it is; what another program has begun is looked up at the carrier before it is booked',
  )
  .requiredOption('--area <contextId>', 'the area')
  .option('--shipment <id>', 'the id of a shipment: its booking, and its carrier if it has none')
  .option('--document <id>', 'the id of a transport booking (or delivery note)')
  .option('--since <time>', 'open documents created from this time on, e.g. 2026-03-04T06:00:00Z')
  .option('--until <time>', 'and before this time; default: now; at most 31 days later')
  .option('--dry-run', 'only show what would be done')
  .option('--url <address>', 'the address of the service; default: PUBLIC_URL')
  .addHelpText('after', REPLAY_EXAMPLES)
  .action(async (options: ReplayCommand) => (await import('./replay.js')).replay(options));

program
  .command('consignments')
  .description('list or search the consignments of the running service')
  .argument(
    '[number]',
    'exactly a number (shipment, document, reference, tracking number, id), or the beginning of a recipient',
  )
  .option('--state <states>', 'their states, with commas')
  .option('--area <contextIds...>', 'their areas')
  .option('--account <names...>', 'their accounts')
  .option('--carrier <ids...>', 'their carriers')
  .option('--since <time>', 'those that came from this time on, e.g. 2026-03-04')
  .option('--until <time>', 'and before this time')
  .option('--needs-operator', 'only those in doubt that need an answer')
  .option('--sort <order>', 'newest or oldest first')
  .option('--limit <number>', 'how many, at most 1000', wholeNumber, 50)
  .option('--lang <language>', 'of the reasons: en, da')
  .addOption(new Option('--json', 'print JSON').conflicts('csv'))
  .option('--csv', 'print the table that `resolve --csv` takes')
  .option('--url <address>', 'the address of the service; default: WAYBRIDGE_URL, or PUBLIC_URL')
  .addHelpText('after', CONSIGNMENTS_EXAMPLES)
  .action(async (q: string | undefined, options: ConsignmentsCommand) =>
    (await import('./consignments.js')).consignments(q, options),
  );

program
  .command('resolve')
  .description('answer for consignments in doubt what the portal of their carrier shows')
  .requiredOption('--csv <file>', 'a table of answers, as `consignments --needs-operator --csv` prints it')
  .option('--per-second <number>', 'how many begin in a second; default: 5')
  .option('--dry-run', 'only show what would be done')
  .option('--wait', 'wait until each has ended, at most 10 minutes after the last began, and show what became of it')
  .option('--url <address>', 'the address of the service; default: WAYBRIDGE_URL, or PUBLIC_URL')
  .addHelpText('after', RESOLVE_EXAMPLES)
  .action(async (options: ResolveCommand) => (await import('./resolve.js')).sendResolutions(options));

program
  .command('forget')
  .description('remove what names the recipient of a shipment, for a request of that person; says what stays, and why')
  .argument('<shipment>', "its number or id, or a consignment's id")
  .option('--area <contextId>', 'the area; required where several have such a shipment')
  .option('--json', 'print JSON')
  .option('--url <address>', 'the address of the service; default: WAYBRIDGE_URL, or PUBLIC_URL')
  .addHelpText('after', FORGET_EXAMPLES)
  .action(async (shipment: string, options: ForgetCommand) => (await import('./forget.js')).forget(shipment, options));

program
  .command('reprint')
  .description('print the label of a booking again; the history keeps who asked for it, and why')
  .argument('<consignment>', 'its id, as `waybridge consignments` shows it')
  .option('--device <name>', 'the device whose printer prints it; default: the one that booked it')
  .option('--copies <number>', 'how many, at most 10', wholeNumber)
  .option('--parcel <parcel>', 'only of this parcel: its container, or its tracking number')
  .option('--profile <name>', 'by this profile of printing.profiles; default: as it was printed')
  .option('--reason <text>', 'why, for the history')
  .option('--url <address>', 'the address of the service; default: WAYBRIDGE_URL, or PUBLIC_URL')
  .addHelpText('after', REPRINT_EXAMPLES)
  .action(async (id: string, options: ReprintCommand) =>
    (await import('./reprint/reprint.js')).askForReprint(id, options),
  );

program
  .command('explain')
  .description(
    'show which carrier a shipment would get and why: its fields, every rule, the request that would be sent and its ' +
      'problems. Sends nothing to a carrier, changes nothing',
  )
  .argument('<shipment>', 'its id (asks the running service), or a file as the IMS gives it (.json)')
  .option('--area <contextId>', 'the area; required where there are several')
  .option('--device <name>', 'the device from which it is booked, for the choice of a printing profile')
  .option('--user <id>', 'who books it, for the same')
  .option('--json', 'print JSON')
  .option('--url <address>', 'the address of the service; default: PUBLIC_URL')
  .addHelpText('after', EXPLAIN_EXAMPLES)
  .action(async (shipment: string, options: ExplainCommand) =>
    (await import('./explain/explain.js')).explain(shipment, options),
  );

program
  .command('rules')
  .description('try the rules of the configuration file')
  .command('test')
  .description('run examples through the rules and show the result of each; sends nothing, exit code 1 when one fails')
  .option('--examples <file>', 'the examples; default: rules.examples.yaml beside the configuration file')
  .addHelpText('after', RULES_EXAMPLES)
  .action(async (options: RulesTestCommand) => (await import('./rules.js')).testRules(options));

program
  .command('carriers')
  .description('show what each carrier can do: calls, services, labels, limits, and how sure that is; sends nothing')
  .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
  .option('--markdown', 'print the page docs/carriers.md, which has the carriers of Waybridge itself')
  .addHelpText('after', CARRIERS_EXAMPLES)
  .action(async (options: CarriersCommand) => (await import('./carriers/carriers.js')).showCarriers(options));

program
  .command('new-carrier')
  .description('write a package with an adapter for a carrier of your own, which works against its own simulator')
  .argument('<id>', 'its id, e.g. fjordpost')
  .option('--into <folder>', 'the folder to write; default: ./<id>')
  .option('--name <name>', 'as people write it; default: the id with capital letters')
  .option('--auth <how>', 'how the carrier lets you in: header, basic, oauth (client credentials) or query')
  .option('--parcels <number>', 'in one booking: several or one')
  .option('--labels <when>', 'answer: they come with the booking; asked: they are fetched afterwards')
  .option('--search <answer>', 'whether a booking can be found by its reference: yes or no')
  .option('--yes', 'ask nothing: take header, several, answer and yes where an option is missing')
  .addHelpText('after', NEW_CARRIER_EXAMPLES)
  .action(async (id: string, options: NewCarrierCommand) =>
    (await import('./new-carrier/new-carrier.js')).newCarrier(id, options),
  );

program
  .command('check-carrier')
  .description('try what every carrier must do on an adapter, against its own simulator; exit code 1 when a case fails')
  .argument('<adapter>', 'a package that is installed here, or a folder, e.g. ./fjordpost')
  .addHelpText('after', CHECK_CARRIER_EXAMPLES)
  .action(async (adapter: string) => (await import('./check-carrier.js')).checkCarrier(adapter));

program
  .command('migrate')
  .description('bring the tables of the database up to date; the service does this by itself at its start')
  .addHelpText('after', MIGRATE_EXAMPLES)
  .action(async () => (await import('./migrate.js')).migrateNow());

// A mistake in one command shows its own help.
for (const command of program.commands) command.showHelpAfterError();

program.parseAsync().catch((error: unknown) => {
  const failure = error instanceof Error ? error : new Error(String(error));
  console.error(isBug(failure) ? (failure.stack ?? failure.message) : withEnvFile(inWords(failure)));
  // Timers and connections from before the failure must not keep the process alive.
  process.exit(exitCodeOf(failure));
});

/** Takes the exit code from the error, when it has one. */
function exitCodeOf(failure: Error & { readonly exitCode?: unknown }): number {
  return typeof failure.exitCode === 'number' ? failure.exitCode : 1;
}

/** Errors of the language (TypeError …) are mistakes of ours and are shown with their stack; all others say in their message what is wrong. */
function isBug(failure: Error): boolean {
  return failure instanceof TypeError || failure instanceof ReferenceError || failure instanceof RangeError;
}

function inWords(failure: Error & { readonly code?: unknown; readonly port?: unknown }): string {
  if (failure.code !== 'EADDRINUSE') return failure.message;
  return `port ${String(failure.port)} is used by another process: stop it, or set PORT`;
}

/** Adds how to read `.env`, where a variable is missing that may stand there. */
function withEnvFile(message: string): string {
  const advice = envFileAdvice(message, process.argv);
  return advice === null ? message : `${message}\n${advice}`;
}

function ownVersion(): string {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(`${programFolder()}package.json`, 'utf8'));
  return version;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return number;
}

function webAddress(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an http or https address.');
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('It must be a port number.');
  return port;
}
