// The last runs of each figure against its goal, as a picture.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { againstGoal } from './figures.js';
import { newestFigures } from './table.js';

const PICTURE = fileURLToPath(new URL('../../docs/performance.svg', import.meta.url));
const LAST = 8;
const ROW = 22;
const TOP = 46;
const LABELS = 430;
const SCALE = 420;
/** Right of this many times the goal everything looks the same. */
const FARTHEST = 2;

/** One row a figure, one dot a run, the newest filled; the line is the goal, what is right of it missed it. */
export function writeChart(results) {
  const rows = newestFigures(results).filter(({ figure }) => figure.goal !== null);
  const height = TOP + rows.length * ROW + 10;
  const width = LABELS + SCALE + 30;
  const goal = place(1);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${goal}" y="16" text-anchor="middle" font-weight="bold">goal</text>`,
    `<text x="10" y="16" fill="#666">left of the goal is better; filled: the newest run; red: missed</text>`,
    `<text x="${place(FARTHEST)}" y="16" text-anchor="middle" fill="#666">and more</text>`,
    ...[0.5, 1, 1.5, FARTHEST].map(
      (at) => `<text x="${place(at)}" y="34" text-anchor="middle" fill="#666">${at} ×</text>`,
    ),
    `<line x1="${goal}" y1="40" x2="${goal}" y2="${height}" stroke="#333"/>`,
    ...rows.flatMap(({ figure }, n) => rowOf(figure, { results, y: TOP + n * ROW + ROW / 2 })),
    '</svg>',
  ];
  writeFileSync(PICTURE, `${parts.join('\n')}\n`);
}

function rowOf({ measure, name }, { results, y }) {
  const seen = results
    .flatMap(({ figures }) => figures)
    .filter((figure) => figure.measure === measure && figure.name === name)
    .slice(-LAST);
  const dots = seen.map((figure, n) => {
    const isNewest = n === seen.length - 1;
    const colour = figure.met ? '#2a7' : '#c33';
    const x = place(againstGoal(figure.median, figure.goal));
    const [radius, fill] = isNewest ? [5, colour] : [3, 'none'];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" stroke="${colour}"/>`;
  });
  const line = `<line x1="${LABELS}" y1="${y}" x2="${LABELS + SCALE}" y2="${y}" stroke="#eee"/>`;
  return [
    line,
    `<text x="${LABELS - 10}" y="${y + 4}" text-anchor="end">${escaped(`${measure}: ${name}`)}</text>`,
    ...dots,
  ];
}

function place(ratio) {
  return Math.round(LABELS + (Math.min(Math.max(ratio, 0), FARTHEST) / FARTHEST) * SCALE);
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
