import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { LANGUAGES, MESSAGES, PHRASES } from './keys.js';
import type { Language, MessageKey, MessageValues, PhraseKey, PhraseValues } from './keys.js';
import { bundleFolder } from '../program-files.js';

/** The readers of a message: their language, and the document by which they ask for a booking. */
export interface Readers {
  readonly language: Language;
  readonly bookOn: 'transport-booking' | 'delivery-note';
}

export interface Messages {
  /**
   * One message in words for a warehouse worker. Of a message that this version does not know, or that lacks a value,
   * because another version wrote it into a row, it says just that.
   */
  text<Key extends MessageKey>(readers: Readers, key: Key, values: MessageValues<Key>): string;
  /**
   * A part of a message.
   * @throws Error when its text needs a value that is not given
   */
  phrase<Key extends PhraseKey>(language: Language, key: Key, values: PhraseValues<Key>): string;
}

type Texts = ReadonlyMap<string, string>;

const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Reads `messages.<language>.yaml` of every language: key to text with {placeholders}.
 * @throws Error naming all that is wrong: every language has every key of `MESSAGES` and `PHRASES`, each with exactly its values
 */
export async function loadMessages(folder: string): Promise<Messages> {
  const loaded = await Promise.all(LANGUAGES.map((language) => loadLanguage(folder, language)));
  const problems = loaded.flatMap((language) => language.problems);
  if (problems.length > 0) throw new Error(`messages: ${problems.length} problems\n${problems.join('\n')}`);
  const texts = new Map(loaded.map((language) => [language.language, language.texts]));
  const say = (language: Language, key: string, values: Readonly<Record<string, string | number>>) =>
    fill(texts.get(language)?.get(key) ?? missing(language, key), values);
  const documentOf = ({ language, bookOn }: Readers) => ({
    bookingDocument: say(language, bookOn, {}),
    theBookingDocument: say(language, `the-${bookOn}`, {}),
  });
  return {
    text: (readers, key, values) => {
      const ofReaders = documentOf(readers);
      if (isKnown(key, values)) return say(readers.language, key, { ...ofReaders, ...values });
      const given = Object.entries(values).map(([name, value]) => `${name}: ${String(value)}`);
      return say(readers.language, 'unknown-message', { ...ofReaders, message: key, values: given.join(', ') });
    },
    phrase: say,
  };
}

/** Whether this version has the message, with these values: rows also hold what other versions have written. */
function isKnown(key: MessageKey, values: object): boolean {
  return Object.hasOwn(MESSAGES, key) && MESSAGES[key].values.every((name) => name in values);
}

function missing(language: Language, key: string): never {
  throw new Error(`there is no message "${key}" in "${language}"`);
}

/** One pass: braces inside a value are no placeholders. */
function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const known = new Map(Object.entries(values));
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`no value for ${whole} in: ${text}`);
    return String(value);
  });
}

interface Loaded {
  readonly language: Language;
  readonly texts: Texts;
  readonly problems: readonly string[];
}

async function loadLanguage(folder: string, language: Language): Promise<Loaded> {
  const name = `messages.${language}.yaml`;
  const text = await readFile(join(folder, name), 'utf8');
  const built = await builtFrom(name);
  const content: unknown = built?.source === text ? built.content : parse(text);
  const entries = typeof content === 'object' && content !== null ? Object.entries(content) : [];
  const texts = new Map(entries.map(([key, text]) => [key, typeof text === 'string' ? text.trim() : '']));
  return { language, texts, problems: problemsIn(texts).map((problem) => `  ${name}: ${problem}`) };
}

/** The build (bin/bundle.js) parses a text file, which saves a start 0.1 s of the processor. A file that was changed since is parsed at the start. */
async function builtFrom(name: string): Promise<{ readonly source: string; readonly content: unknown } | null> {
  try {
    return JSON.parse(await readFile(`${bundleFolder()}${name}.json`, 'utf8')) as { source: string; content: unknown };
  } catch {
    return null;
  }
}

function problemsIn(texts: Texts): readonly string[] {
  const keys = [...Object.keys(MESSAGES), ...Object.keys(PHRASES)];
  return [
    ...[...texts.keys()].filter((key) => !keys.includes(key)).map((key) => `"${key}" is not a message`),
    ...Object.entries(MESSAGES).flatMap(([key, { values }]) => problemsOf(key, inMessage(texts.get(key)), values)),
    ...Object.entries(PHRASES).flatMap(([key, values]) => problemsOf(key, texts.get(key), values)),
  ];
}

/** A text without the names that every message may use, and need not. */
const inMessage = (text: string | undefined) =>
  text?.replaceAll(/\{(?:bookingDocument|theBookingDocument)\}/g, 'document');

function problemsOf(key: string, text: string | undefined, values: readonly string[]): readonly string[] {
  if (text === undefined || text === '') return [`"${key}" has no text`];
  const used = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  const unused = values.filter((name) => !used.has(name)).map((name) => `"${key}" lacks {${name}}`);
  const unknown = [...used].filter((name) => !values.includes(name)).map((name) => `"${key}" knows no {${name}}`);
  return [...unused, ...unknown];
}
