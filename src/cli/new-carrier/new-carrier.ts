import { createRequire } from 'node:module';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { carriers } from '../../../carriers/index.js';
import { programFolder } from '../../program-files.js';
import type { NewCarrierAnswers, CarrierNames } from './render.js';
import { isCarriersFolder, listIn, testOf, writeFolders, writePackage } from './write.js';

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,59}$/u;

/** As the command line gives it; what is missing is asked for on a terminal. */
export interface NewCarrierCommand extends Partial<NewCarrierAnswers> {
  readonly into?: string;
  readonly name?: string;
  /** Takes the defaults for what is missing. */
  readonly yes?: true;
}

interface Question {
  readonly key: keyof NewCarrierAnswers;
  readonly text: string;
  /** The default first. */
  readonly choices: readonly string[];
}

export const QUESTIONS: readonly Question[] = [
  { key: 'auth', text: 'How does the carrier let you in?', choices: ['header', 'basic', 'oauth', 'query'] },
  { key: 'parcels', text: 'How many parcels does one booking take?', choices: ['several', 'one'] },
  { key: 'labels', text: 'Do labels come with the answer, or are they asked for?', choices: ['answer', 'asked'] },
  { key: 'search', text: 'Can a booking be found by its reference?', choices: ['yes', 'no'] },
];

/**
 * Writes an adapter that works against its own simulator, and lists what its author must fill in: a package of its own, or, into
 * `carriers` of a checkout of Waybridge, a folder with its line in the list and its test.
 * @throws Error in words: a name that cannot be used, a folder that is not empty
 */
export async function newCarrier(id: string, command: NewCarrierCommand): Promise<void> {
  const names = namesFor(id, command);
  const into = resolve(command.into ?? id);
  const isCheckout = isCarriersFolder(into);
  const folder = isCheckout ? join(into, id) : into;
  refuseToOverwrite(folder, isCheckout ? testOf(into, id) : null);
  const carrier = { names, answers: await answersFor(command) };
  const written = isCheckout ? writeFolders(into, [carrier]) : writePackage(folder, carrier);
  const here = relative(process.cwd(), folder) || '.';
  console.log(`${names.name} is in ${here}: ${namesIn(folder, written)}`);
  if (isCheckout) tellBeside(into, id);
  console.log('\nTo fill in:');
  for (const line of written.flatMap(todosIn)) console.log(`  ${line}`);
  console.log(`\nIt works against its own simulator already:`);
  for (const line of isCheckout ? nextInCheckout(id) : nextInPackage(folder, here)) console.log(`  ${line}`);
}

function namesIn(folder: string, files: readonly string[]): string {
  const names = files.map((file) => relative(folder, file));
  return names.filter((name) => !name.startsWith('..')).join(', ');
}

/** What was written in a checkout outside the carrier's folder. */
function tellBeside(carriers: string, id: string): void {
  const here = (file: string) => relative(process.cwd(), file);
  console.log(`Its test: ${here(testOf(carriers, id))}`);
  console.log(`Its lines were added to ${here(listIn(carriers))}`);
}

function refuseToOverwrite(folder: string, test: string | null): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: nothing was written. Choose another folder with --into`);
  if (test !== null && existsSync(test))
    throw new Error(`${test} is there already: nothing was written. Choose another id`);
}

function namesFor(id: string, { name = capitalised(id) }: NewCarrierCommand): CarrierNames {
  if (!ID.test(id)) throw new Error(`"${id}" is no id of a carrier: use small letters, digits and hyphens`);
  if (carriers.some(({ adapter }) => adapter.id === id))
    throw new Error(`"${id}" is the id of a carrier that Waybridge has already: choose another one`);
  if (!NAME.test(name)) throw new Error(`"${name}" is no name: use letters, digits, spaces and . & -`);
  return { id, name };
}

function nextInPackage(folder: string, here: string): readonly string[] {
  const entry = here.startsWith('.') ? here : `./${here}`;
  const installs = isInstalledFor(folder)
    ? []
    : [`(cd ${here} && npm install --no-save ${programFolder().replace(/\/$/, '')})`];
  return [
    ...installs,
    `(cd ${here} && npm test)`,
    `npx waybridge check-carrier ${entry}`,
    `npx waybridge demo --adapter ${entry}`,
  ];
}

/** Whether the package's files find `waybridge/adapter`, as installed beside them or in a folder above. */
function isInstalledFor(folder: string): boolean {
  try {
    createRequire(join(folder, 'index.js')).resolve('waybridge/adapter');
    return true;
  } catch {
    return false;
  }
}

function nextInCheckout(id: string): readonly string[] {
  return [
    `npm run test:carriers -- test/carriers/${id}.test.ts`,
    'npm run lint && npm run typecheck',
    'npm run demo',
    'npm run docs:carriers  # writes docs/carriers.md: a test fails until it has run',
  ];
}

function todosIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = /TODO (.*?)(?: \*\/)?$/.exec(line)?.[1];
      return text === undefined ? [] : [`${basename(file)}:${index + 1}  ${text}`];
    });
}

async function answersFor(command: NewCarrierCommand): Promise<NewCarrierAnswers> {
  const asks = !command.yes && process.stdin.isTTY;
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  // Lines that are typed, or pasted, before their question are kept for it.
  const lines = terminal?.[Symbol.asyncIterator]();
  const ask = async ({ text, choices }: Question): Promise<string> => {
    terminal?.setPrompt(`${text} (${choices.join(', ')}) [${choices[0]}] `);
    terminal?.prompt();
    const line = await lines?.next();
    if (line?.done) throw new Error('the questions were not answered: nothing was written. --yes takes the defaults');
    return line?.value.trim() ?? '';
  };
  const answers: Record<string, string> = {};
  try {
    for (const question of QUESTIONS)
      answers[question.key] = chosen(question, command[question.key] ?? (asks ? await askedAgain(question, ask) : ''));
  } finally {
    terminal?.close();
  }
  if (!asks && !command.yes) tellTaken(QUESTIONS.filter(({ key }) => command[key] === undefined));
  return answers as unknown as NewCarrierAnswers;
}

/** Says the defaults that are taken, since without a terminal there is no question. */
function tellTaken(questions: readonly Question[]): void {
  for (const { key, text, choices } of questions)
    console.log(`${text} ${choices[0]}; --${key} takes ${choices.join(', ')}`);
}

/** Asks until the answer is one of the choices, or empty. */
async function askedAgain(question: Question, ask: (question: Question) => Promise<string>): Promise<string> {
  for (;;) {
    const answer = await ask(question);
    if (answer === '' || question.choices.includes(answer)) return answer;
    console.log(`"${answer}" is none of ${question.choices.join(', ')}`);
  }
}

/** @throws Error an answer that is none of the choices */
function chosen({ key, choices }: Question, answer: string): string {
  const [fallback = ''] = choices;
  if (answer === '') return fallback;
  if (!choices.includes(answer)) throw new Error(`${key} is one of ${choices.join(', ')}, not "${answer}"`);
  return answer;
}

/** `fjord-post` is Fjord Post. */
function capitalised(id: string): string {
  return id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
