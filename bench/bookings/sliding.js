/** @returns how many of the times, in milliseconds, lie in the fullest window of that length, wherever it begins */
export function mostWithin(times, windowMs) {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [place, time] of sorted.entries()) {
    while (time - sorted[first] >= windowMs) first += 1;
    most = Math.max(most, place - first + 1);
  }
  return most;
}
