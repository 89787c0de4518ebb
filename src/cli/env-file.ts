import { existsSync, realpathSync } from 'node:fs';
import { relative } from 'node:path';

/** A variable in capitals, and that it is missing: `OPERATOR_TOKEN is missing`, `needs … IMS_API_KEY, which is missing`. */
const MISSING_VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:, which is| is| ) missing\b/;
const READS_A_FILE = /^--env-file(?:-if-exists)?(?:=(.*))?$/;

/**
 * Where a variable is missing: the command that reads `.env`, where that file is here, or the file that was read and does not
 * have it. `null`: nothing to say.
 * @param argv of the process: node, the program, and what was typed after it
 * @param execArgv the options of node itself
 */
export function envFileAdvice(
  message: string,
  [, program = '', ...typed]: readonly string[],
  execArgv: readonly string[] = process.execArgv,
): string | null {
  if (!MISSING_VARIABLE.test(message)) return null;
  const read = filesRead(execArgv);
  if (read.length > 0) return `${read.join(' and ')} was read, and does not have what is missing: add it there.`;
  if (!existsSync('.env')) return null;
  const command = ['node --env-file=.env', relative(process.cwd(), withoutLinks(program)), ...typed].join(' ');
  return `This folder has a .env, which is not read by itself. To read it: ${command}`;
}

/** `npx` runs a link in a folder of its own. */
function withoutLinks(program: string): string {
  return existsSync(program) ? realpathSync(program) : program;
}

/** Finds the files of `--env-file=.env` and of `--env-file .env`, where the name is an argument of its own. */
function filesRead(execArgv: readonly string[]): readonly string[] {
  return execArgv.flatMap((option, place) => {
    const [isMeant, file = execArgv[place + 1]] = READS_A_FILE.exec(option) ?? [];
    return isMeant === undefined || file === undefined ? [] : [file];
  });
}
