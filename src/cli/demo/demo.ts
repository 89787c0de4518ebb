import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ListedCarrier, carriers } from '../../../carriers/index.js';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { type ChildService, freePort, startChild } from '../sandbox/child-service.js';
import { CALLBACK_TROUBLE, PARCEL_HOUR_MS, type Travelled, followParcels } from './demo-journeys.js';
import { type Told, showTable, told } from './demo-report.js';
import { type Story, stories, storiesOfOthers } from './demo-stories.js';
import { type Progress, startProgress } from '../progress.js';
import { loadPlugIns } from '../sandbox/load-plug-ins.js';
import {
  type PluggedIn,
  callbackTargets,
  eventTarget,
  sandboxConfig,
  sandboxEnvironment,
} from '../sandbox/sandbox-config.js';
import { waitUntil } from '../sandbox/wait-until.js';

/** A story that does not end is reported as it stands. */
const PATIENCE = { withinMs: 60_000, everyMs: 20 };

export interface DemoCommand {
  readonly output: string;
  readonly data?: string;
  readonly adapter?: readonly string[];
}

/** The processes that a story uses. */
interface Stage {
  readonly sandbox: Sandbox;
  readonly output: string;
  /** The carriers that the sandbox simulates. */
  readonly listed: readonly ListedCarrier[];
  service: ChildService;
  readonly restart: () => Promise<void>;
  /** Prints a line of the report. */
  print: Progress['print'];
}

/**
 * Plays every story against the sandbox, over real HTTP and with the service in a process of its own. The exit code is
 * 0 only if each of them ended as it should.
 */
