import { describe, expect, it } from '@jest/globals';
import { cellsOf } from './cell.js';
import { onlyRepeated, onlyTimedOut } from './observe.js';
import type { Seen } from './observe.js';
import { once } from './outcomes.js';

const [cell] = cellsOf(once);

function timedOut(...violations: readonly string[]): Seen {
  if (cell === undefined) throw new Error('nothing is stated');
  return {
    cell,
    outcome: 'open',
    documentStatus: 'ON_GOING',
    messages: [],
    violations,
    timedOut: true,
    isRepeated: false,
  };
}

describe('a cell of the matrix', () => {
  it('has a second run when its end was not waited for', () => {
    expect(onlyTimedOut(timedOut('still ON_GOING'))).toBe(true);
  });

  it('has a second run when it ended well, but something was repeated that need not be', () => {
    const late = {
      ...timedOut(),
      cell: { ...timedOut().cell, stated: { outcome: 'told', because: '' } },
      timedOut: false,
    };
    expect(onlyRepeated({ ...late, outcome: 'retried' } as Seen)).toBe(true);
    expect(onlyRepeated({ ...late, outcome: 'person' } as Seen)).toBe(false);
    expect(onlyRepeated({ ...late, outcome: 'retried', violations: ['booked 2 times'] } as Seen)).toBe(false);
  });

  it('has none when something is wrong besides, or came out otherwise than stated in time', () => {
    expect(onlyTimedOut(timedOut('booked 2 times'))).toBe(false);
    expect(onlyTimedOut({ ...timedOut(), outcome: 'told', timedOut: false })).toBe(false);
  });
});
