import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { describe, it } from '@jest/globals';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
/** For a machine that is busy with much else. */
const PATIENCE_MS = 120_000;
const path = PLACES.find((place) => existsSync(place));

/** As `describe`, where Chromium is installed; elsewhere one skipped test says what is missing. */
export function describeInBrowser(name: string, cases: () => void): void {
  if (path !== undefined) return describe(name, cases);
  process.stderr.write(`${name}: skipped, no chromium was found on this machine\n`);
  describe(name, () => it.skip('needs Chromium: apt-get install chromium', () => undefined));
}

export function openBrowser(): Promise<Browser> {
  if (path === undefined) throw new Error('Chromium is not installed');
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Its pages wait as long as a busy machine needs. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** What a page said and asked for that it should not. */
export interface Watched {
  readonly page: Page;
  /** Errors and warnings of the console, and uncaught errors. */
  readonly complaints: readonly string[];
  /** Hosts of all requests. */
  readonly hosts: ReadonlySet<string>;
}

export async function openPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host);
  });
  return { page, complaints, hosts };
}