export async function demo({ output, data, adapter }: DemoCommand): Promise<void> {
  const plugged = await loadPlugIns(adapter);
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-demo-'));
  const stage = await openStage({ folder, output, dataDir: data ?? join(folder, 'data') }, plugged);
  try {
    const results = await playAll(stage);
    showTable(
      results.map((result) => result.told),
      output,
    );
    const problems = await followParcels(stage, results);
    if (problems.length > 0 || results.some((result) => result.told.problems.length > 0)) process.exitCode = 1;
  } finally {
    await stage.service.stop();
    await stage.sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playAll(stage: Stage): Promise<readonly Travelled[]> {
  const others = storiesOfOthers(stage.listed.map(({ adapter: { name } }) => name));
  const together = [...stories.filter(({ twist }) => twist !== 'killed'), ...others];
  // The story that kills the service runs alone, after all others.
  const alone = stories.filter(({ twist }) => twist === 'killed');
  const of = together.length + alone.length;
  const progress = startProgress('stories that have ended');
  stage.print = progress.print;
  let ended = 0;
  const played = async (story: Story) => {
    const result = await play(stage, story);
    progress.at((ended += 1), of);
    return result;
  };
  try {
    progress.at(ended, of);
    const results = await Promise.all(together.map(played));
    for (const story of alone) results.push(await played(story));
    return results;
  } finally {
    progress.end();
  }
}

interface Folders {
  readonly folder: string;
  readonly output: string;
  readonly dataDir: string;
}

async function openStage({ folder, output, dataDir }: Folders, plugged: PluggedIn): Promise<Stage> {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const listed = [...carriers, ...plugged.plugIns];
  console.log('starting the sandbox: IMS and carriers …');
  const sandbox = await startSandbox({ port: 0, carriers: listed });
  const configFile = join(folder, 'waybridge.yaml');
  writeFileSync(configFile, sandboxConfig(sandbox, plugged));
  const place = { port: await freePort(), configFile, dataDir };
  const environment = sandboxEnvironment(sandbox, place, plugged);
  const start = () => startChild(environment, join(output, 'service.log'));
  console.log('starting the service with an embedded database …');
  const stage: Stage = {
    sandbox,
    output,
    listed,
    service: await start(),
    restart: async () => {
      stage.service = await start();
    },
    print: console.log,
  };
  sandbox.control.setEventTargets([eventTarget(stage.service.url)]);
  sandbox.control.setCallbackTargets(callbackTargets(stage.service.url, plugged));
  sandbox.control.setSwitches({ parcelHourMs: PARCEL_HOUR_MS, callbackTrouble: CALLBACK_TROUBLE });
  console.log(`sandbox ${sandbox.url}, service ${stage.service.url}\n`);
  return stage;
}

async function play(stage: Stage, story: Story): Promise<Travelled> {
  const { control } = stage.sandbox;
  const begin = performance.now();
  const shipment = control.createShipment({
    area: story.area,
    shipment: { ...story.sample.shipment, ...story.changes },
    containers: story.sample.containers,
    event: 'send',
  });
  if (story.journey) control.planJourney(String(shipment['shipmentNumber']), story.journey);
  if (story.ending === 'carrier-set' || story.ending === 'warned') {
    const enough = story.ending === 'warned' ? isWarned : hasCarrier;
    await waitUntil(() => enough(stage, shipment.id), PATIENCE);
    return shown(stage, story, {
      shipmentId: shipment.id,
      documentId: null,
      ms: Math.round(performance.now() - begin),
    });
  }
  if (story.twist === 'killed') {
    // The label is slow, so that the service can be killed between booking and write-back.
    control.addFault({ target: 'pretend', method: 'GET', path: '/labels$', kind: 'delay', ms: 3_000 });
  }
  const document = control.createTransportBooking(shipment.id);
  if (story.twist === 'killed') await pullThePlug(stage, String(shipment['shipmentNumber']));
  await waitUntil(() => ['DONE', 'FAILED'].includes(statusOf(stage, document.id)), PATIENCE);
  const ms = Math.round(performance.now() - begin);
  // The print request is sent concurrently with the last status and may arrive after it.
  if (story.ending === 'labelled') await waitUntil(() => isPrinted(stage, document.id), PATIENCE);
  if (story.twist === 'cancelled') {
    control.cancelDocument(document.id);
    await waitUntil(() => messagesAbout(stage, document.id).length > 0, PATIENCE);
  }
  return shown(stage, story, { shipmentId: shipment.id, documentId: document.id, ms });
}

function shown(stage: Stage, story: Story, ids: Parameters<typeof told>[2]): Travelled {
  const result: Told = told(stage, story, ids);
  stage.print(`  ${result.problems.length === 0 ? '✓' : '✗'} ${result.number.padEnd(7)} ${story.title}`);
  return { story, told: result, shipmentId: ids.shipmentId };
}

async function pullThePlug(stage: Stage, reference: string): Promise<void> {
  const { control } = stage.sandbox;
  await waitUntil(
    () => control.bookings('pretend')?.some((booking) => booking.reference === reference) ?? false,
    PATIENCE,
  );
  await new Promise((done) => setTimeout(done, 300));
  await stage.service.kill();
  stage.print(
    `  … ${reference} is booked at the carrier; the service was killed before it wrote the numbers to the IMS; starting it again`,
  );
  await stage.restart();
}

function rowOf(stage: Stage, shipmentId: number) {
  return stage.sandbox.control.state().shipments.find((row) => row.id === shipmentId);
}

function hasCarrier(stage: Stage, shipmentId: number): boolean {
  return (rowOf(stage, shipmentId)?.carrierName ?? null) !== null;
}

function isWarned(stage: Stage, shipmentId: number): boolean {
  const eventId = rowOf(stage, shipmentId)?.['shipmentCreatedEventId'];
  return stage.sandbox.control.state().messages.some((message) => message.eventId === eventId);
}

function isPrinted(stage: Stage, documentId: number): boolean {
  return stage.sandbox.control.state().prints.some((print) => JSON.stringify(print.body).includes(String(documentId)));
}

function statusOf(stage: Stage, documentId: number): string {
  const document = stage.sandbox.control.state().documents.find((candidate) => candidate.id === documentId);
  return document?.workStatus ?? 'missing';
}

function messagesAbout(stage: Stage, documentId: number) {
  const document = stage.sandbox.control.state().documents.find((candidate) => candidate.id === documentId);
  const ids = [document?.['documentCreatedEventId'], document?.['documentCancelledEventId']];
  return stage.sandbox.control.state().messages.filter((message) => ids.includes(message.eventId));
}
