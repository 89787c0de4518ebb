// Draws the charts of Today from the tables beside them. A chart stays when the page brings new numbers: only its data
// changes.
/* global uPlot, getComputedStyle, matchMedia, ResizeObserver */
const FONT = '11px Inter, system-ui, sans-serif';
const BOLD = `600 ${FONT}`;
const HOUR_LABEL_WIDTH = 26;
const BAR_SHARE = 0.62;
/** A failure among many bookings is still seen. */
const LEAST_FAILURE = 3;
const STEPS = 3;
/** The smallest distance of two lines across: bookings; milliseconds. */
const LEAST_STEP = { bars: 1, lines: 100 };
const LINE_HEIGHT = 13;

/** By the element that is drawn into: the plot, and what its table says. */
const charts = new Map();

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const FILLS = { bar: '--bar', warn: '--warn-fill', danger: '--danger-fill' };

/** What a table says; an empty value is none. */
function readTable(table) {
  const columns = [...table.tHead.querySelectorAll('[data-tone]')];
  const rows = [...table.tBodies[0].rows];
  const cells = columns.map((_, place) => rows.map((row) => row.querySelectorAll('data')[place]));
  return {
    names: columns.map((column) => column.textContent),
    tones: columns.map((column) => column.dataset.tone),
    hours: rows.map((row) => row.cells[0].textContent),
    notes: rows.map((row) => row.dataset.note),
    values: cells.map((column) => column.map((cell) => (cell.value === '' ? null : Number(cell.value)))),
    words: cells.map((column) => column.map((cell) => cell.textContent)),
  };
}

const dataOf = ({ hours, values }) => [hours.map((_, place) => place), ...values];

/** The highest value that is drawn: of bars, what stands on each other. */
function highest(kind, { hours, values }) {
  if (kind === 'lines') return Math.max(0, ...values.flat());
  return Math.max(0, ...hours.map((_, place) => values.reduce((sum, column) => sum + column[place], 0)));
}

/** A round number, so that so many steps reach the highest value. */
function stepOf(kind, numbers) {
  const step = Math.max(LEAST_STEP[kind], highest(kind, numbers) / STEPS);
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 4, 5, 8, 10].find((one) => one * power >= step) * power;
}

const seconds = (ms) => `${ms / 1_000} s`;
const scaleWords = { bars: (value) => value.toLocaleString('en'), lines: seconds };

function axes(kind, chart) {
  const common = { stroke: () => colour('--text-3'), font: FONT, ticks: { show: false } };
  const everySoMany = (plot) => {
    const room = Math.max(1, Math.floor(plot.width / HOUR_LABEL_WIDTH));
    return [1, 2, 3, 4, 6, 12].find((many) => chart.numbers.hours.length / many <= room) ?? 24;
  };
  const hours = (plot) => {
    const last = chart.numbers.hours.length - 1;
    const every = everySoMany(plot);
    return chart.numbers.hours.flatMap((_, place) => ((last - place) % every === 0 ? [place] : []));
  };
  const steps = () => Array.from({ length: STEPS + 1 }, (_, place) => place * stepOf(kind, chart.numbers));
  return [
    {
      ...{ ...common, size: 20, gap: 4, grid: { show: false }, splits: hours },
      values: (_plot, splits) => splits.map((place) => chart.numbers.hours[place]),
    },
    {
      ...{ ...common, size: 40, gap: 8, splits: steps, grid: { stroke: () => colour('--line'), width: 1 } },
      values: (_plot, splits) => splits.map(scaleWords[kind]),
    },
  ];
}

/** Strokes in the colour of what is under way. */
function hatch(context, fill) {
  const tile = document.createElement('canvas');
  const size = 5 * uPlot.pxRatio;
  tile.width = tile.height = size;
  const pen = tile.getContext('2d');
  pen.strokeStyle = fill;
  pen.lineWidth = 1.5 * uPlot.pxRatio;
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}

/** @returns the top of the bar */
function drawBar(plot, { values, tones, hours }, place) {
  const { ctx } = plot;
  const step = plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true);
  const width = Math.round(step * BAR_SHARE);
  const x = Math.round(plot.valToPos(place, 'x', true) - width / 2);
  const zero = plot.valToPos(0, 'y', true);
  const isRunning = place === hours.length - 1;
  return values.reduce((bottom, column, of) => {
    if (column[place] === 0) return bottom;
    const least = tones[of] === 'bar' ? uPlot.pxRatio : LEAST_FAILURE * uPlot.pxRatio;
    const height = Math.max(least, Math.round(zero - plot.valToPos(column[place], 'y', true)));
    const fill = colour(FILLS[tones[of]]);
    ctx.fillStyle = isRunning && tones[of] === 'bar' ? hatch(ctx, fill) : fill;
    ctx.fillRect(x, bottom - height, width, height);
    return bottom - height - uPlot.pxRatio;
  }, Math.round(zero));
}

function write(plot, words, { x, y, align, font = FONT, tone = '--text-2' }) {
  const { ctx } = plot;
  ctx.font = font.replace(/(\d+)px/, (_, size) => `${size * uPlot.pxRatio}px`);
  ctx.textAlign = align;
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 3 * uPlot.pxRatio;
  ctx.strokeStyle = colour('--surface');
  ctx.strokeText(words, x, y);
  ctx.fillStyle = colour(tone);
  ctx.fillText(words, x, y);
  return ctx.measureText(words).width;
}

