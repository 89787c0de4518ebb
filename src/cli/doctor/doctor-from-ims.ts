import { writeFileSync } from 'node:fs';
import { carriers } from '../../../carriers/index.js';
import { readConfig } from '../../config/config-file.js';
import { withPlaceholders } from '../../config/yaml.js';
import { createImsClient } from '../../ims/calls/client.js';
import { silentLog } from '../../log.js';
import { type SettingProblem, SettingsError, processEnvironment, readSettings } from '../../config/environment.js';
import { createHttpPort } from '../../transport/http-port.js';
import { counted } from './report.js';
import { type AreaAsItIs, type Written, configFromIms, configText } from './config-from-ims.js';

export interface FromImsCommand {
  readonly area?: string;
  /** `-`: standard output. */
  readonly out?: string;
}

type Environment = Readonly<Record<string, string>>;

const KEY_VARIABLE = /^IMS_API_KEY_(\d+)$/;

/**
 * Writes a `waybridge.yaml` for areas as they are set up in the IMS today. Only reads there, and never overwrites a file.
 * @throws SettingsError, or an Error that says why there is nothing to write
 */
export async function doctorFromIms(
  { area, out }: FromImsCommand,
  environment: Environment = processEnvironment(),
): Promise<void> {
  const { settings, problems } = readSettings(environment);
  const keys = keysIn(environment, area);
  const ours = [...problems.filter(({ where }) => where.startsWith('IMS_')), ...keyProblems(keys, area)];
  if (ours.length > 0) throw new SettingsError(ours);
  const allowPrivateAddresses = settings.ALLOW_PRIVATE_ADDRESSES === 'true' ? 'allowed' : 'refused';
  const http = createHttpPort({ allowPrivateAddresses });
  const { IMS_BASE_URL: baseUrl, IMS_AUTH_URL: authUrl, IMS_CLIENT_ID: clientId } = settings;
  const ims = createImsClient(
    { baseUrl, authUrl, clientId, clientSecret: settings.IMS_CLIENT_SECRET },
    {
      ...{ http, clock: { now: () => new Date() }, log: silentLog },
      usage: { add: async () => 0, firstToTell: async () => 'no' },
    },
  );
  try {
    const areas: AreaAsItIs[] = [];
    for (const { contextId, apiKey } of keys) {
      const one = ims.area(contextId, apiKey, 'background');
      const context = await one.loadContext(contextId);
      areas.push({ contextId, context, carriers: await one.listCarriers(), sellers: await one.listSellers() });
    }
    write(
      usable(
        configFromIms(
          areas,
          carriers.map(({ adapter }) => adapter),
        ),
      ),
      out ?? settings.CONFIG_FILE,
    );
  } finally {
    await ims.close();
    http.close();
  }
}

interface Key {
  readonly contextId: string;
  readonly apiKey: string;
}

function keysIn(environment: Environment, wanted: string | undefined): readonly Key[] {
  return Object.entries(environment).flatMap(([variable, apiKey]) => {
    const contextId = KEY_VARIABLE.exec(variable)?.[1];
    return contextId !== undefined && apiKey !== '' && (wanted ?? contextId) === contextId
      ? [{ contextId, apiKey }]
      : [];
  });
}

function keyProblems(keys: readonly Key[], area: string | undefined): readonly SettingProblem[] {
  const rule = "missing; the area's x-api-key, with its contextId in the name of the variable, e.g. IMS_API_KEY_550";
  return keys.length > 0 ? [] : [{ where: `IMS_API_KEY_${area ?? '…'}`, rule }];
}

/** A rule that the service would refuse, as one for a field that no shipment has, becomes a note. */
function usable(written: Written): Written {
  if (Object.keys(written.accounts).length === 0)
    throw new Error(
      'no carrier or seller of these areas has settings in the IMS that we know: write waybridge.yaml by hand',
    );
  const problems = problemsOf(written);
  const refused = new Set(problems.flatMap(({ where }) => /^rules\[(\d+)\]/.exec(where)?.[1] ?? []).map(Number));
  if (refused.size === 0) return written;
  const notes = [...refused].map((index) => {
    const rules = problems
      .filter(({ where }) => where.startsWith(`rules[${index}]`))
      .map(({ where, rule }) => `${where.replace(/^rules\[\d+\]\./, '')} ${rule}`);
    return `${written.rules[index]?.name ?? index} cannot be a rule, and is left out: ${rules.join('; ')}`;
  });
  return usable({
    ...written,
    rules: written.rules.filter((_rule, index) => !refused.has(index)),
    notes: [...written.notes, ...notes],
  });
}

function problemsOf(written: Written): readonly SettingProblem[] {
  const text = configText(written);
  const adapters = carriers.map(({ adapter }) => adapter);
  return readConfig(text, { environment: withPlaceholders(text, {}), adapters, allowPrivate: 'false' }).problems;
}

function write(written: Written, out: string): void {
  const text = configText(written);
  if (out === '-') return console.log(text.trimEnd());
  try {
    writeFileSync(out, text, { flag: 'wx' });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (reason !== 'EEXIST') throw new Error(`${out} cannot be written (${reason})`, { cause: error });
    throw new Error(`${out} exists and was not changed: name another file with --out`, { cause: error });
  }
  console.log(
    `written: ${out}, with ${counted(Object.keys(written.accounts).length, 'account')} and ${counted(written.rules.length, 'rule')}`,
  );
  if (written.notes.length > 0)
    console.log(`to look at: ${counted(written.notes.length, 'note')} at the top of the file`);
  console.log('next: waybridge doctor, then docs/moving.md');
}
