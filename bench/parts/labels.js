// How long it takes to make one PDF of labels of one page, against the PDF library alone: each opened, its page copied,
// the whole saved, and how long the service stands while it reads a large one. Two figures of ours: what a booking pays, with the way to the process that reads labels and back, and
// what the same costs within a process. Everything is warm.
import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';

export const name = 'labels';
export const seconds = 30;

const COUNTS = [1, 10, 100];
const GOAL = 1.3;
const LABEL = {
  ...{ carrierName: 'Carrier', service: 'Parcel', trackingNumber: '370735230012345674', reference: '10045' },
  ...{
    sender: ['Warehouse', 'Havnegade 1', '5000 Odense C'],
    recipient: ['Signe Lund', 'Birkevej 12', '5000 Odense C'],
  },
  weightGrams: 1_200,
};
/** In milliseconds of work for each count, so that a single pause does not decide. */
const ABOUT_MS = 1_500;
const LEAST_ROUNDS = 5;

/** Of a label of 4 x 6 inch for a printer of 203 dpi: what a booking pays more than for its PDF. */
const ZPL = { format: 'zpl', widthMm: 101.6, heightMm: 152.4, dpi: 203, sheet: null, perSheet: 1 };
const ZPL_GOAL_MS = 150;

/** As large as a label may be. */
const LARGE_BYTES = 9_900_000;
const STAND_GOAL_MS = 50;
const IDLE_MS = 300;

export async function run(frame) {
  const { createAssembler } = await import('../../dist/src/labels/assembler.js');
  const { assembleLabels } = await import('../../dist/src/labels/assemble.js');
  const { assemble, close } = createAssembler();
  frame.atEnd(close);
  for (const count of COUNTS) {
    const labels = await onePageLabels(count);
    const ways = [() => assemble(labels, null), () => merged(labels), () => assembleLabels(labels)];
    const [ours, alone, inProcess] = await inTurns(ways, frame.median);
    frame.measure(`${count} ${count === 1 ? 'label' : 'labels'} of one page`, {
      ...{ value: ours / alone, unit: '× the library', goal: { atMost: GOAL } },
      control: [
        { what: 'as a booking pays', value: ours, unit: 'ms' },
        { what: 'the library', value: alone, unit: 'ms' },
        { what: 'the same within one process', value: inProcess, unit: 'ms' },
      ],
    });
  }
  await measureZpl(frame, assemble);
  await measureStanding(frame, assemble);
}

/** Nothing else is done in the service meanwhile, above all no lease is renewed. */
async function measureStanding(frame, assemble) {
  const document = await PDFDocument.create();
  document.addPage([298, 420]);
  document.context.register(document.context.stream(randomBytes(LARGE_BYTES)));
  const labels = [{ format: 'pdf', bytes: await document.save() }];
  await longestStand(() => assemble(labels, null));
  const stands = [];
  for (let round = 0; round < LEAST_ROUNDS; round += 1) stands.push(await longestStand(() => assemble(labels, null)));
  const idle = await longestStand(() => pause(IDLE_MS));
  frame.measure('longest stand of the service while a label of 10 MB is read', {
    ...{ value: Math.max(...stands), unit: 'ms', goal: { atMost: STAND_GOAL_MS } },
    control: [{ what: 'the same while nothing is read', value: idle, unit: 'ms' }],
  });
}

async function longestStand(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

async function measureZpl(frame, assemble) {
  const { LABEL_100_BY_150, drawLabels } = await import('../../dist/carriers/toolkit/simulator/label.js');
  const drawn = await drawLabels([LABEL], { ...LABEL_100_BY_150, widthMm: 101.6, heightMm: 152.4 });
  const labels = [{ format: 'pdf', bytes: drawn }];
  const [zpl, pdf] = await inTurns([() => assemble(labels, ZPL), () => assemble(labels, null)], frame.median);
  frame.measure('1 label of 4 x 6 inch as ZPL', {
    ...{ value: zpl, unit: 'ms', goal: { atMost: ZPL_GOAL_MS } },
    control: [{ what: 'the same as PDF', value: pdf, unit: 'ms' }],
  });
}

/** One after the other, over and over: whatever else the machine does hits all of them alike. */
async function inTurns(ways, median) {
  const times = ways.map(() => []);
  // Compiled, and the other process started.
  for (let round = 0; round < LEAST_ROUNDS; round += 1) for (const way of ways) await way();
  const endsAt = performance.now() + ABOUT_MS * ways.length;
  while (performance.now() < endsAt || times[0].length < LEAST_ROUNDS)
    for (const [place, way] of ways.entries()) {
      const beganAt = performance.now();
      await way();
      times[place].push(performance.now() - beganAt);
    }
  return times.map(median);
}

async function merged(labels) {
  const all = await PDFDocument.create({ updateMetadata: false });
  for (const { bytes } of labels) {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    for (const page of await all.copyPages(document, document.getPageIndices())) all.addPage(page);
  }
  return all.save();
}

/** As the simulated carriers draw them: a page with some lines of text. */
async function onePageLabels(count) {
  return Promise.all(Array.from({ length: count }, (_none, n) => onePageLabel(n)));
}

async function onePageLabel(n) {
  const document = await PDFDocument.create();
  const page = document.addPage([298, 420]);
  for (let line = 0; line < 20; line += 1)
    page.drawText(`Parcel ${n}, line ${line}: Birkevej 12, 5000 Odense C`, { x: 20, y: 390 - line * 18, size: 10 });
  return { format: 'pdf', bytes: await document.save() };
}
