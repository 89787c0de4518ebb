import type { Replayed } from '../reconciliation/replay.js';
import { mayCarryCredentials, processEnvironment, publicUrl, readSettings } from '../config/environment.js';

/** A span of a month is read from the IMS before the service answers. */
const ANSWERS_WITHIN_MS = 180_000;

export interface ReplayCommand {
  readonly area: string;
  readonly shipment?: string;
  readonly document?: string;
  readonly since?: string;
  readonly until?: string;
  readonly dryRun?: true;
  readonly url?: string;
}

export const REPLAY_EXAMPLES = `
The service must be running at PUBLIC_URL or --url. OPERATOR_TOKEN must be set.

Examples:
  waybridge replay --area 550 --shipment 10000013
  waybridge replay --area 550 --document 10000021 --dry-run
  waybridge replay --area 550 --since 2026-03-04T06:00:00Z --until 2026-03-04T09:30:00Z
  waybridge replay --area 550 --since 2026-03-04 --url https://waybridge.example
`;

/** Prints a line for each result. @throws Error with what the service answered, when it refused */
export async function replay(options: ReplayCommand, environment = processEnvironment()): Promise<void> {
  const { settings } = readSettings(environment);
  const url = (options.url ?? publicUrl(settings)).replace(/\/+$/, '');
  if (!settings.OPERATOR_TOKEN) throw new Error('OPERATOR_TOKEN is missing: the service requires it');
  if (!mayCarryCredentials(url, settings.ALLOW_PRIVATE_ADDRESSES))
    throw new Error('--url must be an https address (plain http only to this machine), e.g. https://waybridge.example');
  const { area, shipment, document, since, until, dryRun } = options;
  const request = { area, shipment, document, since, until, dryRun };
  const answer = await ask(`${url}/api/v1/replay`, settings.OPERATOR_TOKEN, request);
  for (const line of linesOf(answer)) console.log(line);
}

interface Answer {
  readonly dryRun: boolean;
  readonly results: readonly Replayed[];
  readonly more: boolean;
}

async function ask(address: string, token: string, request: object): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch((cause: unknown) => {
    throw new Error(`the service at ${new URL(address).origin} does not answer: is it running?`, { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  if (isAnswer(response, body)) return body;
  const { title = 'no reason', detail } = (body ?? {}) as { readonly title?: string; readonly detail?: string };
  throw new Error(`the service says ${response.status}: ${title}${detail === undefined ? '' : `: ${detail}`}`);
}

/** Our own service's answer with status 200 has this shape. */
function isAnswer(response: Response, body: unknown): body is Answer {
  return response.ok && body !== null && typeof body === 'object' && 'results' in body;
}

function linesOf({ dryRun, results, more }: Answer): readonly string[] {
  const nothing = results.length === 0 ? ['no open document was found'] : [];
  const cut = more ? [`there are more than these ${results.length}: run it again, or with a shorter span`] : [];
  const dry = dryRun ? ['this was a dry run: nothing was changed'] : [];
  return [...results.map(lineOf), ...nothing, ...cut, ...dry];
}

function lineOf({ documentId, shipmentId, outcome, because }: Replayed): string {
  const about = documentId === null ? 'no carrier yet' : `document ${documentId}`;
  const what = documentId === null && shipmentId === null ? 'the span' : `shipment ${shipmentId ?? '-'}, ${about}`;
  return `${outcome.padEnd(14)}  ${what}${because === null ? '' : `: ${because}`}`;
}
