import { existsSync } from 'node:fs';
import { isJsonObject, tryParseJson } from '../../../carriers/contract/json.js';
import { areaTexts } from '../../areas/area-texts.js';
import { connectAccounts } from '../../accounts/connect-accounts.js';
import { type ShipmentExplanation, explainFromFile } from '../../operator/explain.js';
import { readShipment } from '../../ims/resources.js';
import { type ReadConfig, readConfig } from '../../config/config-file.js';
import { withPlaceholders } from '../../config/yaml.js';
import { masker, silentLog } from '../../log.js';
import { profileSettings } from '../../config/sections/printing.js';
import { loadMessages } from '../../messages/messages.js';
import { compileProfiles } from '../../printing/choose-profile.js';
import { compileRules } from '../../routing/choose-carrier.js';
import { SettingsError, processEnvironment, readSettings } from '../../config/environment.js';
import { shapeProblems } from '../../routing/facts/shipment-shape.js';
import { templatesFolder } from '../../program-files.js';
import { createDryRun } from '../../transport/dry-run.js';
import { explanationLines } from './explain-text.js';
import { serviceAt } from '../ask-service/ask-service.js';
import { readTextFile } from '../text-file.js';
import { adaptersOf, allCarriers } from '../settings-for.js';

type Environment = Readonly<Record<string, string>>;

const ANSWERS_WITHIN_MS = 60_000;

export interface ExplainCommand {
  readonly area?: string;
  readonly json?: true;
  readonly device?: string;
  readonly user?: string;
  readonly url?: string;
}

/** Prints the explanation as text or as JSON. @throws SettingsError, or an Error that says why there is nothing to explain */
export async function explain(
  shipment: string,
  options: ExplainCommand,
  environment = processEnvironment(),
): Promise<void> {
  const found = shipment.endsWith('.json')
    ? await fromFile(shipment, options, environment)
    : await fromService(shipment, options, environment);
  const lines = options.json ? [JSON.stringify(found, null, 2)] : explanationLines(found);
  for (const line of lines) console.log(line);
}

async function fromFile(
  path: string,
  { area: wanted, device, user }: ExplainCommand,
  environment: Environment,
): Promise<ShipmentExplanation> {
  const config = await configIn(environment);
  const { contextId, timeZone, language, bookOn } = areaIn(config, wanted);
  const messages = await loadMessages(templatesFolder());
  const { profiles, use } = profileSettings(config.file.printing);
  const clock = { now: () => new Date() };
  const mask = masker(config.secrets);
  const planner = {
    accounts: connectAccounts(config.accounts, {
      http: createDryRun().port,
      log: silentLog,
      clock,
      hide: () => undefined,
    }),
    rules: compileRules(config.rules, config.accounts),
    ...(profiles.length > 0 && { profiles: compileProfiles({ profiles, use }) }),
    ...{ clock, log: silentLog, mask: (text: string) => String(mask(text)) },
  };
  const speaking = { contextId, timeZone, checksDangerousGoods: false, ...areaTexts(messages, { language, bookOn }) };
  const event = { ...(device !== undefined && { deviceName: device }), ...(user !== undefined && { userId: user }) };
  return explainFromFile(planner, speaking, { shipment: shipmentIn(path), event });
}

/** Sends nothing, so it needs neither the service's settings nor a secret. */
async function configIn(environment: Environment): Promise<ReadConfig> {
  const { settings } = readSettings(environment);
  const text = readTextFile(settings.CONFIG_FILE);
  const loaded = await adaptersOf(settings.CONFIG_FILE, environment);
  if (loaded.problems.length > 0) throw new SettingsError(loaded.problems);
  const { config, problems } = readConfig(text, {
    environment: withPlaceholders(text, environment),
    adapters: allCarriers(loaded).map(({ adapter }) => adapter),
    allowPrivate: 'true',
  });
  if (config === null) throw new SettingsError(problems);
  return config;
}

/** The area may be left out only where there is one, as in the service. */
function areaIn({ file: { areas } }: ReadConfig, wanted: string | undefined): ReadConfig['file']['areas'][number] {
  const found = areas.filter(({ contextId }) => wanted === undefined || contextId === wanted);
  const [area] = found;
  if (!area || found.length > 1)
    throw new Error(
      areaToAdd(
        wanted,
        areas.map(({ contextId }) => contextId),
      ),
    );
  return area;
}

/** A shipment as the IMS gives it. One that was written by hand may lack the ids. */
function shipmentIn(path: string) {
  if (!existsSync(path)) throw new Error(`${path}: there is no such file`);
  const raw = tryParseJson(Buffer.from(readTextFile(path)));
  if (raw === undefined) throw new Error(`${path} is not JSON`);
  if (!isJsonObject(raw)) throw new Error(`${path} is not a shipment as the IMS gives it`);
  const [problem] = shapeProblems(raw);
  if (problem) throw new Error(`${path} is not a shipment as the IMS gives it: ${problem.path} ${problem.rule}`);
  const shipment = readShipment(withIds(raw));
  if (shipment === null) throw new Error(`${path} is not a shipment as the IMS gives it`);
  return shipment;
}

function withIds(raw: object): object {
  const containers: unknown = 'shippingContainers' in raw ? raw.shippingContainers : [];
  const numbered = Array.isArray(containers)
    ? containers.map((container: unknown, place) =>
        typeof container === 'object' && container !== null ? { id: place + 1, ...container } : container,
      )
    : [];
  return { id: 'file', ...raw, shippingContainers: numbered };
}

async function fromService(
  id: string,
  { area, device, user, url }: ExplainCommand,
  environment: Environment,
): Promise<ShipmentExplanation> {
  const asked = Object.entries({ area, deviceName: device, userId: user });
  const said = asked.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));
  const query = said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
  const path = `/shipments/${encodeURIComponent(id)}/explain${query}`;
  try {
    return (await serviceAt(
      url,
      environment,
    )({
      ...{ method: 'GET', path, withinMs: ANSWERS_WITHIN_MS },
    })) as ShipmentExplanation;
  } catch (error) {
    const areas = error instanceof Error ? /: area is one of (.+)$/.exec(error.message)?.[1] : undefined;
    throw areas === undefined ? error : new Error(areaToAdd(area, areas.split(', ')), { cause: error });
  }
}

/** Tells a person which `--area` to add where it is missing, or not configured. */
function areaToAdd(wanted: string | undefined, areas: readonly string[]): string {
  const choices = areas.map((area) => `--area ${area}`).join(' or ');
  return wanted === undefined
    ? `there are several areas: add ${choices}`
    : `there is no area ${wanted}: take ${choices}`;
}
