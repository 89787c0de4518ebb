import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../../src/access/operators.js';
import { readOperators } from '../../src/config/operators.js';

const HASH = hashOf('token-of-mette');
const row = (changes: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ name: 'Mette', role: 'act', tokenHash: HASH, ...changes });
const other = JSON.stringify({ name: 'Anders', role: 'view', tokenHash: hashOf('token-of-anders') });

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-operators-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(text: string) {
  const path = join(folder, 'operators.yaml');
  await writeFile(path, text);
  return readOperators(path);
}

describe('OPERATORS_FILE', () => {
  it('names operators with a role and the hash of a token', async () => {
    expect(await read(`operators: [${row({ tokenHash: HASH.toUpperCase() })}, ${other}]`)).toEqual({
      problems: [],
      operators: [
        { name: 'Mette', role: 'act', tokenHash: HASH },
        { name: 'Anders', role: 'view', tokenHash: hashOf('token-of-anders') },
      ],
    });
  });

  it('may be left out', () => {
    expect(readOperators(undefined)).toEqual({ operators: [], problems: [] });
  });

  it.each([
    ['is not YAML', 'operators: [', 'OPERATORS_FILE line 1', /not valid YAML/],
    ['has no list', 'operators: yes', 'OPERATORS_FILE', /"operators:" with a list/],
    ['is empty', '', 'OPERATORS_FILE', /"operators:" with a list/],
    ['has a row that is a text', 'operators: [Mette]', 'OPERATORS_FILE operators[0]', /name, role and tokenHash/],
    ['has a row without a name', `operators: [${row({ name: '' })}]`, 'OPERATORS_FILE operators[0].name', /1 to 60/],
    [
      'takes the reserved name',
      `operators: [${row({ name: 'operator' })}]`,
      'OPERATORS_FILE operators[0].name',
      /OPERATOR_TOKEN/,
    ],
    [
      'has an unknown role',
      `operators: [${row({ role: 'admin' })}]`,
      'OPERATORS_FILE operators[0].role',
      /view or act/,
    ],
    [
      'holds a token',
      `operators: [${row({ tokenHash: 'a-token' })}]`,
      'OPERATORS_FILE operators[0].tokenHash',
      /sha256sum/,
    ],
    [
      'has an unknown key',
      `operators: [${row({ token: 'x' })}]`,
      'OPERATORS_FILE operators[0].token',
      /not a known key/,
    ],
    [
      'names one twice',
      `operators: [${row()}, ${row({ tokenHash: hashOf('b') })}]`,
      'OPERATORS_FILE operators[1].name',
      /another operator/,
    ],
    [
      'has a hash twice',
      `operators: [${row()}, ${row({ name: 'B' })}]`,
      'OPERATORS_FILE operators[1].tokenHash',
      /another operator/,
    ],
  ])('that %s is a problem at the start', async (_what, text, ...[where, rule]) => {
    const { problems } = await read(text);
    expect(problems).toEqual([{ where, rule: expect.stringMatching(rule) }]);
  });

  it('that does not exist is a problem at the start', () => {
    expect(readOperators('/nowhere/operators.yaml').problems).toEqual([
      { where: 'OPERATORS_FILE', rule: '/nowhere/operators.yaml cannot be read (ENOENT)' },
    ]);
  });

  it('shows no value of a wrong row, which may be a token', async () => {
    const { problems } = await read(`operators: [${row({ tokenHash: 'secret-token-in-the-wrong-place' })}]`);
    expect(JSON.stringify(problems)).not.toContain('secret-token');
  });
});
