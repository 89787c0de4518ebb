import { processEnvironment } from '../config/environment.js';
import { type AskService, serviceAt } from './ask-service/ask-service.js';
import { startProgress } from './progress.js';
import { readTextFile } from './text-file.js';
import { waitForResults } from './ask-service/wait-for-results.js';

/** The service stores up to 500 answers, one after the other. */
const ANSWERS_WITHIN_MS = 180_000;

export interface ResolveCommand {
  readonly csv: string;
  readonly perSecond?: string;
  readonly dryRun?: true;
  readonly wait?: true;
  readonly url?: string;
}

interface Answer {
  readonly dryRun: boolean;
  readonly accepted: number;
  readonly refused: number;
  readonly results: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly because: string | null;
    /** `null`: it was not taken, or nothing was to be done. */
    readonly startsAt: string | null;
  }[];
  readonly problems: readonly { readonly line: number; readonly because: string }[];
}

/** Prints a line for each answer; the exit code is 1 when one was not taken. @throws SettingsError, or Error the service refused it all */
export async function sendResolutions(
  { csv, perSecond, dryRun, wait, url }: ResolveCommand,
  environment = processEnvironment(),
): Promise<void> {
  const ask = serviceAt(url, environment);
  const body = readTextFile(csv);
  const query = new URLSearchParams({ dryRun: String(dryRun === true), ...(perSecond !== undefined && { perSecond }) });
  const path = `/consignments/resolve?${query.toString()}`;
  const progress = startProgress('the service stores the answers');
  const asked = ask({ method: 'POST', path, body, withinMs: ANSWERS_WITHIN_MS });
  const answer = (await asked.finally(progress.end)) as Answer;
  for (const line of linesOf(answer)) console.log(line);
  if (answer.refused > 0 || answer.problems.length > 0) process.exitCode = 1;
  if (wait && !answer.dryRun) await showResults(ask, answer);
}

/** What became of each answer that was taken; the exit code is 1 when one was not done. */
async function showResults(ask: AskService, { results }: Answer): Promise<void> {
  const taken = results.filter(({ outcome }) => outcome === 'accepted');
  const ends = await waitForResults(ask, taken);
  for (const { id, result, text } of ends) console.log(`${result.padEnd(20)}  ${id}: ${text}`);
  if (ends.some(({ result }) => result !== 'done')) process.exitCode = 1;
}

function linesOf({ results, problems, accepted, dryRun }: Answer): readonly string[] {
  const why = (because: string | null) => (because === null ? '' : `: ${because}`);
  return [
    ...results.map(({ id, outcome, because }) => `${outcome.padEnd(20)}  ${id}${why(because)}`),
    ...problems.map(({ line, because }) => `${'wrong row'.padEnd(20)}  line ${line}: ${because}`),
    dryRun
      ? `${accepted} would be taken; this was a dry run: nothing was changed`
      : `${accepted} taken; \`waybridge consignments\` shows what becomes of them`,
  ];
}
