import type { ReprintRequest } from '../../operator/labels/reprint.js';
import { processEnvironment } from '../../config/environment.js';
import { serviceAt } from '../ask-service/ask-service.js';

/** The labels may be converted, and attached, before they are printed. */
const ANSWERS_WITHIN_MS = 90_000;

export interface ReprintCommand {
  readonly device?: string;
  readonly copies?: number;
  readonly parcel?: string;
  readonly profile?: string;
  readonly reason?: string;
  readonly url?: string;
}

/** Prints what came of it; the exit code is 1 when that is unknown. @throws Error with what the service answered, when it refused */
export async function askForReprint(
  id: string,
  { device, url, ...options }: ReprintCommand,
  environment = processEnvironment(),
): Promise<void> {
  const ask = serviceAt(url, environment);
  const body: ReprintRequest = { ...options, ...(device !== undefined && { deviceName: device }) };
  const path = `/consignments/${encodeURIComponent(id)}/reprint`;
  const answer = await ask({ method: 'POST', path, body, withinMs: ANSWERS_WITHIN_MS });
  const { lastAction } = answer as { readonly lastAction: { readonly result: string; readonly text: string } };
  console.log(`${lastAction.result}: ${lastAction.text}`);
  if (lastAction.result !== 'done') process.exitCode = 1;
}
