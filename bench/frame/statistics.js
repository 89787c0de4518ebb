// Numbers of a few runs, and of many requests.

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The smallest value that `per` per cent of all do not exceed (nearest rank). */
export function percentile(values, per) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * per) / 100) - 1)];
}

/** @returns median, smallest and largest value, and the values in the order of the runs */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}
