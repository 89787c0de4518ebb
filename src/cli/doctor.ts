import { createImsClient } from '../ims/client.js';
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
