import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { startProgress } from '../../src/cli/progress.js';

/** A stream that keeps what it gets, and says whether it is a terminal. */
function screen(isTerminal: boolean) {
  const stream = Object.assign(new PassThrough(), {
    isTTY: isTerminal,
    columns: 80,
    clearLine: () => true,
    cursorTo: () => true,
    moveCursor: () => true,
  }) as unknown as NodeJS.WriteStream;
  return { stream, text: () => stripVTControlCharacters(String((stream as unknown as PassThrough).read() ?? '')) };
}

describe('the progress of long work', () => {
  const report = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  afterEach(() => {
    report.mockClear();
  });

  it('is a bar with numbers on a terminal, and gone at the end', () => {
    const { stream, text } = screen(true);
    const progress = startProgress('actions that have ended', stream);
    progress.at(9, 18);
    progress.print('a line');
    progress.end();
    expect(text()).toContain('██████████░░░░░░░░░░ 9 of 18: actions that have ended');
    expect(report.mock.calls).toEqual([['a line']]);
  });

  it('shows nothing where the stream is no terminal, and prints the report all the same', () => {
    const { stream, text } = screen(false);
    const progress = startProgress('actions that have ended', stream);
    progress.at(1, 2);
    progress.print('a line');
    progress.end();
    expect(text()).toBe('');
    expect(report.mock.calls).toEqual([['a line']]);
  });
});
