import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { until } from '../support/harness.js';
import { type SeamedService, openSeamed } from '../support/seamed-service.js';
import { type Watched, describeInBrowser, openBrowser, openContext, openPage } from './browser.js';
import { DESK, PHONE, SMALL, cutOffOn, picture, serious, sidewaysOf, signIn } from './look.js';

const { oneParcel } = sampleShipments;
const people = { userId: 10000000, deviceName: 'Packing table 1' };

describeInBrowser('what comes in and goes out, in a browser', () => {
  let seamed: SeamedService;
  let browser: Browser;
  let context: BrowserContext;
  let watched: Watched;
  let booked: Booked;
  /** Came before its area was configured. */
  let early: Asked;
  let note: number;

  interface Asked {
    readonly eventId: string;
    readonly documentId: number;
    readonly shipmentId: number;
    readonly detail: object;
  }
  type Booked = Asked & { readonly trackingNumber: string; readonly consignmentId: string };

  const service = () => seamed.service;

  function asked(carrierName: string): Asked {
    const shipmentId = service().ship(oneParcel, { carrierName });
    const { documentId, eventId } = service().bookQuietly(shipmentId);
    const event = { eventType: 'documentCreated', documentType: 'TRANSPORT_BOOKING', contextId: '1', ...people };
    return { eventId, documentId, shipmentId, detail: { eventId, documentId, shipmentId, ...event } };
  }

  async function bookedWith(carrierName: string): Promise<Booked> {
    const one = asked(carrierName);
    await service().send(one.detail);
    const { trackingNumbers, consignment } = await service().ending(one.documentId);
    return { ...one, trackingNumber: String(trackingNumbers[0]), consignmentId: consignment.id };
  }

  async function leaveRefused({ shipmentId, documentId }: Booked): Promise<number> {
    await service().ims('POST /invocations/createDeliveryNote', { shipmentId });
    service().control.addFault({
      ...({ target: 'pretend', method: 'POST', path: '/manifests', kind: 'status', status: 422, times: 1 } as const),
      body: { errors: [{ code: 'late', text: 'the day is closed' }] },
    });
    const document = service().control.handOver(1, [shipmentId]).id;
    const left = {
      eventId: service().eventOf(document),
      documentId: document,
      contextId: '1',
      shipmentIds: [shipmentId],
    };
    await service().send({ ...left, eventType: 'documentCreated', documentType: 'CONSIGNMENT_NOTE' });
    const state = async () =>
      (await service().operator(`/handovers?q=${service().numberOf(documentId)}`)).body.handovers[0]?.state;
    await until('it is refused', async () => (await state()) === 'failed');
    return document;
  }

  beforeAll(async () => {
    [seamed, browser] = await Promise.all([openSeamed(null), openBrowser()]);
    booked = await bookedWith('GLS');
    note = await leaveRefused(await bookedWith('Pretend'));
    early = asked('GLS');
    const body = JSON.stringify({ ...early.detail, contactPerson: 'Karen Blixen' });
    const { database } = seamed;
    await database.query(
      `insert into event (event_id, area, event_type, document_type, document_id, outcome, problems, body, received_at)
       values ($1, '1', 'documentCreated', 'TRANSPORT_BOOKING', $2, 'ignored', '["area 1 is not configured"]', $3, now())`,
      [early.eventId, String(early.documentId), body],
    );
    await service().send('{"eventId":"cut o');
    await service().send({ eventId: randomUUID(), eventType: 'shelfMoved', contextId: '1' });
    await until('the parcels are followed', async () => {
      const parcels = await database.query('select id from tracked_parcel');
      return parcels.length === 2;
    });
    await database.query(
      `update tracked_parcel set status = 'in-transit', status_at = now() - interval '2 days', place = 'Taulov',
              estimated_delivery = '2026-01-02' where tracking_number = $1`,
      [booked.trackingNumber],
    );
    await database.query(
      `insert into tracking_outbox (parcel_id, kind, status, area, state, note, tries, created_at)
       select id, 'message', 'delivered', '1', 'given-up', 'the IMS did not answer', 30, now() from tracked_parcel
        where tracking_number = $1`,
      [booked.trackingNumber],
    );
  });

  beforeEach(async () => {
    await context?.close();
    context = await openContext(browser, { viewport: DESK });
    watched = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await seamed?.close();
  });

  it('shows every column on a small laptop', async () => {
    const { page } = watched;
    await signIn(page, service());
    await page.setViewportSize(SMALL);
    const lists = ['/', '/consignments', '/inbox', '/parcels', '/manifests', '/dead-letters', '/audit', '/carriers'];
    const ones = [`/inbox/${booked.eventId}`, `/parcels/${booked.trackingNumber}`, `/manifests/${note}`];
    const cutOff: (readonly [string, string, unknown])[] = [];
    for (const path of [...lists, ...ones, `/consignments/${booked.consignmentId}`]) {
      await page.goto(`${service().url}${path}`);
      await picture(page, `small${path.replaceAll('/', '-')}`);
      const boxes = [...(await cutOffOn(page)), ['the page', await sidewaysOf(page)]] as const;
      cutOff.push(...boxes.filter(([, pixels]) => pixels !== 0).map(([name, pixels]) => [path, name, pixels] as const));
    }
    // What each carrier can do has a column for each carrier, which stays beside the names of the rows.
    expect(cutOff.filter(([, name]) => name !== 'What each carrier can do')).toEqual([]);
  });

  it.each<readonly [string, () => string, string]>([
    ['events', () => '/inbox', 'Ignored'],
    ['event', () => `/inbox/${booked.eventId}`, 'As it is understood'],
    ['parcels', () => '/parcels', 'Late: in transit'],
    ['parcel', () => `/parcels/${booked.trackingNumber}`, 'What the carrier said'],
    ['manifests', () => '/manifests', 'Failed'],
    ['manifest', () => `/manifests/${note}`, 'What to do'],
    ['dead-letters', () => '/dead-letters', 'Not told'],
  ])(
    'shows the page %s on a desk and on a phone: no complaint, no other host, nothing serious found by axe',
    async (name, path, words) => {
      const { page, complaints, hosts } = watched;
      await signIn(page, service());
      for (const [screen, size] of [['desk', DESK] as const, ['phone', PHONE] as const]) {
        await page.setViewportSize(size);
        await page.goto(`${service().url}${path()}`);
        await page.getByText(words).first().waitFor({ state: 'attached' });
        await picture(page, `${name}-${screen}`);
        expect([screen, await serious(page)]).toEqual([screen, []]);
        expect([screen, await sidewaysOf(page)]).toEqual([screen, 0]);
      }
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([new URL(service().url).host]);
    },
  );

  it('hides what is personal in an event until an operator asks for it, which is in the audit log', async () => {
    const { page } = watched;
    await signIn(page, service());
    await page.goto(`${service().url}/inbox/${early.eventId}`);
    expect(await page.locator('pre').textContent()).not.toContain('Karen Blixen');
    expect(await page.locator('pre').textContent()).toContain(String(early.documentId));
    await page.getByRole('link', { name: 'Show personal data…' }).click();
    expect(await page.locator('pre').textContent()).not.toContain('Karen Blixen');
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show personal data' }).click();
    await page.getByText('Karen Blixen').waitFor();
    const { body } = await service().operator('/audit?limit=1');
    expect(body.entries[0]).toMatchObject({ action: 'show personal data', target: `inbox/${early.eventId}` });
  });

  it('replays an event after it has said what that will do, without scripts', async () => {
    const without = await openContext(browser, { javaScriptEnabled: false });
    const page = await without.newPage();
    await signIn(page, service());
    await page.goto(`${service().url}/inbox?q=${early.documentId}`);
    await page.getByRole('link', { name: 'documentCreated' }).click();
    await page.getByText('Nothing was done: area 1 is not configured').waitFor();
    await page.getByRole('link', { name: 'Replay…' }).click();
    await page.getByText('do what the event asks for, as if it came now').waitFor();
    await picture(page, 'event-replay');
    await page.getByRole('button', { name: 'Replay now' }).click();
    expect(await page.getByRole('status').textContent()).toContain('The event is taken in');
    await service().ending(early.documentId);
    await page.goto(`${service().url}/inbox/${early.eventId}/replay`);
    await page.getByText(/change nothing: consignment \S+ is closed/).waitFor();
    await without.close();
  });

  it('finds a parcel by its tracking number, and what is late by its tab', async () => {
    const { page } = watched;
    await signIn(page, service());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { level: 1, name: 'Parcels' }).waitFor();
    await page.getByRole('link', { name: /^Late/ }).click();
    expect(await page.locator('table.rows tbody tr').count()).toBe(1);
    await page.getByText('GLS named 2026-01-02: ask it where the parcel is.').waitFor();
    await page.goto(`${service().url}/parcels`);
    await page.getByLabel('Tracking number').fill(booked.trackingNumber);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { level: 1, name: booked.trackingNumber }).waitFor();
    await page.getByRole('link', { name: 'Open the consignment' }).click();
    expect(new URL(page.url()).pathname).toBe(`/consignments/${booked.consignmentId}`);
  });

  it('says what to do about a failed manifest, shows its PDF, and retries it', async () => {
    const { page } = watched;
    await signIn(page, service());
    await page.goto(`${service().url}/manifests?state=failed`);
    await page.getByText(/Pretend refused to close out: “.*the day is closed.*”/).waitFor();
    await page.getByRole('link', { name: String(note), exact: true }).click();
    const href = await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href');
    const pdf = await page.request.get(`${service().url}${href}`);
    expect([pdf.status(), pdf.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await page.getByRole('link', { name: 'Retry…' }).click();
    await page.getByText('Will close out with the carrier again').waitFor();
    await picture(page, 'manifest-retry');
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The failed steps are tried again').waitFor();
    await until('it is done', async () => {
      const { body } = await service().operator('/handovers?state=failed');
      return body.handovers.length === 0;
    });
  });

  it('retries what was given up, and says how many', async () => {
    const { page } = watched;
    await signIn(page, service());
    await page.goto(`${service().url}/dead-letters?kind=update`);
    await page.getByRole('link', { name: 'Retry all…' }).click();
    await page.getByText('Retry 1 dead letter?').waitFor();
    await page.getByRole('button', { name: 'Retry now' }).click();
    expect(await page.getByRole('status').textContent()).toContain('1 dead letter tried again');
    await page.getByText('No dead letter fits').waitFor();
  });
});
