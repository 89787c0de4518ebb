import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { DEEPEST, isDeeperThan, isJsonArray } from '../store/json.js';

/** The control interface cannot read the request body: status 400. */
export class BadControlBody extends Error {
  override readonly name = 'BadControlBody';
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/**
 * Reads the members of one JSON object. For an invalid member it records a problem with its place and returns a valid
 * default, so that one pass finds all problems.
 */
export class Members {
  private readonly asked = new Set<string>();

  /** @param place prefix of every name in problems; `''` for the outermost object */
  constructor(
    private readonly value: JsonMembers,
    private readonly place: string,
    private readonly problems: string[],
  ) {}

  has(name: string): boolean {
    return this.json(name) !== undefined;
  }

  json(name: string): Json | undefined {
    this.asked.add(name);
    return Object.hasOwn(this.value, name) ? this.value[name] : undefined;
  }

  text(name: string): string {
    const value = this.json(name);
    return typeof value === 'string' ? value : this.problem(name, 'must be text', '');
  }

  /** Text that is not blank. */
  someText(name: string): string {
    const value = this.json(name);
    return typeof value === 'string' && value.trim() !== '' ? value : this.problem(name, 'must be text', '');
  }

  oneOf(name: string, known: readonly string[]): string {
    const value = this.json(name);
    const words = `must be one of ${known.join(', ')}${value === undefined ? '' : `; it is ${JSON.stringify(value)}`}`;
    return known.find((each) => each === value) ?? this.problem(name, words, '');
  }

  address(name: string): string {
    const value = this.json(name);
    if (typeof value === 'string' && isAddress(value)) return value;
    return this.problem(name, 'must be an address, e.g. http://127.0.0.1:8080/x', '');
  }

  /** A number from `min` (0 when not given) to `max`, both inclusive. */
  number(name: string, { min = 0, max = Infinity }: Range = {}): number {
    const value = this.json(name);
    if (typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max) return value;
    return this.problem(
      name,
      `must be a number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`,
      0,
    );
  }

  whole(name: string, range: Range = {}): number {
    const value = this.number(name, range);
    return Number.isInteger(value) ? value : this.problem(name, 'must be a whole number', 0);
  }

  texts(name: string): readonly string[] {
    const value = this.json(name);
    const texts = isJsonArray(value) ? value.filter((each) => typeof each === 'string') : [];
    return isJsonArray(value) && texts.length === value.length
      ? texts
      : this.problem(name, 'must be a list of texts', []);
  }

  /** A list of at least one text, none of them blank. */
  someTexts(name: string): readonly string[] {
    const value = this.json(name);
    const texts = isJsonArray(value) ? value.filter((each) => typeof each === 'string' && each.trim() !== '') : [];
    if (isJsonArray(value) && texts.length === value.length && texts.length > 0) return texts.map(String);
    return this.problem(name, 'must be a list of texts, at least one', []);
  }

  wholes(name: string): readonly number[] {
    const value = this.json(name);
    const wholes = isJsonArray(value) ? value.filter((each) => typeof each === 'number' && Number.isInteger(each)) : [];
    if (isJsonArray(value) && wholes.length === value.length) return wholes.map(Number);
    return this.problem(name, 'must be a list of whole numbers', []);
  }

  /** Whole numbers, without duplicates. */
  ids(name: string): readonly number[] {
    return [...new Set(this.wholes(name))];
  }

  /** Header values by header name. */
  headers(name: string): Readonly<Record<string, string>> {
    const headers = Object.entries(this.jsonObject(name));
    for (const [header, value] of headers)
      if (!isHeader(header, value)) this.problem(`${name}.${header}`, 'is no header that can be sent', null);
    return Object.fromEntries(headers.map(([header, value]) => [header, String(value)]));
  }

  headerName(name: string): string {
    const value = this.json(name);
    return typeof value === 'string' && isHeader(value, '') ? value : this.problem(name, 'must name a header', '');
  }

  /** Text that is valid as a header's value. */
  headerText(name: string): string {
    const value = this.json(name);
    if (typeof value === 'string' && isHeader('x', value)) return value;
    return this.problem(name, 'must be text that a header can hold', '');
  }

  jsonObject(name: string): JsonMembers {
    const value = this.json(name);
    return isJsonObject(value) ? value : this.problem(name, 'must be an object', {});
  }

  /** A list of objects, whose members are not checked. */
  jsonObjects(name: string): readonly JsonMembers[] {
    const value = this.json(name);
    const objects = isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : [];
    return isJsonArray(value) && objects.length === value.length
      ? objects
      : this.problem(name, 'must be a list of objects', []);
  }

  /** Reads the members of a nested object. */
  nested<T>(name: string, read: (members: Members) => T): T {
    return readMembers(this.jsonObject(name), { place: this.placeOf(name), problems: this.problems, read });
  }

  /** Reads the members of each object in a list. */
  each<T>(name: string, read: (members: Members) => T): readonly T[] {
    const value = this.json(name);
    const list = isJsonArray(value) ? value : this.problem(name, 'must be a list', []);
    return list.flatMap((item, index) => {
      const place = `${this.placeOf(name)}[${index}]`;
      if (isJsonObject(item)) return [readMembers(item, { place, problems: this.problems, read })];
      this.problems.push(`${place}: must be an object`);
      return [];
    });
  }

  /** Records a problem of a member. @returns `instead` */
  problem<T>(name: string, text: string, instead: T): T {
    this.problems.push(`${this.placeOf(name)}: ${text}`);
    return instead;
  }

  /** Records that `kind` is unknown. It marks all members as read, because the kind decides which ones are allowed. */
  unknownKind<T>(kinds: string, instead: T): T {
    const kind = this.json('kind');
    for (const name of Object.keys(this.value)) this.asked.add(name);
    const found = kind === undefined ? 'is missing' : `is ${JSON.stringify(kind)}`;
    return this.problem('kind', `must be ${kinds}; it ${found}`, instead);
  }

  /** Records a problem for each member that was not read. */
  refuseOthers(): void {
    for (const name of Object.keys(this.value)) if (!this.asked.has(name)) this.problem(name, 'is not known', null);
  }

  private placeOf(name: string): string {
    return this.place === '' ? name : `${this.place}.${name}`;
  }
}

interface Reading<T> {
  readonly place: string;
  readonly problems: string[];
  readonly read: (members: Members) => T;
}

function readMembers<T>(value: JsonMembers, { place, problems, read }: Reading<T>): T {
  const members = new Members(value, place, problems);
  const result = read(members);
  members.refuseOthers();
  return result;
}

/**
 * Reads a JSON object. A member that `read` does not read counts as a problem.
 * @throws BadControlBody with every problem
 */
export function readWhole<T>(value: Json | undefined, read: (members: Members) => T, name = 'the body'): T {
  if (!isJsonObject(value)) throw new BadControlBody(`${name}: must be an object`);
  if (isDeeperThan(value, DEEPEST)) throw new BadControlBody(`${name}: is nested too deep`);
  const problems: string[] = [];
  const result = readMembers(value, { place: '', problems, read });
  if (problems.length > 0) throw new BadControlBody(...problems);
  return result;
}

function isHeader(name: string, value: Json | undefined): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    return typeof value === 'string' || typeof value === 'number';
  } catch {
    return false;
  }
}

/** Whether the text is an `http` or `https` URL without user name and password; those belong into headers. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
