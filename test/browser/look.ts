import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { sandboxSecrets } from '../../src/cli/sandbox/sandbox-config.js';
import type { Service } from '../support/harness.js';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
export const PHONE = { width: 390, height: 844 };
export const SMALL = { width: 1024, height: 768 };
export const DESK = { width: 1440, height: 900 };
/** Screenshots are written there, where it is set. */
const PICTURES = process.env['SCREENSHOTS'];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** What axe calls serious or critical. */
export async function serious(page: Page): Promise<readonly string[]> {
  // Outside the page: its policy lets no script in.
  const frames = await page.context().newCDPSession(page);
  await frames.send('Runtime.evaluate', { expression: AXE });
  const { result } = await frames.send('Runtime.evaluate', {
    expression: 'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations))',
    awaitPromise: true,
  });
  const found = JSON.parse(String(result.value)) as readonly Violation[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Pixels of each box of tables that are cut off, by the name of the box. */
export function cutOffOn(page: Page): Promise<readonly (readonly [string, number])[]> {
  const boxes = `[...document.querySelectorAll('.scroll')]`;
  const named = `(box.getAttribute('aria-label') ?? box.getAttribute('aria-labelledby') ?? '')`;
  return page.evaluate(`${boxes}.map((box) => [${named}, box.scrollWidth - box.clientWidth])`);
}

/** Pixels that the page is wider than the screen. */
export function sidewaysOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

export async function signIn(page: Page, service: Service): Promise<void> {
  await page.goto(`${service.url}/`);
  await page.getByLabel('Operator token').fill(sandboxSecrets.OPERATOR_TOKEN);
  // Scripts run before `load`; a choice that is made earlier starts nothing.
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await loaded;
}
