import { existsSync } from 'node:fs';
import { relative } from 'node:path';

/** A variable in capitals, and that it is missing: `OPERATOR_TOKEN is missing`, `needs … IMS_API_KEY, which is missing`. */
const MISSING_VARIABLE = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b.*\bmissing\b/;

/**
 * The command that reads `.env`, where a variable is missing and that file is here; `null`: nothing to say.
 * @param argv of the process: node, the program, and what was typed after it
 */
export function envFileAdvice(message: string, [, program = '', ...typed]: readonly string[]): string | null {
  if (!MISSING_VARIABLE.test(message) || !existsSync('.env')) return null;
  const command = ['node --env-file=.env', relative(process.cwd(), program), ...typed].join(' ');
  return `This folder has a .env, which is not read by itself. To read it: ${command}`;
}
