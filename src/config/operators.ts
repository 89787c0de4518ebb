import { readFileSync } from 'node:fs';
import { DEFAULT_OPERATOR, type Operator, ROLES } from '../access/operators.js';
import { isJsonObject } from '../../carriers/contract/json.js';
import type { SettingProblem } from './environment.js';
import { readNotation } from './yaml.js';

const MAX_OPERATORS = 200;
const KEYS = ['name', 'role', 'tokenHash'];
const NAME = /^[^\p{C}]{1,60}$/u;
const HASH = /^[0-9a-f]{64}$/i;

interface ReadOperators {
  readonly operators: readonly Operator[];
  readonly problems: readonly SettingProblem[];
}

/**
 * Reads `OPERATORS_FILE`: YAML, `operators:` with a list of `{ name, role, tokenHash }`.
 * @param path `undefined`: there is no such file, and no operator beside `OPERATOR_TOKEN`
 */
export function readOperators(path: string | undefined): ReadOperators {
  if (path === undefined) return { operators: [], problems: [] };
  try {
    return parseOperators(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    return problem('OPERATORS_FILE', `${path} cannot be read (${reason})`);
  }
}

function parseOperators(text: string): ReadOperators {
  const { value, problems } = readNotation(text, {});
  if (problems.length > 0)
    return { operators: [], problems: problems.map(({ where, rule }) => ({ where: `OPERATORS_FILE ${where}`, rule })) };
  const rows = isJsonObject(value) ? value['operators'] : undefined;
  if (!Array.isArray(rows)) return problem('OPERATORS_FILE', 'must be "operators:" with a list');
  if (rows.length > MAX_OPERATORS)
    return problem('OPERATORS_FILE', `must not name more than ${MAX_OPERATORS} operators`);
  const wrong = rows.flatMap((row: unknown, index) => problemsOf(row).map(at(`operators[${index}]`)));
  if (wrong.length > 0) return { operators: [], problems: wrong };
  const operators = (rows as readonly Operator[]).map(({ name, role, tokenHash }) => ({
    ...{ name, role },
    tokenHash: tokenHash.toLowerCase(),
  }));
  const twice = [...sharing(operators, 'name'), ...sharing(operators, 'tokenHash')];
  return { operators, problems: twice };
}

function problemsOf(row: unknown): readonly SettingProblem[] {
  if (!isJsonObject(row)) return [{ where: '', rule: 'must have name, role and tokenHash' }];
  const { name, role, tokenHash } = row;
  const unknown = Object.keys(row).filter((key) => !KEYS.includes(key));
  const isName = typeof name === 'string' && NAME.test(name) && name.trim() === name;
  return [
    ...unknown.map((key) => ({ where: key, rule: `is not a known key; there are: ${KEYS.join(', ')}` })),
    ...rule(isName, 'name', 'must be a name of 1 to 60 characters'),
    ...rule(name !== DEFAULT_OPERATOR, 'name', `must not be "${DEFAULT_OPERATOR}": the token in OPERATOR_TOKEN has it`),
    ...rule(
      ROLES.some((one) => one === role),
      'role',
      `must be ${ROLES.join(' or ')}`,
    ),
    ...rule(
      typeof tokenHash === 'string' && HASH.test(tokenHash),
      'tokenHash',
      'must be the SHA-256 of the token, 64 hexadecimal digits, e.g. made by: printf %s "$TOKEN" | sha256sum',
    ),
  ];
}

function rule(holds: unknown, where: string, words: string): readonly SettingProblem[] {
  return holds === true ? [] : [{ where, rule: words }];
}

function at(place: string): (problem: SettingProblem) => SettingProblem {
  return ({ where, rule: words }) => ({
    where: `OPERATORS_FILE ${place}${where === '' ? '' : `.${where}`}`,
    rule: words,
  });
}

function sharing(operators: readonly Operator[], key: 'name' | 'tokenHash'): readonly SettingProblem[] {
  const values = operators.map((operator) => operator[key]);
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [at(`operators[${index}]`)({ where: key, rule: 'is that of another operator too' })],
  );
}

function problem(where: string, words: string): ReadOperators {
  return { operators: [], problems: [{ where, rule: words }] };
}
