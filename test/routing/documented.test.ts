import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DERIVED_FIELDS } from '../../src/routing/facts/derived-fields.js';

const page = readFileSync(fileURLToPath(new URL('../../docs/rules.md', import.meta.url)), 'utf8');
const rows = page.split('\n').map((row) => row.replace(/ *\| */g, '|'));

it.each(Object.entries(DERIVED_FIELDS))('%s stands in the table of derived fields', (name, { type, unit, from }) => {
  expect(rows).toContain(`|\`${name}\`|${type}|${unit ?? ''}|${from}|`);
});