/** Notes stand above their bar; one that would lie on the one before stands higher. */
function drawBars(plot, { numbers }) {
  const { ctx, bbox } = plot;
  ctx.save();
  const tops = numbers.hours.map((_, place) => drawBar(plot, numbers, place));
  let taken = { until: 0, y: 0 };
  numbers.notes.forEach((note, place) => {
    if (note === '') return;
    ctx.font = FONT.replace(/(\d+)px/, (_, size) => `${size * uPlot.pxRatio}px`);
    const half = ctx.measureText(note).width / 2;
    const middle = plot.valToPos(place, 'x', true);
    const x = Math.min(Math.max(middle, bbox.left + half), bbox.left + bbox.width - half);
    const line = LINE_HEIGHT * uPlot.pxRatio;
    const free =
      Math.min(...tops.filter((_, of) => Math.abs(plot.valToPos(of, 'x', true) - x) < half + line)) - line / 2;
    const y = Math.max(line / 2, x - half < taken.until ? Math.min(free, taken.y - line) : free);
    write(plot, note, { x, y, align: 'center' });
    taken = { until: x + half, y };
  });
  ctx.restore();
}

/** Each line is named at its end. */
function drawNames(plot, { numbers }) {
  const { ctx, bbox } = plot;
  ctx.save();
  const line = LINE_HEIGHT * uPlot.pxRatio;
  let below = Infinity;
  numbers.names.forEach((name, of) => {
    const value = numbers.values[of].findLast((each) => each !== null);
    if (value === undefined) return;
    const y = Math.min(plot.valToPos(value, 'y', true), below - line);
    const look = of === 0 ? { font: BOLD, tone: '--text' } : { tone: '--text-3' };
    write(plot, name, { x: bbox.left + bbox.width + 6 * uPlot.pxRatio, y, align: 'left', ...look });
    below = y;
  });
  ctx.restore();
}

/** A value without neighbours would be no line: it is a point. */
function lonely(values) {
  return values.flatMap((value, place) =>
    value !== null && (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null ? [place] : [],
  );
}

function seriesOf(kind, { names }) {
  if (kind === 'bars') return names.map(() => ({ paths: () => null, points: { show: false } }));
  return names.map((_, of) => {
    const stroke = () => colour(of === 0 ? '--text' : '--text-3');
    const filter = (plot, series) => lonely(plot.data[series]);
    return { stroke, width: 1.5, dash: of === 0 ? [] : [3, 3], points: { show: true, size: 4, fill: stroke, filter } };
  });
}

/** The values of the hour that is pointed at. */
function showTip(plot, { tip, numbers }) {
  const { idx, left } = plot.cursor;
  tip.hidden = idx === null || idx === undefined || left < 0;
  if (tip.hidden) return;
  const line = (name, words) => {
    const row = document.createElement('div');
    const value = document.createElement('b');
    value.textContent = words;
    row.append(name, value);
    return row;
  };
  const note = numbers.notes[idx] === '' ? [] : [line(numbers.notes[idx], '')];
  const values = numbers.names.map((name, of) => line(name, numbers.words[of][idx]));
  tip.replaceChildren(line(`${numbers.hours[idx]}:00`, ''), ...values.reverse(), ...note);
  const at = plot.valToPos(idx, 'x');
  const isRight = at > plot.over.clientWidth / 2;
  tip.style.transform = `translateX(${Math.round(isRight ? at - tip.offsetWidth - 12 : at + 12)}px)`;
}

function draw(element, kind, numbers) {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  const chart = { numbers, tip };
  const range = {
    x: () => (kind === 'bars' ? [-0.5, chart.numbers.hours.length - 0.5] : [0, chart.numbers.hours.length - 1]),
    y: () => [0, STEPS * stepOf(kind, chart.numbers)],
  };
  const drawOver = kind === 'bars' ? drawBars : drawNames;
  const options = {
    ...sizeOf(element),
    padding: kind === 'bars' ? [16, 0, 0, 0] : [16, 50, 0, 0],
    legend: { show: false },
    select: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: { x: { time: false, range: range.x }, y: { range: range.y } },
    axes: axes(kind, chart),
    series: [{}, ...seriesOf(kind, numbers)],
    hooks: { draw: [(plot) => drawOver(plot, chart)], setCursor: [(plot) => showTip(plot, chart)] },
  };
  chart.plot = new uPlot(options, dataOf(numbers), element);
  chart.plot.over.append(tip);
  chart.watcher = new ResizeObserver(() => chart.plot.setSize(sizeOf(element)));
  chart.watcher.observe(element);
  charts.set(element, chart);
}

function sizeOf(element) {
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  return {
    width: element.clientWidth - 2 * parseFloat(paddingLeft),
    height: element.clientHeight - 2 * parseFloat(paddingTop),
  };
}

/** Draws what is new, gives new numbers to what is there, and forgets what is gone. */
function refresh() {
  for (const table of document.querySelectorAll('table[data-plot]')) {
    const element = document.getElementById(table.dataset.plot);
    const numbers = readTable(table);
    const chart = charts.get(element);
    if (!chart) draw(element, table.dataset.kind, numbers);
    else {
      chart.numbers = numbers;
      chart.plot.setData(dataOf(numbers));
    }
  }
  for (const [element, chart] of charts)
    if (!element.isConnected) {
      chart.watcher.disconnect();
      chart.plot.destroy();
      charts.delete(element);
    }
}

const redraw = () => charts.forEach(({ plot }) => plot.redraw());
refresh();
document.addEventListener('htmx:afterSettle', refresh);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
document.fonts.ready.then(redraw);
