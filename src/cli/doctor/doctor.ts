import type { ReadConfig } from '../../config/config-file.js';
import { profileSettings } from '../../config/sections/printing.js';
import type { ImsArea } from '../../ims/calls/ims-area.js';
import { type ImsClient, createImsClient } from '../../ims/calls/client.js';
import { ImsForbidden } from '../../ims/errors.js';
import { silentLog } from '../../log.js';
import type { ImsCarrier, ImsSeller } from '../../ims/resources.js';
import { loadPrinting } from '../../printing/load-printing.js';
import { templatesFolder } from '../../program-files.js';
import { chooseInstruction } from '../../routing/instructions.js';
import { sameName } from '../../routing/language/rule.js';
import { processEnvironment } from '../../config/environment.js';
import { createHttpPort } from '../../transport/http-port.js';
import { type KeptInIms, settingsFindings, vendorSigns } from './doctor-settings.js';
import { accessTable, booksNothing } from './access-table.js';
import { checkAccounts, checkClock, checkAddresses, checkStorage } from './doctor-around.js';
import { watchingHttp } from '../../transport/watched-http.js';
import { type Check, ToLookAt, counted, createReport } from './report.js';
import { type Prepared, settingsFor } from '../settings-for.js';

export interface DoctorCommand {
  readonly json?: true;
}

/** Says what works, what does not, and what to do; exit code 1 when something that bookings need does not work. */
export async function doctor(environment = processEnvironment(), { json }: DoctorCommand = {}): Promise<void> {
  const prepared = await settingsFor(environment);
  const { settings, config } = prepared;
  const { check, end } = createReport(json ? 'json' : 'text');
  await check('settings', () => settingsAndTemplates(prepared));
  const http = createHttpPort({
    allowPrivateAddresses: settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused',
  });
  const watched = watchingHttp(http);
  const ims = createImsClient(
    {
      baseUrl: settings.IMS_BASE_URL,
      authUrl: settings.IMS_AUTH_URL,
      clientId: settings.IMS_CLIENT_ID,
      clientSecret: settings.IMS_CLIENT_SECRET,
    },
    {
      http: watched.http,
      clock: { now: () => new Date() },
      // What it would log stands in the report.
      log: silentLog,
      usage: { add: async () => 0, firstToTell: async () => 'no' },
    },
  );
  const somewhere = (await check('IMS token', () => ims.token().then(() => 'fine')))
    ? await checkAreas(ims, config, check)
    : await areasWithoutToken(config, check);
  await checkNowhere(config.accounts, somewhere, check);
  await checkAccounts(config.accounts, http, check);
  await checkClock(watched.last(), check);
  await checkAddresses(settings, http, check);
  await checkStorage(settings, check);
  end();
  await ims.close();
  http.close();
}

/** @returns the accounts that can book in an area with settings that they found there */
async function checkAreas(ims: ImsClient, config: ReadConfig, check: Check): Promise<ReadonlySet<string>> {
  const somewhere = new Set<string>();
  for (const { contextId, apiKey } of config.file.areas) {
    const area = ims.area(contextId, apiKey, 'background');
    if (!(await check(`area ${contextId}`, () => named(area)))) continue;
    await check('  instructions', async () =>
      area.can('listCarriers') ? instructionsOf(await carriersIn(area), config.accounts) : 'not read: see access',
    );
    for (const name of await lookAtSettings(area, config.accounts, check)) somewhere.add(name);
    await check('  access', async () => {
      const report = await area.capabilities();
      const lines = accessTable(report, config.file.printing).join('\n    ');
      if (booksNothing(report)) throw new Error(`nothing can be booked with ${lines}`);
      return lines;
    });
  }
  return somewhere;
}

/** The IMS answers nothing without a token: asking would only take time. @returns every account */
async function areasWithoutToken({ file, accounts }: ReadConfig, check: Check): Promise<ReadonlySet<string>> {
  for (const { contextId } of file.areas)
    await check(`area ${contextId}`, async () => {
      throw new Error('not looked at: there is no token of the IMS');
    });
  return new Set(accounts.map(({ name }) => name));
}

