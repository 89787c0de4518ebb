import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readFaultsFile } from '../../src/sandbox/faults/faults-file.js';
import { Switches } from '../../src/sandbox/control/switches.js';

const readme = readFileSync('src/sandbox/README.md', 'utf8');

describe("the sandbox's README", () => {
  it('names every switch with the value it has from the start', () => {
    const [, section = ''] = readme.split('\n## Switches\n');
    const rows = section.split('\n## ')[0]?.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\| \S/gm) ?? [];
    const listed = Object.fromEntries([...rows].map(([, name = '', value = '']) => [name, JSON.parse(value)]));
    expect(listed).toEqual({ ...new Switches() });
  });

  it('shows a faults file that can be used', () => {
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    expect(readFaultsFile(example)).toMatchObject({ seed: 7, faults: [{ kind: 'latency' }, {}, {}] });
  });
});
