import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { unknownCarrier } from '../config/problems.js';
import { ruleProductProblems } from '../config/rule-products.js';
import { type RulesOfFile, readRules } from '../config/rules.js';
import { compileRules } from '../routing/choose-carrier.js';
import { type ExampleResult, readExamples, runExamples } from '../routing/language/examples.js';
import { type SettingProblem, SettingsError, processEnvironment } from '../config/environment.js';
import { adaptersOf, allCarriers } from './settings-for.js';
import { readTextFile } from './text-file.js';

export interface RulesTestCommand {
  /** The file of examples; the default is beside the configuration. */
  readonly examples?: string;
}

/**
 * Runs the examples of the rules and prints their results; sends nothing and needs no secrets. Exit code 1 when an example
 * did not end as expected.
 * @throws SettingsError for rules or examples that cannot be used
 */
export async function testRules({ examples }: RulesTestCommand): Promise<void> {
  const environment = processEnvironment();
  const file = environment['CONFIG_FILE'] || './waybridge.yaml';
  const found = readRules(readTextFile(file, 'begin with a copy of waybridge.example.yaml'), environment);
  const { rules, accounts } = found;
  const problems = [...found.problems, ...(await problemsAtCarriers(found, file, environment))];
  if (problems.length > 0) throw new SettingsError(problems);
  const beside = examples ?? join(dirname(file), 'rules.examples.yaml');
  const read = readExamples(yamlIn(beside));
  if (read.problems.length > 0) {
    throw new SettingsError(read.problems.map(({ where, rule }) => ({ where: `${beside} ${where}`, rule })));
  }
  const results = runExamples(read.examples, compileRules(rules, accounts));
  console.log(table(results));
  const failed = results.filter(({ passed }) => !passed).length;
  console.log(`${results.length - failed} of ${results.length} examples ended as expected`);
  if (failed > 0 || results.length === 0) process.exitCode = 1;
}

/** What a start refuses too: carriers that there are not, services and options that a carrier does not have. */
async function problemsAtCarriers(
  { given, carriers }: RulesOfFile,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<readonly SettingProblem[]> {
  const loaded = await adaptersOf(file, environment);
  const adapters = allCarriers(loaded).map(({ adapter }) => adapter);
  const adapterOf = (id: string | undefined) => adapters.find((adapter) => adapter.id === id);
  const known = adapters.map(({ id }) => id);
  const unknown = [...carriers].filter(([, id]) => !known.includes(id));
  return [
    ...loaded.problems,
    ...unknown.map(([account, id]) => unknownCarrier(account, id, known)),
    ...ruleProductProblems(given, (account) => adapterOf(carriers.get(account))),
  ];
}

function yamlIn(path: string): unknown {
  try {
    return parse(readTextFile(path, 'docs/rules.md shows how to write examples; --examples names another file'));
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([{ where: path, rule: 'is not valid YAML' }]);
  }
}

function table(results: readonly ExampleResult[]): string {
  const rows = [
    ['', 'example', 'expected', 'found'],
    ...results.map(({ passed, name, expected, found }) => [passed ? 'ok' : 'FAILED', name, expected, found]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