/** Looks at the settings, and reads the templates of print requests, as the start does. */
async function settingsAndTemplates({ config, exposed, weakSecrets }: Prepared): Promise<string> {
  if (exposed.length > 0)
    throw new Error(`the service would not start:${exposed.map(({ where, rule }) => `\n  ${where} ${rule}`).join('')}`);
  const { printing } = config.file;
  await loadPrinting(templatesFolder(), { mode: printing.mode, profiles: profileSettings(printing).profiles });
  const { file, accounts, warnings } = config;
  const read = `${counted(file.areas.length, 'area')}, ${counted(accounts.length, 'account')}`;
  const lines = [
    ...weakSecrets.short.map((variable) => `${variable} is short: make one by: openssl rand -hex 24`),
    ...weakSecrets.ofTheExample.map(
      (variable) => `${variable} is public, from .env.example: make one by: openssl rand -hex 24`,
    ),
    ...warnings.map(({ where, rule }) => `without effect: ${where} ${rule}`),
  ];
  if (lines.length > 0) throw new ToLookAt([read, ...lines].join('\n  '));
  return `fine: ${read}`;
}

async function checkNowhere(accounts: ReadConfig['accounts'], somewhere: ReadonlySet<string>, check: Check) {
  for (const { name } of accounts.filter((account) => account.fromIms && !somewhere.has(account.name))) {
    await check(`account ${name}`, async () => {
      throw new Error('complete settings in the IMS were found in no area');
    });
  }
}

/**
 * What accounts find of their settings in the IMS, and whether another program may book there too.
 * @returns the accounts that can book here
 */
async function lookAtSettings(
  area: ImsArea,
  accounts: ReadConfig['accounts'],
  check: Check,
): Promise<readonly string[]> {
  const somewhere = new Set<string>();
  const known = accounts.filter(({ adapter }) => adapter.settingsInIms);
  if (known.length === 0) return [];
  const read: KeptInIms[] = [];
  await check('  data documents', async () => {
    const [carriers, sellers] = await Promise.all([carriersIn(area), sellersIn(area)]);
    read.push({ carriers, sellers });
    return `of ${counted(carriers.length, 'carrier')} and ${counted(sellers.length, 'seller')} read`;
  });
  const [kept] = read;
  if (!kept) return [];
  for (const account of known.filter(({ fromIms }) => fromIms)) {
    await check(`  settings of ${account.name}`, async () => {
      const { lines, state } = settingsFindings(account, kept);
      const text = lines.map((line) => `\n    ${line}`).join('');
      if (state === 'found') somewhere.add(account.name);
      if (state === 'absent') return `nothing in this area: a shipment that is booked with it here is refused`;
      if (state === 'broken') throw new Error(`settings in the IMS are missing or wrong${text}`);
      return `found in the IMS${text}`;
    });
  }
  const signs = [...new Set(known.flatMap((account) => vendorSigns(account, kept)))];
  const lines = signs.map(
    (sign) => `\n    ${sign}: its app may still be subscribed, and would book too: docs/moving.md`,
  );
  await check("  vendor's apps", async () => (signs.length === 0 ? 'no sign of one' : `look at this${lines.join('')}`));
  return [...somewhere];
}

/** Lists the sellers; none without the scope, as in `carriersIn`. */
async function sellersIn(area: ImsArea): Promise<readonly ImsSeller[]> {
  try {
    return area.can('listSellers') ? await area.listSellers() : [];
  } catch (error) {
    if (error instanceof ImsForbidden) return [];
    throw error;
  }
}

/** Names an area; one that we may not read is no trouble by itself: `access` says what is lost. */
async function named(area: ImsArea): Promise<string> {
  try {
    return `fine: ${(await area.loadContext(area.contextId)).contextName ?? 'without a name'}`;
  } catch (error) {
    if (error instanceof ImsForbidden) return `not read: ${error.refusal}`;
    throw error;
  }
}

/** Lists the carriers; none without the scope: `access` says what is lost. */
async function carriersIn(area: ImsArea): Promise<readonly ImsCarrier[]> {
  try {
    return area.can('listCarriers') ? await area.listCarriers() : [];
  } catch (error) {
    if (error instanceof ImsForbidden) return [];
    throw error;
  }
}

/** Instructions that are kept in the IMS, as far as a shipment is not needed to judge them; a seller's are seen by `explain`. */
function instructionsOf(carriers: readonly ImsCarrier[], accounts: ReadConfig['accounts']): string {
  const warnings = accounts.flatMap(({ adapter, imsCarrierName }) => {
    const carrier = carriers.find(({ carrierName }) => carrierName !== null && sameName(carrierName, imsCarrierName));
    if (!adapter.settingsInIms?.instruction || !carrier) return [];
    const { dataDocument } = carrier;
    const found = chooseInstruction(adapter.settingsInIms.key, [{ from: 'carrier', dataDocument }], {});
    return found.warnings.filter(({ trouble }) => trouble !== 'absent-object');
  });
  const lines = warnings.map(({ path, trouble }) => `\n    odd: ${path}: ${trouble}`);
  return `${lines.length === 0 ? 'fine' : `${lines.length} odd`}${lines.join('')}`;
}
