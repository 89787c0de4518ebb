import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { sampleShipments } from '../../src/sandbox/control/sample-shipments.js';
import { type Service, startService, until } from '../support/harness.js';
import { describeInBrowser, openBrowser, openContext, openPage } from './browser.js';
import { DESK, PHONE, SMALL, cutOffOn, picture, sidewaysOf, signIn } from './look.js';

const LAPTOP = { width: 1280, height: 800 };

async function cutOffIn(page: Page, names: readonly string[]): Promise<unknown> {
  return (await cutOffOn(page)).filter(([name]) => names.includes(name));
}

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describeInBrowser('the width of the pages', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let failed: string;
  /** The page of a request without an answer. */
  let unanswered: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    service.control.addFault({ target: 'danske-fragtmaend', kind: 'status', status: 503 });
    service.control.addFault({ target: 'ims', kind: 'reset', method: 'PATCH', path: 'transportBookings|documents' });
    failed = (await service.run(sampleShipments.oneParcel, { carrierName: 'Danske Fragtmænd' })).consignment.id;
    service.control.addFault({ target: 'dao', kind: 'reset' });
    const lost = (await service.run(sampleShipments.oneParcel, { carrierName: 'DAO' })).consignment.id;
    await until('the requests are stored', async () => {
      const { requests } = (await service.operator(`/consignments/${lost}`)).body;
      const found = requests.find(({ status }: { readonly status: number | null }) => status === null);
      unanswered = `/consignments/${lost}?request=${found?.id}`;
      return found !== undefined;
    });
  });

  beforeEach(async () => {
    await context?.close();
    context = await openContext(browser, { viewport: DESK });
    ({ page } = await openPage(context));
    await signIn(page, service);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each([
    ['small laptop', SMALL],
    ['laptop', LAPTOP],
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('shows every column of the carriers and of the requests, on a %s', async (name, size) => {
    await page.setViewportSize(size);
    await page.goto(`${service.url}/`);
    await picture(page, `width-today-${name}`);
    expect(await cutOffIn(page, ['Carriers'])).toEqual([['Carriers', 0]]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.goto(`${service.url}/carriers`);
    await picture(page, `width-carriers-${name}`);
    expect(await cutOffIn(page, ['Health'])).toEqual([['Health', 0]]);
    expect(await sidewaysOf(page)).toBe(0);
    await page.goto(`${service.url}/consignments/${failed}`);
    await picture(page, `width-consignment-${name}`);
    expect(await cutOffIn(page, ['happened'])).toEqual([['happened', 0]]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  it.each([
    ['small laptop', SMALL],
    ['laptop', LAPTOP],
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('shows every column of the answers about bookings in doubt, on a %s', async (name, size) => {
    await page.setViewportSize(size);
    await page.goto(`${service.url}/needs-a-person`);
    await page.getByRole('link', { name: /We asked DAO to book/ }).click();
    await page.getByLabel('DAO has it').check();
    await page.getByLabel(/^Tracking number of/).waitFor();
    await picture(page, `width-answers-${name}`);
    expect(await cutOffIn(page, ['Bookings in doubt'])).toEqual([['Bookings in doubt', 0]]);
    expect(await sidewaysOf(page)).toBe(0);
  });

  it.each([
    ['laptop', LAPTOP],
    ['phone', PHONE],
  ] as const)('breaks the long address of a request without an answer, on a %s', async (name, size) => {
    await page.setViewportSize(size);
    await page.goto(`${service.url}${unanswered}`);
    const reason = page.locator('#request').getByText(/ECONNRESET/);
    await reason.waitFor();
    await picture(page, `width-no-answer-${name}`);
    expect(await reason.evaluate(({ scrollWidth, clientWidth }: Box) => scrollWidth - clientWidth)).toBe(0);
    expect(await sidewaysOf(page)).toBe(0);
  });
});
