import { describe, expect, it } from '@jest/globals';
import { createOutagePause } from '../../src/ims/limits/outage-pause.js';
import { keepLog } from '../support/log-lines.js';

function silence() {
  let nowMs = 1_000_000;
  const pauses: number[] = [];
  const { log, lines } = keepLog();
  const clock = { now: () => new Date(nowMs) };
  const tools = { limit: { pause: (ms: number) => void pauses.push(ms) }, clock, random: () => 0.999, log };
  const made = createOutagePause(tools);
  return {
    ...{ pauses, lines, answered: made.answered },
    /** Ten things are asked for in vain, from the first to the last. */
    tenInVain: () => Array.from({ length: 10 }, (_none, index) => made.unanswered(`/documents/${index}`, nowMs)),
    inVain: (target: string) => made.unanswered(target, nowMs),
    forward: (ms: number) => (nowMs += ms),
  };
}

describe('an IMS that does not answer', () => {
  it('is left alone for a second, and then ever longer, up to a quarter of a minute', () => {
    const about = silence();
    for (let round = 0; round < 7; round += 1) {
      about.tenInVain();
      about.forward(about.pauses.at(-1) ?? 0);
    }
    expect(about.pauses.map((ms) => Math.round(ms / 1_000))).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(about.lines.filter((line) => line.event === 'IMS outage pause')).toHaveLength(7);
  });

  it('is not left alone longer for what had left before', () => {
    const about = silence();
    about.tenInVain();
    about.tenInVain();
    about.tenInVain();
    expect(about.pauses).toHaveLength(1);
  });

  it('is asked as always when one answer came', () => {
    const about = silence();
    about.tenInVain();
    about.forward(5_000);
    about.answered();
    about.tenInVain();
    expect(about.pauses.map((ms) => Math.round(ms / 1_000))).toEqual([1, 1]);
    expect(about.lines.map((line) => line.event)).toEqual([
      'IMS outage pause',
      'IMS answers again',
      'IMS outage pause',
    ]);
  });

  it('is asked as always while it fails at one thing only', () => {
    const about = silence();
    for (let round = 0; round < 1_000; round += 1) about.inVain(`/documents/${round % 9}`);
    expect(about.pauses).toEqual([]);
  });
});
