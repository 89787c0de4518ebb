/** A table for people: names of rows down, names of columns across. */
export function tableOf(
  rows: readonly string[],
  columns: readonly string[],
  cell: (row: string, column: string) => string,
): string {
  const lines = [['', ...columns], ...rows.map((row) => [row, ...columns.map((column) => cell(row, column))])];
  const widths = ['', ...columns].map((_name, place) => Math.max(...lines.map((line) => (line[place] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((text, place) => text.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
