import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { operatorNeeded } from '../support/endings.js';
import { type Ending, type Service, startService } from '../support/harness.js';
import { type Watched, describeInBrowser, openBrowser, openContext, openPage } from './browser.js';
import { DESK, PHONE, picture, serious, sidewaysOf, signIn } from './look.js';

const IN_DOUBT = 18;

describeInBrowser('what needs a person, in a browser', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let watched: Watched;
  let doubtful: readonly Ending['consignment'][];
  let refused: Ending;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    doubtful = await inDoubt(IN_DOUBT);
    refused = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
  });

  beforeEach(async () => {
    await context?.close();
    context = await openContext(browser, { viewport: DESK });
    watched = await openPage(context);
    await signIn(watched.page, service);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Bookings with DAO that another program may have sent before our records began: only a person can find out. */
  async function inDoubt(count: number): Promise<readonly Ending['consignment'][]> {
    const documents: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const { documentId } = service.bookQuietly(service.ship(sampleShipments.oneParcel, { carrierName: 'DAO' }));
      await service.ims(`PATCH /documents/${documentId}`, { workStatus: 'ON_GOING' });
      await service.operator('/replay', { method: 'POST', body: { area: '1', document: String(documentId) } });
      documents.push(documentId);
    }
    const found = [];
    for (const documentId of documents) {
      found.push((await operatorNeeded(service, documentId)).consignment);
    }
    return found;
  }

  async function openCause(page: Page, carrier: string, question: RegExp): Promise<void> {
    await page.goto(`${service.url}/needs-a-person`);
    await page.locator('.cause-list a', { hasText: carrier }).click();
    await page.getByRole('heading', { level: 1, name: question }).waitFor();
  }

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('shows one cause as one decision, on a %s', async (name, size) => {
    const { page, complaints, hosts } = watched;
    await page.setViewportSize(size);
    await openCause(page, 'DAO', /Are these 18 bookings at DAO\?/);
    expect(await page.locator('#needs-a-person').textContent()).toBe('19');
    expect(await page.title()).toBe('19 · Needs a person · Waybridge');
    expect(await page.locator('.answer-rows tbody tr').count()).toBe(IN_DOUBT);
    await picture(page, `needs-a-person-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.goto(`${service.url}/needs-a-person`);
    await picture(page, `needs-a-person-causes-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  it('names the rows of a table that are wrong, and fills in the others', async () => {
    const { page } = watched;
    await openCause(page, 'DAO', /Are these 18 bookings at DAO\?/);
    const [first, second] = doubtful;
    const table = `id,answer\n${first.id},not-booked\n${second.id},perhaps\nunknown,not-booked\n`;
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    const alert = await page.getByRole('alert').textContent();
    expect(alert).toContain('Line 3: answer is one of booked, not-booked, give-up.');
    expect(alert).toContain('unknown is not in this list');
    expect(await page.locator('input[value="not-booked"]:checked').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Review 1 answer…' }).count()).toBe(1);
    expect((await service.look(Number(first.documentId))).consignment.needsOperator).toBe(true);
  });

  it('resolves eighteen bookings in doubt with a table, keys and one confirmation, and says what became of each', async () => {
    const { page, complaints } = watched;
    await openCause(page, 'DAO', /Are these 18 bookings at DAO\?/);
    const link = page.getByRole('link', { name: 'List as CSV' });
    const list = await page.request.get(new URL(String(await link.getAttribute('href')), page.url()).href);
    const [heading = '', ...lines] = (await list.text()).trimEnd().split('\r\n');
    expect(heading).toMatch(/^id,shipment,carrier,reference,container,answer,carrierNumber,trackingNumber,sent/);
    expect(lines).toHaveLength(IN_DOUBT);
    const answered = lines.slice(0, 10).map((line, n) => line.replace(',,,', `,booked,,0005715127000000${1000 + n}`));
    const buffer = Buffer.from([heading, ...answered].join('\r\n'));
    await page.locator('input[type="file"]').setInputFiles({ name: 'answers.csv', mimeType: 'text/csv', buffer });
    await page.getByText('10 at DAO: numbers go to the IMS').waitFor();
    const open = page.locator('.answer-rows tbody tr:not(:has(.choice input:checked))');
    for (let left = await open.count(); left > 1; left -= 1) {
      await open.first().getByRole('link').focus();
      await page.keyboard.press('2');
    }
    await open.first().getByRole('link').focus();
    await page.keyboard.press('3');
    await page.getByText('10 at DAO: numbers go to the IMS · 7 not there: booked again · 1 given up').waitFor();
    await page.getByLabel('Pace').selectOption('25');
    await picture(page, 'needs-a-person-answered');
    await page.getByRole('button', { name: 'Review 18 answers…' }).click();
    await page.getByRole('heading', { level: 1, name: 'Apply 18 answers?' }).waitFor();
    expect(await page.getByText('write the numbers of 10 that DAO has to the IMS').count()).toBe(1);
    await picture(page, 'needs-a-person-review');
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply 18 answers' }).click();
    await page.getByText('All of them have come to rest.').waitFor();
    await picture(page, 'needs-a-person-became');
    expect(await serious(page)).toEqual([]);
    expect(await page.locator('.became tbody tr', { hasText: 'Closed' }).count()).toBe(7);
    // DAO gives no label for numbers that the test has made up.
    expect(await page.locator('.became tbody tr', { hasText: 'Incomplete' }).count()).toBe(10);
    expect(await page.locator('.became tbody tr', { hasText: 'Refused' }).count()).toBe(1);
    expect(complaints).toEqual([]);
    const { body } = await service.operator('/audit?limit=1');
    expect(body.entries[0]).toMatchObject({ action: 'resolve several', result: 'done' });
    const states = await Promise.all(doubtful.map(({ documentId }) => service.ending(Number(documentId))));
    expect(states.filter(({ consignment }) => consignment.needsOperator)).toEqual([]);
  });

  it('retries a refused booking after its address was corrected in the IMS', async () => {
    const { page, complaints } = watched;
    const { shipmentId } = refused.consignment;
    await service.ims(`PATCH /shipments/${shipmentId}`, {
      deliveryAddress: { ...(sampleShipments.oneParcel.shipment['deliveryAddress'] as object) },
    });
    await openCause(page, 'GLS', /1 booking is refused/);
    await picture(page, 'needs-a-person-refused');
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry 1 booking…' }).click();
    await page.getByRole('button', { name: 'Retry 1 booking' }).click();
    await page.getByText('All of them have come to rest.').waitFor();
    expect(await page.locator('.became tbody tr', { hasText: 'Closed' }).count()).toBe(1);
    expect((await service.ending(refused.documentId)).consignment).toMatchObject({ state: 'closed', run: 2 });
    expect(complaints).toEqual([]);
  });

  it('takes no “not there” before the carrier certainly shows the booking', async () => {
    const { page } = watched;
    service.control.addFault({ target: 'gls-dk', kind: 'reset-after', method: 'POST' });
    const { consignment } = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
    await page.goto(`${service.url}/consignments/${consignment.id}/resolve`);
    const notThere = page.getByRole('radio', {
      name: /^Not there: book it again from \S+ on: until then GLS may still show it/,
    });
    expect(await notThere.isDisabled()).toBe(true);
    await picture(page, 'resolve');
    expect(await serious(page)).toEqual([]);
    // The browser's clock is not the service's.
    await notThere.evaluate((radio: { disabled: boolean; checked: boolean }) => {
      radio.disabled = false;
      radio.checked = true;
    });
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/may still appear at GLS until \S+: look again then/);
  });

  it('shows how the carriers answer, tests an account, and says what each can do', async () => {
    const { page, complaints, hosts } = watched;
    await page.goto(`${service.url}/carriers`);
    const gls = page.locator('table.health tbody tr', { hasText: 'GLS' });
    await gls.getByText(/^(Does not answer|Being tried)$/).waitFor();
    expect(
      await page
        .locator('table.health tbody tr', { hasText: 'DAO' })
        .getByText(/^[\d.]+ m?s$/)
        .count(),
    ).toBe(2);
    await gls.getByText(/^Since .*; bookings wait$/).waitFor();
    await page.getByRole('button', { name: 'Test all' }).click();
    const tested = page.getByText(/^in \d+ ms$/).first();
    await tested.waitFor();
    for (const [name, size] of Object.entries({ desk: DESK, phone: PHONE })) {
      await page.setViewportSize(size);
      await picture(page, `carriers-${name}`);
      expect(await serious(page)).toEqual([]);
      expect(await sidewaysOf(page)).toBe(0);
    }
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
    const { body } = await service.operator('/audit?limit=20');
    expect(body.entries).toContainEqual(
      expect.objectContaining({ action: 'test connection', target: 'accounts/dao', operator: 'operator' }),
    );
  });

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('shows the rules with their uses, and tries them against a shipment, on a %s', async (name, size) => {
    const { page, complaints } = watched;
    await page.setViewportSize(size);
    const shipment = service.ship(sampleShipments.oneParcel, { carrierName: 'Pretend', termsOfDelivery: 'refused' });
    await service.ending(service.book(shipment));
    await page.goto(`${service.url}/rules`);
    const row = page.locator('table.rows tbody tr', { hasText: 'Pretend plays refused' });
    expect(Number(await row.getByRole('cell').nth(4).textContent())).toBeGreaterThan(0);
    await page.getByLabel('Shipment', { exact: true }).fill(String(shipment));
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('by the rule “Pretend plays refused”').waitFor();
    await picture(page, `rules-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.getByLabel('Shipment', { exact: true }).fill('99999999');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByRole('alert').waitFor();
  });

  it('is worked with keys, which are listed and can be switched off', async () => {
    const { page, complaints } = watched;
    const path = () => new URL(page.url()).pathname;
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL('**/needs-a-person');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/needs-a-person?cause=*');
    expect(await page.locator('.cause-list a').first().getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await picture(page, 'keys');
    expect(await serious(page)).toEqual([]);
    await page.getByLabel('Single keys are on').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.keyboard.press('/');
    expect(path()).toBe('/needs-a-person');
    expect(await page.evaluate('document.activeElement?.getAttribute("type")')).not.toBe('search');
    expect(complaints).toEqual([]);
  });
});
