import type { CarrierFacts } from './carrier-facts.js';
import { NOT_STATED, type MatrixRow, formText, matrixOf, otherServices, serviceText } from './matrix.js';

const HEAD = `# Carriers

<!-- Generated: \`npm run docs:carriers\` writes this page. Change the carriers' traits, not the page. -->

What each carrier here can do, as its adapter states it. "–" is no; "not stated" is what no source says.

\`\`\`sh
npx waybridge carriers          # the same on a terminal, with the carriers from outside that waybridge.yaml names
npx waybridge carriers --json   # for programs
\`\`\``;

const FACTS_NOTE = `When the answer to a booking is lost, Waybridge never simply books again. It looks the booking up by its reference; where the
carrier has no search, it sends the request again only if the carrier knows a repeated reference, and else leaves the question to a person.
"Confidence" is that of booking and labels.`;

/** The page `docs/carriers.md`, as Prettier would write it. */
export function carriersPage(carriers: readonly CarrierFacts[]): string {
  const names = carriers.map(({ name }) => name);
  const sections = matrixOf(carriers).map(({ title, rows }) =>
    [`## ${title}`, ...table([['', ...names, 'in the adapter'], ...rows.map(cellsOf)])].join('\n\n'),
  );
  return `${[HEAD, ...sections, FACTS_NOTE, ...carriers.map(chapter)].join('\n\n')}\n`;
}

function cellsOf({ title, cells, members }: MatrixRow): readonly string[] {
  return [title, ...cells, members.map((member) => `\`${member}\``).join(', ')];
}

function chapter(carrier: CarrierFacts): string {
  const { id, name, services, labels, confidence } = carrier;
  const rows = (services ?? []).map((service) => [`\`${service.code}\``, serviceText(service, carrier)]);
  return [
    `## ${name}`,
    `\`carrier: ${id}\`; account, options and quirks: [its README](../carriers/${id}/README.md).`,
    confidence === null
      ? `Where these facts come from is ${NOT_STATED}.`
      : `The facts come from ${confidence.source}. Confidence: ${confidence.level}.`,
    ...list('To be confirmed:', confidence?.assumed ?? []),
    `Labels: ${labels.map(formText).join('; ')}.`,
    ...(services === null ? [`Its services are ${NOT_STATED}.`] : table([['service', 'name'], ...rows])),
    ...(services === null ? [] : [otherServices(carrier)]),
  ].join('\n\n');
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, lines.map((line) => `- ${line}`).join('\n')];
}

/** The first row is the head. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (cells[0] ?? []).map((_cell, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = widths.map((width) => '-'.repeat(width));
  return [[line(head), line(rule), ...body.map(line)].join('\n')];
}
