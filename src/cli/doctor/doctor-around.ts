import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HttpAnswer, HttpPort } from '../../../carriers/contract/http-port.js';
import type { ConfiguredAccount } from '../../config/sections/account.js';
import { type Settings, publicUrl } from '../../config/environment.js';
import { linksLeadNowhere } from '../../config/exposure.js';
import { checkDataKey } from './doctor-data-key.js';
import { checkDatabase, checkRedis, existing } from './doctor-database.js';
import { checkOpenId } from './doctor-openid.js';
import { operatorFiles } from '../../program-files.js';
import { refusesLogin, watchingHttp } from '../../transport/watched-http.js';
import type { Check } from './report.js';
import { ToLookAt } from './report.js';

const CLOCK = { now: () => new Date() };
/** Signatures of callbacks and of links are refused beyond some minutes. */
const MAX_CLOCK_ERROR_MS = 60_000;
const ADDRESS_ANSWERS_WITHIN_MS = 5_000;
const LEAST_FREE_BYTES = 500e6;
const LEAST_FREE_SHARE = 0.1;

/** Asks each carrier something that changes nothing. Settings that are in the IMS are looked at by area. */
export async function checkAccounts(accounts: readonly ConfiguredAccount[], http: HttpPort, check: Check) {
  for (const account of accounts.filter(({ fromIms }) => !fromIms))
    await check(`account ${account.name}`, () => probed(account, http));
}

async function probed({ adapter, config, baseUrl }: ConfiguredAccount, http: HttpPort): Promise<string> {
  const watched = watchingHttp(http);
  const { probe } = adapter.connect(config, { http: watched.http, clock: CLOCK, baseUrl, files: operatorFiles });
  if (adapter.traits.api === 'none') return `fine: ${adapter.name} has no API; nothing is asked`;
  if (!probe) throw new ToLookAt(`${adapter.name} offers no harmless call: book a test shipment`);
  await probe();
  const status = watched.last()?.status ?? null;
  if (refusesLogin(status))
    throw new Error(
      `${adapter.name} does not accept the credentials (status ${status}): correct config of the account`,
    );
  return `fine: ${adapter.name} answers`;
}

/** Compares with the time that the IMS says. */
export async function checkClock(answer: HttpAnswer | null, check: Check): Promise<void> {
  await check('clock', async () => {
    const theirs = Date.parse(answer?.headers['date'] ?? '');
    if (Number.isNaN(theirs)) throw new ToLookAt('not compared: the IMS does not say its time');
    const offMs = Math.abs(CLOCK.now().getTime() - theirs);
    if (offMs <= MAX_CLOCK_ERROR_MS) return 'fine: agrees with the IMS';
    throw new Error(
      `${Math.round(offMs / 1_000)} s from that of the IMS: have the machine take its time from a server`,
    );
  });
}

/** The address of the service, and that of the provider at which people sign in. */
export async function checkAddresses(settings: Settings, http: HttpPort, check: Check): Promise<void> {
  await checkPublicUrl(settings, http, check);
  await checkOpenId(settings, check);
}

/** Whether the address for callbacks and links leads to the service, as seen from here. */
async function checkPublicUrl(settings: Settings, http: HttpPort, check: Check): Promise<void> {
  await check('PUBLIC_URL', async () => {
    if (linksLeadNowhere(settings))
      throw new ToLookAt(
        `not set: links in messages to workers, and callbacks of carriers, lead to ${publicUrl(settings)}; set the address that others see, e.g. https://waybridge.example`,
      );
    const url = `${publicUrl(settings)}/healthz`;
    const answer = await http.send({ method: 'GET', url, timeoutMs: ADDRESS_ANSWERS_WITHIN_MS }).catch(() => null);
    if (answer?.status === 200) return 'fine: leads to the service';
    const got = answer === null ? 'no answer' : `status ${answer.status}`;
    throw new ToLookAt(
      `${got} from ${url}: start the service, and check PUBLIC_URL; callbacks and label links go there`,
    );
  });
}

/** The database, its disk and its encryption, and Redis. */
export async function checkStorage(settings: Settings, check: Check): Promise<void> {
  await checkDatabase(settings, check);
  await checkDisk(settings, check);
  await checkDataKey(settings, check);
  await checkRedis(settings, check);
}

/** Only with the embedded database. */
async function checkDisk({ DATABASE_URL, DATA_DIR }: Settings, check: Check): Promise<void> {
  if (DATABASE_URL !== undefined) return;
  await check('disk', async () => {
    const { bavail, blocks, bsize } = await statfs(existing(resolve(DATA_DIR)));
    const free = `${(bavail * bsize) / 1e9 < 10 ? ((bavail * bsize) / 1e9).toFixed(1) : Math.round((bavail * bsize) / 1e9)} GB`;
    if (bavail * bsize < LEAST_FREE_BYTES) throw new Error(`only ${free} free for DATA_DIR: free some space`);
    if (bavail < blocks * LEAST_FREE_SHARE) throw new ToLookAt(`only ${free} free for DATA_DIR`);
    return `fine: ${free} free`;
  });
}
