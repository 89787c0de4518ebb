import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/sandbox.js';
import type { Told } from './demo-report.js';
import type { Story } from './demo-stories.js';
import { startProgress } from '../progress.js';
import { sandboxSecrets } from '../sandbox/sandbox-config.js';
import { waitUntil } from '../sandbox/wait-until.js';

/** Milliseconds for an hour of a parcel, so that the longest journey ends within seconds. */
export const PARCEL_HOUR_MS = 40;
/** Share of the callbacks that come twice, late, or after a forged one. */
export const CALLBACK_TROUBLE = 0.5;
const PATIENCE = { withinMs: 15_000, everyMs: 100 };
const REQUEST_WITHIN_MS = 10_000;

/** A story that was played, with the journey of its parcels. */
export interface Travelled {
  readonly story: Story;
  readonly told: Told;
  readonly shipmentId: number;
}

interface Stage {
  readonly sandbox: Sandbox;
  readonly output: string;
  readonly service: { readonly url: string };
}

/**
 * Runs after the bookings: the carriers collect the parcels and send tracking events. Reads from the service which status
 * each parcel has.
 * @returns the differences from the expected statuses
 */
export async function followParcels(stage: Stage, all: readonly Travelled[]): Promise<readonly string[]> {
  const travelling = all.filter(({ story }) => story.journey !== undefined);
  console.log(
    '\nThe carriers take the parcels and report what happens on the way (some events twice, late or forged):',
  );
  const note = leave(stage, travelling);
  const problems = [...(await untilArrived(stage, travelling))];
  problems.push(...(await forge(stage, travelling)), ...(await keepList(stage, note)));
  const toldOfReturn = () => messagesOf(stage, travelling).some((text) => text.includes('comes back'));
  if (!(await waitUntil(toldOfReturn, PATIENCE))) problems.push('no worker was told of the parcel that comes back');
  console.log('What workers were told about them:');
  for (const text of messagesOf(stage, travelling)) console.log(`  ${text}`);
  for (const problem of problems) console.log(`✗ ${problem}`);
  if (problems.length === 0) console.log('all parcels ended as expected');
  return problems;
}

/** @returns the differences from the expected statuses */
async function untilArrived(stage: Stage, travelling: readonly Travelled[]): Promise<readonly string[]> {
  const progress = startProgress('shipments whose parcels have arrived');
  const problems: string[] = [];
  try {
    for (const [place, { story, told }] of travelling.entries()) {
      progress.at(place, travelling.length);
      const ends = await Promise.all(told.trackingNumbers.map((number) => untilStatus(stage, number, story.journey)));
      ends.forEach((end, index) => progress.print(`  ${told.number}  ${told.trackingNumbers[index]}  ${end}`));
      const wrong = ends.filter((end) => end !== story.journey);
      if (wrong.length > 0) problems.push(`${told.number} should be ${story.journey}, it is ${wrong.join(', ')}`);
    }
  } finally {
    progress.end();
  }
  return problems;
}

/** @returns the consignment note */
function leave({ sandbox }: Stage, travelling: readonly Travelled[]): number {
  const shipmentIds = travelling.map(({ shipmentId }) => shipmentId);
  for (const shipmentId of shipmentIds)
    sandbox.control.createDocument({ area: 1, documentType: 'DELIVERY_NOTE', shipmentIds: [shipmentId] });
  return sandbox.control.handOver(1, shipmentIds).id;
}

/** @returns the last status that was seen */
async function untilStatus(stage: Stage, trackingNumber: string, wanted: string | undefined): Promise<string> {
  let status = 'unknown';
  await waitUntil(async () => {
    status = await statusOf(stage, trackingNumber);
    return status === wanted;
  }, PATIENCE);
  return status;
}

async function statusOf(stage: Stage, trackingNumber: string): Promise<string> {
  const answer = await ask(stage, `/parcels/${trackingNumber}`);
  const found: unknown = answer.ok ? await answer.json() : {};
  return /"status":"([a-z-]+)"/.exec(JSON.stringify(found))?.[1] ?? 'unknown';
}

/** Sends a forged callback that reports a parcel as lost. */
async function forge(stage: Stage, travelling: readonly Travelled[]): Promise<readonly string[]> {
  const { control } = stage.sandbox;
  const [victim] = travelling.filter(({ told }) => told.carrier === 'Pretend');
  const trackingNumber = victim?.told.trackingNumbers[0] ?? '';
  const status = 'lost-or-damaged';
  control.happen({ carrier: 'pretend', trackingNumber, status, manner: 'forged', delayMs: 0 });
  const last = () => control.callbacks().find((call) => call.status === status);
  await waitUntil(() => last()?.answer != null, PATIENCE);
  const unharmed = (await statusOf(stage, trackingNumber)) === victim?.story.journey;
  console.log(`A forged callback says that ${trackingNumber} is lost: refused (${last()?.answer ?? 'no answer'})`);
  return last()?.answer === 401 && unharmed ? [] : ['a forged callback was not refused'];
}

async function keepList(stage: Stage, note: number): Promise<readonly string[]> {
  const file = join(stage.output, `handover-${note}.pdf`);
  let list: Uint8Array | null = null;
  await waitUntil(async () => {
    const answer = await ask(stage, `/handovers/${note}`);
    list = answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    return list !== null;
  }, PATIENCE);
  if (list === null) return ['there is no manifest'];
  writeFileSync(file, list);
  console.log(`The manifests to sign: ${file}`);
  return [];
}

/** About what happened after the booking. */
function messagesOf({ sandbox }: Stage, travelling: readonly Travelled[]): readonly string[] {
  const numbers = new Set(travelling.flatMap(({ told }) => told.trackingNumbers));
  const texts = sandbox.control.state().messages.map((message) => String(message['messageText']));
  return texts.filter((text) => [...numbers].some((number) => text.includes(number)));
}

function ask({ service }: Stage, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${sandboxSecrets.OPERATOR_TOKEN}` };
  const signal = AbortSignal.timeout(REQUEST_WITHIN_MS);
  return fetch(`${service.url}/api/v1${path}`, { headers, signal });
}
