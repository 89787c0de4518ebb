import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Printing, loadPrintTemplate } from './print-body.js';
import type { PrintProfile } from './profile.js';

const OF_PROFILE = /^print-resource\.([a-z0-9][a-z0-9-]{0,49})\.json$/;

/**
 * Reads the templates of the print body: the installation's own, and all that profiles could name, so that a booking under
 * way finds the one of a profile that was removed.
 * @param folder of the templates
 * @throws Error a template is wrong, or one that a profile names is missing
 */
export async function loadPrinting(
  folder: string,
  { mode, profiles }: { readonly mode: Printing['mode']; readonly profiles: readonly PrintProfile[] },
): Promise<Printing> {
  if (mode !== 'resource') return { mode };
  const template = await loadPrintTemplate(join(folder, 'print-resource.json'));
  const names = (await readdir(folder)).flatMap((file) => OF_PROFILE.exec(file)?.[1] ?? []);
  const missing = profiles.find((profile) => profile.template !== null && !names.includes(profile.template));
  if (missing)
    throw new Error(
      `printing.profiles.${missing.name}.template: ${join(folder, `print-resource.${missing.template}.json`)} is missing`,
    );
  if (names.length === 0) return { mode, template };
  const load = async (name: string) =>
    [name, await loadPrintTemplate(join(folder, `print-resource.${name}.json`))] as const;
  return { mode, template, templates: new Map(await Promise.all(names.map(load))) };
}
