import { processEnvironment } from '../config/environment.js';
import type { Forgotten } from '../retention/forget.js';
import { serviceAt } from './ask-service/ask-service.js';
import { startProgress } from './progress.js';

const ANSWERS_WITHIN_MS = 60_000;

export interface ForgetCommand {
  readonly area?: string;
  readonly json?: true;
  readonly url?: string;
}

/** Prints what was removed and what stays. @throws Error with what the service answered, when it refused */
export async function forget(
  shipment: string,
  { area, json, url }: ForgetCommand,
  environment = processEnvironment(),
): Promise<void> {
  const ask = serviceAt(url, environment);
  const query = area === undefined ? '' : `?area=${encodeURIComponent(area)}`;
  const path = `/shipments/${encodeURIComponent(shipment)}/forget${query}`;
  const progress = startProgress('the service removes what names the recipient');
  const asked = ask({ method: 'POST', path, withinMs: ANSWERS_WITHIN_MS });
  const answer = (await asked.finally(progress.end)) as Forgotten;
  if (json) console.log(JSON.stringify(answer, null, 2));
  else for (const line of linesOf(answer)) console.log(line);
}

/** Names of what was removed, for people. */
const WORDS: Readonly<Record<string, string>> = {
  requests: 'requests to carriers without names and addresses now',
  historyTexts: 'history entries without texts of other systems',
  trackingTexts: 'tracking events without texts and places',
  returnLabels: 'return labels',
  requestBodies: 'runs of work without both sides of their requests and links to labels',
};

function linesOf({ shipmentNumber, area, consignments, removed, kept }: Forgotten): readonly string[] {
  const counts = Object.entries(removed).map(
    ([what, count]) => `  ${String(count).padStart(4)}  ${WORDS[what] ?? what}`,
  );
  return [
    `shipment ${shipmentNumber ?? '-'} of area ${area}: ${consignments.map(({ id, state }) => `${id} (${state})`).join(', ')}`,
    'removed:',
    ...counts,
    'kept:',
    ...kept.map(({ what, why }) => `  ${what}: ${why}`),
  ];
}
