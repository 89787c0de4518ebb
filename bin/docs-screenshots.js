// Writes docs/images: pages of the dashboard, in a sandbox in which one of each trouble happens (`npm run docs:screenshots`).
// It needs Chromium (apt-get install chromium). It ends with exit code 1 when a picture is too large for the repository.
/* global fetch */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(root, 'docs/images');
const MAX_BYTES = 250_000;
const WAIT_MS = 120_000;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const TOKEN = 'sandbox-operator-token';
const BEARER = { authorization: `Bearer ${TOKEN}` };

const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
if (chromiumPath === undefined) throw new Error('Chromium is not installed: apt-get install chromium');

const [sandboxPort, servicePort] = [await freePort(), await freePort()];
const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
const serviceUrl = `http://127.0.0.1:${servicePort}`;
const program = spawn(
  process.execPath,
  ['bin/waybridge.js', 'sandbox', '--with-service', '--port', `${sandboxPort}`, '--service-port', `${servicePort}`],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
try {
  await until('the service is ready', async () => (await fetch(`${serviceUrl}/readyz`).catch(() => null))?.ok === true);
  await tellTheStory();
  await takePictures();
} finally {
  await browser.close();
  program.kill('SIGTERM');
}

/** Bookings that go well, and one of each trouble. */
async function tellTheStory() {
  await control('switches', { parcelsTravel: true, parcelHourMs: 500 });
  for (const carrierName of [
    'GLS',
    'Bring',
    'Pretend',
    'GLS',
    'Budbee',
    'GLS',
    'Bring',
    'DAO',
    'Pretend',
    'DAO',
    'GLS',
  ])
    await book({ carrierName });
  await until('they are booked', async () => (await consignments('state=closed')).length >= 9);
  await book({ carrierName: 'GLS' }, { postalCode: null });
  await book({ carrierName: 'Bring' }, { streetNameAndNumber: null });
  await control('faults', { target: 'dao', path: 'leveringsordre', kind: 'drop-after', times: 3 });
  for (let n = 0; n < 3; n += 1) await book({ carrierName: 'DAO' });
  await until('a person is asked', async () => (await consignments('needsOperator=true')).length > 0);
  await control('faults', { target: 'gls-dk', kind: 'status', status: 503, times: 'always' });
  for (let n = 0; n < 6; n += 1) await book({ carrierName: 'GLS' });
  await until('the carrier is down', async () => {
    const answer = await fetch(`${serviceUrl}/metrics`);
    return /waybridge_circuit_open\{account="gls"\} 1/.test(await answer.text());
  });
}

async function takePictures() {
  mkdirSync(IMAGES, { recursive: true });
  const context = await browser.newContext({ viewport: DESK, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${serviceUrl}/`);
  await page.getByLabel('Operator token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const [booked] = (await consignments('state=closed')).filter(({ account }) => account === 'gls');
  await picture(page, 'today', '/');
  await picture(page, 'consignments', '/consignments');
  await picture(page, 'consignment', `/consignments/${booked.id}`);
  await page.goto(`${serviceUrl}/needs-a-person`);
  await page.locator('.cause-list a', { hasText: 'DAO' }).first().click();
  await picture(page, 'needs-a-person');
  await picture(page, 'carriers', '/carriers');
  await picture(page, 'events', '/inbox');
  await page.setViewportSize(PHONE);
  await picture(page, 'today-phone', '/');
}

async function picture(page, name, path) {
  if (path !== undefined) await page.goto(`${serviceUrl}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(1_000); // charts and the frames of labels are drawn after the page
  const file = join(IMAGES, `${name}.png`);
  const png = await page.screenshot({ animations: 'disabled' });
  writeFileSync(file, png);
  console.log(`${file} ${Math.round(png.length / 1_000)} kB`);
  if (png.length > MAX_BYTES) {
    console.error(`${file} is larger than ${MAX_BYTES / 1_000} kB`);
    process.exitCode = 1;
  }
}

async function book(shipment, address = {}) {
  const deliveryAddress = {
    addressee: 'Signe Lund',
    streetNameAndNumber: 'Birkevej 12',
    postalCode: '5000',
    cityTownOrVillage: 'Odense C',
    countryCode: 'DK',
    ...address,
  };
  const contactPerson = { name: 'Signe Lund', email: 'signe.lund@mail.example', mobileNumber: '+4522334455' };
  const { id } = await control('shipments', {
    area: 1,
    shipment: { privateDelivery: true, deliveryAddress, contactPerson, ...shipment },
    containers: [{ grossWeight: 2.4, dimensions: { length: 0.4, width: 0.3, height: 0.2 } }],
  });
  await control('bookings', { shipmentId: id });
}

async function control(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandboxUrl}/control/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

async function consignments(filter) {
  const answer = await fetch(`${serviceUrl}/api/v1/consignments?${filter}`, { headers: BEARER });
  return (await answer.json()).consignments;
}

async function until(what, isSo) {
  for (const end = Date.now() + WAIT_MS; !(await isSo());) {
    if (Date.now() > end) throw new Error(`not within ${WAIT_MS / 1_000} s: ${what}`);
    await pause(250);
  }
}

function freePort() {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
