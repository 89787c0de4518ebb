import { processEnvironment } from '../config/environment.js';
import { serviceAt } from './ask-service/ask-service.js';

const ANSWERS_WITHIN_MS = 30_000;
/** The most that one command shows. */
const MAX_SHOWN = 1_000;
const PAGE = 200;
const MAX_REASON = 100;

export interface ConsignmentsCommand {
  readonly state?: string;
  readonly area?: readonly string[];
  readonly account?: readonly string[];
  readonly carrier?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly needsOperator?: true;
  readonly sort?: string;
  readonly limit: number;
  readonly lang?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
}

export const CONSIGNMENTS_EXAMPLES = `
The service must be running at --url, WAYBRIDGE_URL or PUBLIC_URL. OPERATOR_TOKEN must be set.

Examples:
  waybridge consignments
  waybridge consignments 10045
  waybridge consignments --state refused,incomplete --account gls --since 2026-03-04
  waybridge consignments --needs-operator --csv > answers.csv
  waybridge consignments --json --limit 200
`;

interface Row {
  readonly id: string;
  readonly area: string;
  readonly state: string;
  readonly shipmentNumber: string | null;
  readonly documentId: string | null;
  readonly account: string | null;
  readonly carrierName: string | null;
  readonly carrierNumber: string | null;
  readonly parcels: readonly { readonly trackingNumber: string }[];
  readonly unconfirmed: readonly Unconfirmed[];
  readonly reason: string | null;
  readonly createdAt: string;
}

interface Unconfirmed {
  readonly reference: string;
  readonly containers: readonly string[];
  /** ISO 8601; `null`: not by us; missing: the service is older. */
  readonly sentAt?: string | null;
}

interface Page {
  readonly consignments: readonly Row[];
  readonly cursor: string | null;
}

/** Prints the list to standard output. @throws Error with what the service answered, when it refused */
export async function consignments(
  q: string | undefined,
  options: ConsignmentsCommand,
  environment = processEnvironment(),
): Promise<void> {
  const ask = serviceAt(options.url, environment);
  const limit = Math.min(options.limit, MAX_SHOWN);
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const query = queryOf(q, options, { cursor, limit: Math.min(PAGE, limit - rows.length) });
    const path = `/consignments?${query.toString()}`;
    const page = (await ask({ method: 'GET', path, withinMs: ANSWERS_WITHIN_MS })) as Page;
    rows.push(...page.consignments);
    ({ cursor } = page);
  } while (cursor !== null && rows.length < limit);
  if (options.json) console.log(JSON.stringify(rows, null, 2));
  else if (options.csv) console.log(tableToAnswer(rows));
  else for (const line of linesOf(rows)) console.log(line);
  if (cursor !== null) console.error(`there are more than these ${rows.length}: use --limit, --since or --until`);
}

function queryOf(
  q: string | undefined,
  options: ConsignmentsCommand,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): URLSearchParams {
  const { state, area, account, carrier, since, until, needsOperator, sort, lang } = options;
  const query = new URLSearchParams({ limit: String(limit) });
  const single = {
    q,
    state,
    since,
    until,
    sort,
    lang,
    needsOperator: needsOperator && 'true',
    cursor: cursor ?? undefined,
  };
  for (const [name, value] of Object.entries(single)) if (value !== undefined) query.set(name, value);
  for (const [name, values] of Object.entries({ area, account, carrier }))
    for (const value of values ?? []) query.append(name, value);
  return query;
}

function linesOf(rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return ['no consignment was found'];
  const heading = ['came (UTC)', 'area', 'state', 'shipment', 'account', 'tracking numbers', 'reason', 'id'];
  const cells = [heading, ...rows.map(cellsOf)];
  const widths = heading.map((_, place) => Math.max(...cells.map((row) => row[place]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf(row: Row): readonly string[] {
  const [first = '-', ...others] = row.parcels.map(({ trackingNumber }) => trackingNumber);
  return [
    row.createdAt.slice(0, 19).replace('T', ' '),
    row.area,
    row.state,
    row.shipmentNumber ?? row.documentId ?? '-',
    row.account ?? row.carrierName ?? '-',
    others.length === 0 ? first : `${first} +${others.length}`,
    shortened(row.reason ?? '-'),
    row.id,
  ];
}

function shortened(text: string): string {
  return text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON - 1)}…`;
}

const COLUMNS = [
  ...['id', 'shipment', 'carrier', 'reference', 'container', 'answer', 'carrierNumber', 'trackingNumber', 'sent'],
];

/** The table that `waybridge resolve --csv` takes, with a row for each parcel in doubt and no answers yet. */
function tableToAnswer(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) =>
    row.unconfirmed.flatMap(({ reference, containers, sentAt }) =>
      containers.map((container) => [
        ...[row.id, row.shipmentNumber, row.carrierName, reference, container],
        ...['', '', '', sentAt],
      ]),
    ),
  );
  return [COLUMNS, ...lines].map((line) => `${line.map((field) => csvField(field ?? '')).join(',')}`).join('\r\n');
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe, which `readAnswers` takes off. */
function csvField(text: string): string {
  const safe = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
