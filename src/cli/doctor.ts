import type { ReadConfig } from '../config-file.js';
import type { ImsArea } from '../ims/area.js';
import { createImsClient } from '../ims/client.js';
import { ImsForbidden } from '../ims/errors.js';
import type { ImsCarrier } from '../ims/wire.js';
import { chooseInstruction } from '../routing/instructions.js';
import { sameName } from '../routing/rule.js';
import { createHttpPort } from '../transport/http-port.js';
import { prepare } from './settings-for.js';

/** Says in plain lines what works and what does not; exit code 1 when something that is needed does not. */
export async function doctor(): Promise<void> {
  const { settings, config, log } = prepare();
  console.log(`settings        fine: ${config.file.areas.length} areas, ${config.accounts.length} accounts`);
  for (const { where, rule } of config.warnings) console.log(`  without effect: ${where} ${rule}`);
  const http = createHttpPort({
    allowPrivateAddresses: settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused',
  });
  const ims = createImsClient(
    {
      baseUrl: settings.IMS_BASE_URL,
      authUrl: settings.IMS_AUTH_URL,
      clientId: settings.IMS_CLIENT_ID,
      clientSecret: settings.IMS_CLIENT_SECRET,
    },
    { http, clock: { now: () => new Date() }, log, usage: { add: async () => 0, firstToTell: async () => 'no' } },
  );
  const check = async (what: string, work: () => Promise<string>) => {
    try {
      console.log(`${what.padEnd(15)} ${await work()}`);
    } catch (error) {
      console.log(`${what.padEnd(15)} NOT WORKING: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  };
  await check('IMS token', async () => {
    await ims.token();
    return 'fine';
  });
  for (const { contextId, apiKey } of config.file.areas) {
    const area = ims.area(contextId, apiKey, 'background');
    await check(
      `area ${contextId}`,
      async () => `fine: ${(await area.loadContext(contextId)).contextName ?? 'without a name'}`,
    );
    await check('  instructions', async () => instructionsOf(await carriersIn(area), config.accounts));
    await check('  access', async () => {
      const { scopes, operations } = await area.capabilities();
      const missing = operations.filter((operation) => operation.allowed === 'no');
      const lines = missing.map((operation) => `\n    not allowed: ${operation.operation}: ${operation.lost}`);
      return `${scopes === null ? 'the token does not say its scopes' : scopes.join(' ')}${lines.join('')}`;
    });
  }
  await ims.close();
  http.close();
}

/** Without permission there are none for us: `access` says what is lost. */
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
    if (!adapter.settingsInIms || !carrier) return [];
    const { dataDocument } = carrier;
    const found = chooseInstruction(adapter.settingsInIms.key, [{ from: 'carrier', dataDocument }], {});
    return found.warnings.filter(({ trouble }) => trouble !== 'absent-object');
  });
  const lines = warnings.map(({ path, trouble }) => `\n    odd: ${path}: ${trouble}`);
  return `${lines.length === 0 ? 'fine' : `${lines.length} odd`}${lines.join('')}`;
}
