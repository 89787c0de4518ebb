import type { CarrierFacts } from './carrier-facts.js';
import { GAP, MAX_COLUMNS, grid, wrappedCell } from './grid.js';
import { NOT_STATED, formText, matrixOf, otherServices, serviceText } from './matrix.js';

const TITLE_COLUMNS = 30;
const SIDE_BY_SIDE = 4;

/** For a terminal of 100 columns: carriers side by side, then one after the other. */
export function reportLines(carriers: readonly CarrierFacts[]): readonly string[] {
  const groups = Array.from({ length: Math.ceil(carriers.length / SIDE_BY_SIDE) }, (_none, index) =>
    carriers.slice(index * SIDE_BY_SIDE, (index + 1) * SIDE_BY_SIDE),
  );
  return [...groups.flatMap(tableLines), ...carriers.flatMap(carrierLines)];
}

function tableLines(carriers: readonly CarrierFacts[]): readonly string[] {
  const room = Math.floor((MAX_COLUMNS - TITLE_COLUMNS) / SIDE_BY_SIDE) - GAP.length;
  const widths = [TITLE_COLUMNS, ...carriers.map(() => room)];
  return matrixOf(carriers).flatMap(({ title, rows }) => [
    ...grid([[title.toUpperCase(), ...carriers.map(({ name }) => name)]], widths),
    ...grid(
      rows.map((row) => [row.title, ...row.cells]),
      widths,
    ),
    '',
  ]);
}

function carrierLines(carrier: CarrierFacts): readonly string[] {
  const { id, name, origin, labels, confidence } = carrier;
  const { source, level, assumed } = confidence ?? { source: NOT_STATED, level: NOT_STATED, assumed: [] };
  return [
    ...wrappedCell(
      `${name.toUpperCase()} (carrier: ${id}${origin === 'outside' ? ', from outside' : ''})`,
      MAX_COLUMNS,
    ),
    ...part('facts from', [[source]]),
    ...part('confidence', [[level]]),
    ...part(
      'to be confirmed',
      assumed.map((line) => ['-', line]),
    ),
    ...part(
      'labels',
      labels.map((form) => [formText(form)]),
    ),
    ...serviceLines(carrier),
    '',
  ];
}

function serviceLines(carrier: CarrierFacts): readonly string[] {
  const { services } = carrier;
  if (services === null) return part('services', [[NOT_STATED]]);
  const codes = services.map((service) => [service.code, serviceText(service, carrier)]);
  return [...part('services', codes), ...part('', [[otherServices(carrier)]])];
}

const PART_COLUMNS = 'to be confirmed'.length;
/** Width of the column of service codes; a longer code is wrapped. */
const CODE_COLUMNS = 40;

/** Rows of one or two cells; the title stands in front of the first one. */
function part(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  const first = Math.max(0, ...rows.map((cells) => (cells.length > 1 ? (cells[0] ?? '').length : 0)));
  const room = MAX_COLUMNS - PART_COLUMNS - 2 * GAP.length;
  const left = Math.min(first, CODE_COLUMNS);
  const widths = left === 0 ? [room] : [left, room - left - GAP.length];
  const margin = (line: number) => `${GAP}${(line === 0 ? title : '').padEnd(PART_COLUMNS)}${GAP}`;
  return grid(rows, widths).map((text, line) => `${margin(line)}${text}`);
}
