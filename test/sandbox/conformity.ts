import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Json, JsonMembers } from '../../src/sandbox/store/json.js';
import { isJsonObject } from '../../carriers/contract/json.js';
import { isJsonArray, membersOf, readJson } from '../../src/sandbox/store/json.js';
import type { ImsExchange } from '../../src/sandbox/openapi/exchange-tap.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';

export interface ConformityChecker {
  /** @returns what of the exchange is not as described; whole sentences */
  check(exchange: ImsExchange): readonly string[];
}

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly parts: JsonMembers;
}

/** Methods that Express answers by itself. */
const NOT_DESCRIBED = ['HEAD', 'OPTIONS'];
const COMPONENTS = '#/components/schemas/';
/** Each component is a schema of its own here, so that it is compiled only once. */
const COMPONENT = 'component:';

/** Checks exchanges against the description of the interface; schemas are compiled when they are first needed. */
export function conformityChecker(document: JsonMembers): ConformityChecker {
  const described = membersOf(readJson(JSON.stringify(document).replaceAll(COMPONENTS, COMPONENT)));
  const problemsOf = schemaChecks(membersOf(membersOf(described['components'])['schemas']));
  const operations = operationsIn(described);
  const answerProblems = ({ status, responseBody }: ImsExchange, { parts }: Operation): readonly string[] => {
    const answer = membersOf(parts['responses'])[status];
    if (!isJsonObject(answer)) return [`status ${status} is not described`];
    return isJsonObject(answer['content']) ? problemsOf(schemaIn(answer), responseBody) : [];
  };
  const requestProblems = (exchange: ImsExchange, { parts, path }: Operation): readonly string[] => {
    if (exchange.status >= 300) return [];
    const given = { path: path.exec(exchange.path)?.groups ?? {}, query: Object.fromEntries(exchange.query) };
    const parameters = isJsonArray(parts['parameters']) ? parts['parameters'].map(membersOf) : [];
    const wrong = parameters.flatMap(({ name, in: place, schema }) => {
      const text = given[place === 'path' ? 'path' : 'query'][String(name)];
      if (text === undefined || text === '') return [];
      const problems = problemsOf(membersOf(schema), valueIn(text, schema));
      return problems.map((problem) => `parameter ${String(name)}: ${problem}`);
    });
    const body = parts['requestBody'];
    return body === undefined ? wrong : [...wrong, ...problemsOf(schemaIn(membersOf(body)), exchange.requestBody)];
  };
  return {
    check: (exchange) => {
      if (NOT_DESCRIBED.includes(exchange.method)) return [];
      const { method, status } = exchange;
      const say = (problem: string) => `${method} ${exchange.path} answered ${status}: ${problem}`;
      const operation = operations.find((each) => each.method === method && each.path.test(exchange.path));
      if (operation !== undefined)
        return [...requestProblems(exchange, operation), ...answerProblems(exchange, operation)].map(say);
      if (status < 300) return [say('there is no such operation')];
      return problemsOf(GATEWAY_ERROR, exchange.responseBody).map(say);
    },
  };
}

const GATEWAY_ERROR: JsonMembers = { $ref: `${COMPONENT}GatewayError` };

/** @returns what is wrong with a value, by a schema */
function schemaChecks(components: JsonMembers): (schema: JsonMembers, value: Json) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true });
  addFormats.default(ajv);
  ajv.addFormat('json', (text: string) => isJsonObject(readIfJson(text)));
  for (const [name, schema] of Object.entries(components)) ajv.addSchema(membersOf(schema), `${COMPONENT}${name}`);
  return (schema, value) => {
    // The same object is compiled once.
    const validate = ajv.compile(schema);
    return validate(value) ? [] : (validate.errors ?? []).map(sentence);
  };
}

function operationsIn(document: JsonMembers): readonly Operation[] {
  const all = Object.entries(membersOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(membersOf(methods)).map(([method, parts]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      parts: membersOf(parts),
    })),
  );
  // A path that names its last part comes before one that leaves it open.
  return all.toSorted((a, b) => a.path.source.split('?<').length - b.path.source.split('?<').length);
}

function schemaIn({ content }: JsonMembers): JsonMembers {
  return membersOf(membersOf(membersOf(content)['application/json'])['schema']);
}

/** Parameters are texts; what they say is a number where the description says so. */
function valueIn(text: string, schema: Json | undefined): Json {
  const { type } = membersOf(schema);
  const isNumber = (type === 'integer' || type === 'number') && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

function readIfJson(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

function sentence({ instancePath, message = 'is wrong', data, params }: ErrorObject): string {
  const shown = JSON.stringify(data) ?? 'nothing';
  const details = 'allowedValues' in params ? ` (${String(params['allowedValues'])})` : '';
  return `${instancePath || 'the body'} ${message}${details}, but is ${shown.slice(0, 200)}`;
}

/** What one sandbox answers, kept until it is known whether all of it is as described. */
export interface Conformity {
  /** Belongs among the sandbox's options. */
  readonly options: { readonly onExchange: (exchange: ImsExchange) => void };
  /** @throws Error with the first problems */
  verify(sandbox: Pick<Sandbox, 'imsBaseUrl' | 'control'>): Promise<void>;
}

const SHOWN_PROBLEMS = 10;

/** The description is the same for all sandboxes of a test file, but for its address. */
let known: ConformityChecker | null = null;

export function watchConformity(): Conformity {
  const kept: ImsExchange[] = [];
  return {
    options: { onExchange: (exchange) => void kept.push(exchange) },
    verify: async ({ imsBaseUrl, control }) => {
      if (kept.length === 0) return;
      control.clearFaults();
      known ??= conformityChecker(membersOf(readJson(await (await fetch(`${imsBaseUrl}/openapi.json`)).text())));
      const checker = known;
      const problems = [...new Set(kept.splice(0).flatMap((exchange) => checker.check(exchange)))];
      if (problems.length === 0) return;
      const shown = problems.slice(0, SHOWN_PROBLEMS).join('\n');
      throw new Error(`The sandbox is not as it describes itself, ${problems.length} times:\n${shown}`);
    },
  };
}
