import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CONSIGNMENT_STATES } from '../../src/consignment/states.js';

const page = readFileSync('docs/log-events.md', 'utf8');

it('docs/log-events.md lists the events that the sources log', () => {
  const written = execFileSync(process.execPath, ['bin/log-events.js', '--print'], { encoding: 'utf8' });
  expect(page).toBe(written);
});

it('docs/monitoring.md says what to do about every warning and every error', () => {
  const operating = readFileSync('docs/monitoring.md', 'utf8').replace(/\s+/g, ' ');
  const rows = page.split('\n').flatMap((line) => {
    const [, event = '', levels = ''] = /^\| `([^`]+)` *\| ([a-z, ]+?) *\|/.exec(line) ?? [];
    return /warn|error/.test(levels) ? [event] : [];
  });
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((event) => !operating.includes(`\`${event}\``))).toEqual([]);
});

it('docs/monitoring.md says what to do about no event that the sources do not log', () => {
  const items = readFileSync('docs/monitoring.md', 'utf8').split(/\n(?=- |\n)/);
  const told = items.flatMap((item) => {
    const [, names = ''] = /^- (?:(?:error|warn)(?: or )?)+ ((?:`[^`]+`[, ]*)+)/.exec(item.replace(/\s+/g, ' ')) ?? [];
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
  expect(told.length).toBeGreaterThan(60);
  expect(told.filter((event) => !page.includes(`| \`${event}\` `))).toEqual([]);
});

it('the name of an event is words with spaces, unless it is the name of a state', () => {
  const names = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  const joined = names.filter((name) => /^\w+(-\w+)+$/.test(name));
  expect(joined.filter((name) => !(CONSIGNMENT_STATES as readonly string[]).includes(name))).toEqual([]);
});
