import type { Replayed } from '../reconciliation/replay.js';
import { processEnvironment } from '../config/environment.js';
import { serviceAt } from './ask-service/ask-service.js';
import { startProgress } from './progress.js';

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

/** Prints a line for each result. @throws Error with what the service answered, when it refused */
export async function replay(options: ReplayCommand, environment = processEnvironment()): Promise<void> {
  const ask = serviceAt(options.url, environment);
  const { area, shipment, document, since, until, dryRun } = options;
  const request = { area, shipment, document, since, until, dryRun };
  const progress = startProgress('the service reads the IMS; a month takes minutes');
  const asked = ask({ method: 'POST', path: '/replay', body: request, withinMs: ANSWERS_WITHIN_MS });
  const answer = await asked.finally(progress.end);
  for (const line of linesOf(answer as Answer)) console.log(line);
}

interface Answer {
  readonly dryRun: boolean;
  readonly results: readonly Replayed[];
  readonly more: boolean;
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
