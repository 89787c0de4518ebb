import type { HttpPort, HttpRequest } from '../../../carriers/contract/http-port.js';
import type { ReadConfig } from '../../../src/config/config-file.js';
import type { Database, Sql } from '../../../src/db/database.js';
import { plainValues } from '../../../src/db/sealing/personal.js';
import { isOfLivingInstance } from '../../../src/ims/limits/instance-rows.js';
import type { Log } from '../../../src/log.js';
import { withoutSendGuard } from '../../../src/transport/send-guard.js';
import type { Sabotage } from './protocol.js';

interface Means {
  readonly sabotage: readonly Sabotage[];
  /** Filled with whoever takes leases in this process. */
  readonly owners: Set<string>;
  readonly log: Log;
}

/** The database, less the protections that are taken away; nothing of this exists in the service itself. */
export function sabotagedDatabase(database: Database, means: Means): Database {
  return {
    ...database,
    ...sabotagedSql(database, means),
    transaction: (work) => database.transaction((sql) => work(sabotagedSql(sql, means))),
  };
}

function sabotagedSql(sql: Sql, means: Means): Sql {
  return {
    query: async <Row>(text: string, given: readonly unknown[] = []) => {
      const values = plainValues(given);
      const owner = /set lease_owner = \$2/.test(text) ? String(values[1]) : ownerOfNewRows(text, values);
      if (owner !== undefined) means.owners.add(owner);
      const change = changed({ text, values }, means);
      if (change === 'dropped') return [{ event_id: values[0] }] as unknown as readonly Row[];
      const rows = await sql.query<Row>(change.text, change.values);
      return (change.seen ? rows.map(change.seen) : rows) as readonly Row[];
    },
    script: (text) => sql.script(text),
  };
}

/** New rows are claimed by the statement that inserts them. */
function ownerOfNewRows(text: string, [rows]: readonly unknown[]): string | undefined {
  if (!text.includes('insert into consignment ') || typeof rows !== 'string') return undefined;
  return /"lease_owner":"([^"]+)"/.exec(rows)?.[1];
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** What the asker gets to see instead. */
  readonly seen?: (row: unknown) => unknown;
}

function changed(statement: Statement, { sabotage, log }: Means): Statement | 'dropped' {
  const { text, values } = statement;
  const isSave = text.includes('update consignment set') && SAVED_ENTRIES.test(text);
  if (isSave && sabotage.includes('talkative-log')) log.info('saved', { parts: partsIn({ text, values }) });
  const change = (Object.keys(CHANGES) as (keyof typeof CHANGES)[]).find(
    (name) => sabotage.includes(name) && CHANGES[name].where.test(text),
  );
  return change === undefined ? statement : CHANGES[change].to(statement);
}

const SAVED_ENTRIES = /jsonb_array_elements\(\$\d+::jsonb\) entry/;

/** The parts that a consignment is saved with, as JSON. */
function partsIn({ text, values }: Statement): unknown {
  return values[Number(/parts = \$(\d+)::jsonb/.exec(text)?.[1]) - 1];
}

const CHANGES = {
  'no-event': { where: /insert into (event|consignment|task) /, to: (): 'dropped' => 'dropped' },
  'spoiled-label': { where: /insert into label/, to: spoiled },
  'no-intent': { where: new RegExp(`update consignment set[^]*${SAVED_ENTRIES.source}`), to: withoutIntent },
  'no-lease': { where: /lease_until/, to: withoutLease },
} as const;

/** How every PDF begins, in the form in which labels travel. */
const PDF_IN_HEX = Buffer.from('%PDF').toString('hex');

function spoiled({ text, values }: Statement): Statement {
  const isFile = (value: unknown): value is string => typeof value === 'string' && value.startsWith(PDF_IN_HEX);
  const spoil = (value: unknown) => (isFile(value) ? value.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : value);
  return { text, values: values.map((value) => (Array.isArray(value) ? value.map(spoil) : value)) };
}

/** The row keeps its parts as planned; who saves it believes them to be written as about to be sent. */
function withoutIntent({ text, values }: Statement): Statement {
  const forget = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll('"state":"sending"', '"state":"planned"') : value;
  const recall = (row: unknown) => {
    const parts = partsIn({ text, values });
    return typeof parts === 'string' && typeof row === 'object' ? { ...row, parts: JSON.parse(parts) as unknown } : row;
  };
  return { text, values: values.map(forget), seen: recall };
}

function withoutLease({ text, values }: Statement): Statement {
  return {
    text: text
      .replace(`and not ${isOfLivingInstance('$6', '$1')}`, 'and $6::text is not null')
      .replace(`and not ${isOfLivingInstance('$2', '$4')}`, '')
      .replace('for update skip locked', '')
      .replace(/and \(lease_until is null or lease_until <= \$[14]\)/, '')
      // A parameter that no expression uses has no type.
      .replace(
        /where id = (\$\d+) and version = (\$\d+) and lease_owner = (\$\d+) and \(lease_until > (\$\d+) or (\$\d+)\)/,
        'where id = $1 and $2::int is not null and $3::text is not null and $4::timestamptz is not null and $5::boolean is not null',
      ),
    values,
  };
}

const NUMBER = /\/shippingContainers\/\d+$/;
const MESSAGE = /\/messages$/;
/** Far more than a key allows in a second, on a slow machine too. */
const AT_ONCE_WITHOUT_LIMIT = 250;

/** The way out, less what is kept from leaving. */
export function sabotagedHttp(port: HttpPort, sabotage: readonly Sabotage[]): HttpPort {
  const taken = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  const kept = (request: HttpRequest) =>
    (sabotage.includes('no-tracking') && NUMBER.test(request.url)) ||
    (sabotage.includes('no-message') && MESSAGE.test(request.url)) ||
    (sabotage.includes('no-end') && isEnd(request));
  let lastNumber: HttpRequest | null = null;
  let rushed = false;
  return {
    ...port,
    send: async (request) => {
      if (kept(request)) return taken;
      if (sabotage.includes('no-permission')) return withoutSendGuard(() => port.send(request));
      if (NUMBER.test(request.url)) lastNumber = request;
      if (sabotage.includes('end-first') && isEnd(request) && lastNumber) {
        const answer = await port.send(request);
        await port.send(lastNumber);
        return answer;
      }
      if (sabotage.includes('no-limit') && request.method === 'GET' && !rushed) {
        rushed = true;
        await Promise.all(Array.from({ length: AT_ONCE_WITHOUT_LIMIT }, () => port.send(request)));
      }
      return port.send(request);
    },
  };
}

function isEnd({ method, url, json }: HttpRequest): boolean {
  return method === 'PATCH' && /\/documents\/\d+$/.test(url) && JSON.stringify(json).includes('DONE');
}

/** The carriers, less the time that they and their search take. */
export function sabotagedCarriers(config: ReadConfig, sabotage: readonly Sabotage[]): ReadConfig {
  if (!sabotage.includes('no-visibility-wait')) return config;
  const accounts = config.accounts.map((account) => {
    const traits = { ...account.adapter.traits, bookingVisibleAfterMs: 0, bookingEndsWithinMs: 0 };
    return { ...account, adapter: { ...account.adapter, traits } };
  });
  return { ...config, accounts };
}
