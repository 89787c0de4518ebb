// What the runs of one measure found, next to its goals and controls.
import { spread } from './statistics.js';

/**
 * Collects figures by name over the runs of a measure.
 * @returns `measure`, to be called once for each figure and run, and `all`, the figures over all runs
 */
export function createFigures(of) {
  const figures = new Map();

  /**
   * @param name what it is a figure of, e.g. `p50 of event to DONE`
   * @param figure `value`; `unit`; `goal`, `{ atMost }` or `{ atLeast }` in the same unit, or none; `control`, one or
   *   several `{ what, value, unit }`: what was measured next to it in the same run; `note`, what to know about it
   */
  function measure(name, { value, unit, goal = null, control = [], note = null }) {
    if (!Number.isFinite(value)) throw new Error(`${of}, ${name}: ${value} is not a number`);
    const known = figures.get(name) ?? { values: [], controls: new Map() };
    figures.set(name, { ...known, unit, goal, note, values: [...known.values, value] });
    for (const { what, value: beside, unit: unitBeside } of [control].flat()) {
      const { values = [] } = known.controls.get(what) ?? {};
      known.controls.set(what, { unit: unitBeside, values: [...values, beside] });
    }
    return value;
  }

  const all = () =>
    [...figures].map(([name, { unit, goal, note, values, controls }]) => {
      const seen = spread(values);
      const control = [...controls].map(([what, beside]) => ({
        ...{ what, unit: beside.unit },
        ...spread(beside.values),
      }));
      return { measure: of, name, unit, goal, note, ...seen, met: isMet(seen.median, goal), control };
    });
  return { measure, all };
}

/** `null`: it has no goal. The median counts. */
function isMet(value, goal) {
  if (goal === null) return null;
  return value <= (goal.atMost ?? Infinity) && value >= (goal.atLeast ?? -Infinity);
}

/** 1: just reached; above 1: missed by that factor. `null` without a goal. */
export function againstGoal(value, goal) {
  if (goal === null) return null;
  const [reached, wanted] = goal.atMost === undefined ? [goal.atLeast, value] : [value, goal.atMost];
  if (wanted === 0) return reached === 0 ? 1 : Infinity;
  return reached / wanted;
}
