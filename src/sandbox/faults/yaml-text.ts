import type { Document, YAMLParseError } from 'yaml';
import { isCollection, isScalar, parseDocument, visit } from 'yaml';
import type { Json } from '../store/json.js';

/** Messages by error code, for errors that the parser's own message does not explain. */
const WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'there must be one document only',
  RESOURCE_EXHAUSTION: 'it is nested too deep',
  DUPLICATE_KEY: 'this name stands there twice',
  BLOCK_AS_IMPLICIT_KEY: 'a name and its value must stand on a line of their own',
};
/** Error codes that the parser reports at the end of a text or collection that was not closed. */
const UNCLOSED = ['MISSING_CHAR', 'BAD_INDENT'];

/** How a file is read. */
export interface YamlFile {
  /** The file's name in error messages. */
  readonly called: string;
  /** Changes the parsed document before it is converted to a value. */
  readonly prepare?: (document: Document) => void;
}

/**
 * The value that a YAML text holds; `null` when it is empty.
 * @throws Error with the line and a message for people
 */
export function readYaml(text: string, { called, prepare }: YamlFile = { called: 'faults file' }): Json {
  const document = parseDocument(text, { logLevel: 'error' });
  const [slip] = document.errors;
  if (slip !== undefined) throw new Error(`${called}: line ${lineOf(slip, document, text)}: ${wordsOf(slip)}`);
  prepare?.(document);
  try {
    const value: Json = document.toJS();
    return value;
  } catch (cause) {
    throw new Error(`${called}: has an alias that stands for nothing or for too much`, { cause });
  }
}

function wordsOf({ code, message }: YAMLParseError): string {
  const [said = message] = message.split(/ at line \d/);
  return WORDS[code] ?? said.replace(/^Missing closing (.)quote$/, 'the closing $1 of this text is missing');
}

/**
 * The line of an error. For something not closed it is the line where that begins, because the parser notices the error
 * much later.
 */
function lineOf({ code, pos, linePos }: YAMLParseError, document: Document, text: string): number | string {
  if (!UNCLOSED.includes(code)) return linePos?.[0].line ?? '?';
  let begin = pos[0];
  visit(document, {
    Node: (_key, node) => {
      const isClosed = isCollection(node) ? node.flow !== true : !isScalar(node) || !node.type?.startsWith('QUOTE');
      if (!isClosed && node.range?.[1] === pos[0]) begin = node.range[0];
    },
  });
  return text.slice(0, begin).split('\n').length;
}
