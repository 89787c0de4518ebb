/** `package`: JavaScript beside the package `waybridge`; `folder`: TypeScript in `carriers/` of this repository. */
export type Form = 'package' | 'folder';

/** What a new carrier is made of, by the answers of its author. */
export interface NewCarrierAnswers {
  readonly auth: 'header' | 'basic' | 'oauth' | 'query';
  readonly parcels: 'one' | 'several';
  /** `answer`: labels come with the booking; `asked`: they are fetched afterwards. */
  readonly labels: 'answer' | 'asked';
  /** Whether the carrier finds a booking by its reference. */
  readonly search: 'yes' | 'no';
}

export interface CarrierNames {
  /** Small letters, digits and hyphens, e.g. `fjord-post`. */
  readonly id: string;
  /** As people write it. */
  readonly name: string;
}

/** A line that stays only where one of these words holds, or where none of those with `!` does: `//? header query`. */
const LINE = /[ ]*(?:\/\/|#)\? ([!a-z ]+)$/;
const BLOCK_BEGINS = /^\s*\/\/\?\{ ([!a-z ]+)$/;
const BLOCK_ENDS = /^\s*\/\/\?\}$/;
/** What only TypeScript has: `answer /*ts: HttpAnswer *\/`. */
const TYPES = / ?\/\*ts(.*?) ?\*\//g;

/** Fills a template in: keeps the parts that fit the answers and the form, and puts the carrier's names in place of Acme's. */
export function render(
  template: string,
  names: CarrierNames,
  given: NewCarrierAnswers & { readonly form: Form },
): string {
  const holding = wordsOf(given);
  let block: string | null = null;
  const kept: string[] = [];
  for (const line of template.split('\n')) {
    const begins = BLOCK_BEGINS.exec(line)?.[1];
    if (begins !== undefined) block = begins;
    else if (BLOCK_ENDS.test(line)) block = null;
    else if ((block === null || holds(block, holding)) && holds(LINE.exec(line)?.[1] ?? '', holding))
      kept.push(line.replace(LINE, ''));
  }
  return withNames(withTypes(kept.join('\n'), given.form), names);
}

function withTypes(text: string, form: Form): string {
  return text.replace(TYPES, form === 'folder' ? '$1' : '');
}

function wordsOf({
  auth,
  parcels,
  labels,
  search,
  form,
}: NewCarrierAnswers & { readonly form: Form }): ReadonlySet<string> {
  return new Set([
    auth,
    ...(parcels === 'several' ? ['several'] : []),
    ...(labels === 'answer' ? ['inanswer'] : []),
    ...(search === 'yes' ? ['search'] : []),
    ...(form === 'folder' ? ['ts'] : []),
  ]);
}

function holds(condition: string, holding: ReadonlySet<string>): boolean {
  const words = condition.split(' ').filter((word) => word !== '');
  const denied = words.filter((word) => word.startsWith('!')).map((word) => word.slice(1));
  const wanted = words.filter((word) => !word.startsWith('!'));
  if (denied.some((word) => holding.has(word))) return false;
  return wanted.length === 0 || wanted.some((word) => holding.has(word));
}

function withNames(text: string, { id, name }: CarrierNames): string {
  const pascal = id.replace(/(?:^|-)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  // In one pass: a name may hold Acme itself.
  return text.replace(/ACME|Acme|acmeCarrier|acme/g, (found, at: number) => {
    if (found === 'acmeCarrier') return camel;
    if (found === 'ACME') return id.replaceAll('-', '_').toUpperCase();
    if (found === 'Acme') return isWord(text, at, found.length) ? name : pascal;
    return /^[A-Z]/.test(text.slice(at + found.length)) ? camel : id;
  });
}

/** Whether no letter stands before or behind it. */
function isWord(text: string, at: number, length: number): boolean {
  return !/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(at + length));
}
