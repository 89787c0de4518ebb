import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sandboxSecret, sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Ending, type Service, startService, until } from '../support/harness.js';
import { type Watched, describeInBrowser, openBrowser, openContext, openPage } from './browser.js';
import { DESK, PHONE, picture, serious, sidewaysOf, signIn } from './look.js';

interface Answered {
  readonly status: number | null;
}

describeInBrowser('the dashboard in a browser', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let watched: Watched;
  let closed: Ending;
  let refused: Ending;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    closed = await service.run(sampleShipments.oneParcel, { carrierName: 'GLS' });
    refused = await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' });
  });

  beforeEach(async () => {
    await context?.close();
    context = await openContext(browser, { viewport: DESK });
    watched = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('asks for a token first, says when it is wrong, and then shows Today', async () => {
    const { page, hosts } = watched;
    await page.goto(`${service.url}/`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await picture(page, 'sign-in');
    expect(await serious(page)).toEqual([]);
    await page.getByLabel('Operator token').fill('not-the-token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('This token is not known');
    await page.getByLabel('Operator token').fill(sandboxSecrets.OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('1 booking needs a person');
    expect([...hosts]).toEqual([new URL(service.url).host]);
  });

  it.each([
    ['light', DESK],
    ['dark', DESK],
    ['light', PHONE],
  ] as const)(
    'shows Today in %s on a screen of %o: no complaint, no other host, nothing serious found by axe',
    async (theme, size) => {
      const { page, complaints, hosts } = watched;
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(size);
      await signIn(page, service);
      await page.getByText('Parcels cannot leave').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await picture(page, `today-${theme}-${size.width}`);
      expect(await serious(page)).toEqual([]);
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([new URL(service.url).host]);
      const sideways = await sidewaysOf(page);
      expect(sideways).toBe(0);
    },
  );

  it('changes the numbers of Today while it is open', async () => {
    const { page } = watched;
    await signIn(page, service);
    await page.getByText('1 booking needs a person').waitFor();
    await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    await page.getByText('2 bookings need a person').waitFor();
    expect(await page.title()).toMatch(/^2 · Today/);
  });

  it('draws the charts of Today, says the values under the pointer, and keeps them when numbers change', async () => {
    const { page, complaints } = watched;
    await signIn(page, service);
    const bookings = page.locator('#bookings-chart');
    await bookings.locator('canvas').waitFor();
    await page.evaluate("document.querySelector('#bookings-chart canvas').seen = true");
    const total = async () => (await page.locator('.key.danger b').textContent()) ?? '';
    const before = Number(await total());
    await service.run(sampleShipments.withoutPostalCode, { carrierName: 'GLS' });
    await until('the number changes', async () => Number(await total()) > before);
    expect(await page.evaluate("document.querySelector('#bookings-chart canvas').seen")).toBe(true);
    expect([await page.locator('canvas').count(), await page.locator('#labels-chart canvas').count()]).toEqual([2, 1]);
    const { width = 0, height = 0 } = (await bookings.locator('.u-over').boundingBox()) ?? {};
    await bookings.locator('.u-over').hover({ position: { x: width - 8, y: height / 2 } });
    expect(await bookings.locator('.tip').textContent()).toContain(`Refused${await total()}`);
    expect(complaints).toEqual([]);
  });

  it('shows Today without scripts', async () => {
    const without = await openContext(browser, { javaScriptEnabled: false });
    const page = await without.newPage();
    await signIn(page, service);
    await page.getByRole('heading', { name: /need/ }).waitFor();
    const [newest] = (await page.getByRole('table', { name: 'Bookings per hour' }).getByRole('row').all()).slice(-1);
    expect([await newest?.isVisible(), await page.locator('.plot:visible').count()]).toEqual([true, 0]);
    expect(closed.consignment.state).toBe('closed');
    await without.close();
  });

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('finds a consignment by its tracking number and shows its label, on a %s', async (name, size) => {
    const { page, complaints, hosts } = watched;
    await page.setViewportSize(size);
    await signIn(page, service);
    await page.getByRole('searchbox').fill(String(closed.trackingNumbers[0]));
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Shipment/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/consignments/${closed.consignment.id}`);
    const label = await page.request.get(new URL('labels/0', `${page.url()}/`).href);
    expect([label.status(), label.headers()['content-type']]).toEqual([200, 'application/pdf']);
    const drawn = page.getByRole('img', { name: /^Label of shipment \S+, page 1$/ });
    await drawn.scrollIntoViewIfNeeded();
    await until('the label is drawn', () =>
      drawn.evaluate((img: { naturalWidth?: number }) => (img.naturalWidth ?? 0) > 200),
    );
    await picture(page, `consignment-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(service.url).host]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  it('retries a refused booking after it has said what that will do, and shows who did it', async () => {
    const { page, complaints } = watched;
    await signIn(page, service);
    await page.goto(`${service.url}/consignments/${refused.consignment.id}`);
    await page.getByRole('link', { name: 'Retry…' }).click();
    await picture(page, 'confirmation');
    expect(await serious(page)).toEqual([]);
    await page.getByText('Unless what the reason names was corrected').waitFor();
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText(/^Retry: refused$/).waitFor();
    expect(await page.getByText('operator: retry').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?done=retry');
    expect(complaints).toEqual([]);
    const { body } = await service.operator('/audit?operator=operator&limit=1');
    expect(body.entries[0]).toMatchObject({ action: 'retry', target: `consignments/${refused.consignment.id}` });
  });

  it('prints a label again at another device, and shows who asked for it and why', async () => {
    const { page } = watched;
    await signIn(page, service);
    await page.goto(`${service.url}/consignments/${closed.consignment.id}/reprint`);
    await page.getByLabel('Device').fill('Packing table 9');
    await page.getByLabel('Copies').fill('2');
    await page.getByLabel('Why').fill('the printer jammed');
    await picture(page, 'reprint');
    expect(await serious(page)).toEqual([]);
    await page.getByRole('button', { name: 'Print again' }).click();
    expect(await page.getByRole('status').textContent()).toContain('handed to the printer once more');
    expect(await page.getByText('Because: the printer jammed').count()).toBe(1);
    const { prints } = await service.look(closed.documentId);
    const again = { deviceName: 'Packing table 9' };
    expect(prints.slice(-2)).toMatchObject([again, again]);
  });

  it('shows the same area on the next page, when one is chosen', async () => {
    const { page } = watched;
    await signIn(page, service);
    await page.getByLabel('Area', { exact: true }).selectOption('2');
    await page.waitForURL('**/?area=2');
    await page.getByRole('link', { name: 'Parcels' }).click();
    await page.waitForURL('**/parcels?area=2');
    expect(await page.getByLabel('Area', { exact: true }).inputValue()).toBe('2');
  });

  it('says why an action is not possible, before and after it is tried', async () => {
    const { page } = watched;
    await signIn(page, service);
    await page.goto(`${service.url}/consignments/${closed.consignment.id}`);
    await page.getByText('Retry is not possible: it is closed: all parcels are booked').waitFor();
    expect(await page.getByRole('link', { name: 'Retry…' }).count()).toBe(0);
    await page.goto(`${service.url}/consignments/${closed.consignment.id}/retry`);
    await page.getByRole('button', { name: 'Retry now' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('it is closed: all parcels are booked');
  });

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('lists consignments, on a %s', async (name, size) => {
    const { page, complaints } = watched;
    await page.setViewportSize(size);
    await signIn(page, service);
    await page.goto(`${service.url}/consignments`);
    expect(await page.locator('table.rows tbody tr').count()).toBeGreaterThanOrEqual(3);
    await picture(page, `consignments-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)(
    'filters, sorts and names what is unknown in the address, without scripts, on a %s',
    async (name, size) => {
      await context.close();
      context = await openContext(browser, { viewport: size, javaScriptEnabled: false });
      const { page, complaints } = await openPage(context);
      await signIn(page, service);
      await page.goto(`${service.url}/consignments?state=closed&carrier=gls-dk`);
      await page.getByLabel('State', { exact: true }).selectOption('refused');
      await page.getByLabel('Since', { exact: true }).fill('2020-01-01');
      await page.getByRole('button', { name: 'Show' }).click();
      const rows = page.locator('table.rows tbody tr');
      expect(await page.locator('span.chip').allTextContents()).toHaveLength(3);
      expect(await rows.filter({ hasText: 'Refused' }).count()).toBeGreaterThanOrEqual(1);
      expect(await rows.filter({ hasText: 'Closed' }).count()).toBeGreaterThanOrEqual(1);
      await picture(page, `consignments-filtered-${name}`);
      expect(await sidewaysOf(page)).toBe(0);
      await page.getByRole('link', { name: 'Without State refused' }).click();
      expect(await rows.filter({ hasText: 'Refused' }).count()).toBe(0);
      await page.getByRole('link', { name: name === 'desk' ? /^Began/ : 'Oldest first' }).click();
      expect(new URL(page.url()).searchParams.get('sort')).toBe('oldest');
      expect(new URL(page.url()).searchParams.get('carrier')).toBe('gls-dk');
      expect(complaints).toEqual([]);
      const answer = await page.goto(`${service.url}/consignments?acount=gls`);
      expect([answer?.status(), await page.getByRole('alert').textContent()]).toEqual([
        400,
        expect.stringMatching(/^"acount" is not a parameter here: do you mean "account"\? Known are state, area/),
      ]);
      await picture(page, `consignments-unknown-${name}`);
      expect(await rows.count()).toBe(0);
    },
  );

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)(
    'chooses refused bookings by keys and retries them together after a review, on a %s',
    async (name, size) => {
      const { page, complaints } = watched;
      await page.setViewportSize(size);
      await signIn(page, service);
      await page.goto(`${service.url}/consignments`);
      const boxes = page.locator('tbody input[type="checkbox"]');
      const many = await boxes.count();
      expect(many).toBeGreaterThanOrEqual(1);
      const chosen = page.getByRole('status').filter({ hasText: 'chosen' });
      expect(await chosen.textContent()).toBe(`0 of ${many} chosen`);
      expect(await page.getByRole('button', { name: 'Retry…' }).isDisabled()).toBe(true);
      await boxes.last().focus();
      await page.keyboard.press('x');
      expect(await chosen.textContent()).toBe(`1 of ${many} chosen`);
      if (name === 'desk') await page.getByRole('checkbox', { name: 'Choose all that can be retried' }).check();
      else for (const box of await boxes.all()) await box.check();
      expect(await chosen.textContent()).toBe(`${many} of ${many} chosen`);
      await picture(page, `consignments-chosen-${name}`);
      expect(await serious(page)).toEqual([]);
      await page.keyboard.press('r');
      await page.getByRole('heading', { level: 1, name: /^Retry \d+ bookings?\?$/ }).waitFor();
      await page.getByRole('link', { name: 'Keep as it is' }).click();
      expect(new URL(page.url()).pathname).toBe('/consignments');
      expect(await sidewaysOf(page)).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('shows the audit log, on a %s', async (name, size) => {
    const { page, complaints } = watched;
    await page.setViewportSize(size);
    await signIn(page, service);
    await page.goto(`${service.url}/audit`);
    await page.getByRole('cell', { name: 'sign in' }).first().waitFor();
    await picture(page, `audit-${name}`);
    expect(await serious(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  describe('the requests of a consignment', () => {
    let id: string;

    beforeAll(async () => {
      const body = { status: 'FEJL', fejlkode: '12', fejltekst: 'Adressen Birkevej 12 findes ikke' };
      service.control.addFault({ target: 'dao', kind: 'status', status: 200, body });
      const path = 'transportBookings|documents';
      service.control.addFault({ target: 'ims', kind: 'status', status: 503, method: 'PATCH', path });
      id = (await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' })).consignment.id;
      const statuses = async (): Promise<readonly (number | null)[]> =>
        (await service.operator(`/consignments/${id}`)).body.requests.map(({ status }: Answered) => status);
      const stored = async () => /503,.*2\d\d/.test((await statuses()).join());
      await until('the requests are stored', stored);
    });

    const openIt = async (page: Page) => {
      await signIn(page, service);
      await page.goto(`${service.url}/consignments/${id}`);
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
    };

    it.each([
      ['desk', DESK, 'light'],
      ['desk', DESK, 'dark'],
      ['phone', PHONE, 'light'],
    ] as const)('show the one that failed, with both sides, on a %s', async (name, size, theme) => {
      const { page, complaints, hosts } = watched;
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(size);
      await openIt(page);
      const region = page.getByRole('region', { name: /^Book/ });
      await region.getByText('Fault: DAO').waitFor();
      expect(await region.getByLabel('Answer').textContent()).toContain('Adressen •••••• findes ikke');
      expect(await region.getByLabel('Request', { exact: true }).textContent()).toMatch(/&kode=\*\*\*/);
      expect(await region.textContent()).not.toContain('Birkevej');
      await picture(page, `requests-${name}-${theme}`);
      expect(await serious(page)).toEqual([]);
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([new URL(service.url).host]);
      expect(await sidewaysOf(page)).toBe(0);
    });

    it('show the second attempt, and any request that is chosen', async () => {
      const { page } = watched;
      await openIt(page);
      const failed = page.getByRole('row', { name: /503/ });
      expect(await failed.getByRole('cell', { name: 'IMS' }).count()).toBe(2);
      await failed.getByRole('link').click();
      await page.getByRole('region', { name: /^Set document/ }).waitFor();
      expect(await page.locator('tr.chosen td.number').first().textContent()).toBe('1');
    });

    it('show personal data only after a question, once, and with a row in the audit log', async () => {
      const { page, complaints } = watched;
      await openIt(page);
      await page.getByRole('link', { name: 'Show personal data…' }).click();
      await page.getByText('write your name and the time to the audit log').waitFor();
      await picture(page, 'requests-personal');
      expect(await serious(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show personal data' }).click();
      const answer = page.getByLabel('Answer');
      await answer.getByText('Adressen Birkevej 12 findes ikke').waitFor();
      expect(await page.content()).not.toContain(sandboxSecret('DAO_CODE'));
      const { body } = await service.operator('/audit?operator=operator&limit=1');
      expect(body.entries[0]).toMatchObject({
        ...{ action: 'show personal data', target: `consignments/${id}`, result: 'done' },
      });
      await page.getByRole('link', { name: 'Hide personal data' }).click();
      await answer.getByText('Adressen •••••• findes ikke').waitFor();
      expect(complaints).toEqual([]);
    });

    it('are copied as curl, with variables for secrets', async () => {
      const { page } = watched;
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await openIt(page);
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied', { exact: true }).waitFor();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied).toMatch(/^curl -X GET 'http.*\/carriers\/dao/);
      expect(copied).toContain(`'kode='"$KODE"''`);
    });

    it('are shown without scripts', async () => {
      const without = await openContext(browser, { javaScriptEnabled: false });
      const page = await without.newPage();
      await openIt(page);
      await page.getByText('As curl', { exact: true }).click();
      await page.getByLabel('As curl').waitFor();
      expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0);
      await without.close();
    });
  });

  it('keeps a chosen theme, and signs out', async () => {
    const { page } = watched;
    await signIn(page, service);
    await page.getByRole('button', { name: 'dark' }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByRole('status').textContent()).toBe('You are signed out.');
    await page.goto(`${service.url}/`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});
