import { describe, expect, it } from '@jest/globals';
import { csvLine } from '../../src/http/csv.js';
import { NotPossible, applyResolution } from '../../src/consignment/machine/operator.js';
import { NotATable, readAnswers } from '../../src/operator/bulk/answers-csv.js';
import { NOON, bookedPart, consignment, part } from '../support/consignments.js';

const HEADING = 'id,shipment,carrier,reference,container,answer,carrierNumber,trackingNumber';

const read = (...lines: readonly string[]) => readAnswers([HEADING, ...lines, ''].join('\r\n'));

describe('a table of answers', () => {
  it('has an answer for each consignment', () => {
    expect(read('c-1,10045,DAO,10045,,not-booked,,', 'c-2,10046,DAO,10046,,give-up,,')).toEqual({
      answers: [
        {
          id: 'c-1',
          resolution: { answer: 'parts', parts: [{ reference: '10045', outcome: 'not-booked' }] },
        },
        { id: 'c-2', resolution: { answer: 'give-up' } },
      ],
      problems: [],
    });
  });

  it('answers for the reference that it names alone: an old table must not answer for one that is in doubt since', () => {
    const { answers } = read('c-1,,,10045-1,,not-booked,,');
    const inDoubt = consignment({
      ...{ state: 'in-doubt', needsOperator: true },
      parts: [bookedPart(1), part(2, { state: 'in-doubt' })],
    });
    const [answer] = answers;
    const settle = () => answer && applyResolution(inDoubt, answer.resolution, NOON);
    expect(settle).toThrow(/10045-1 is not in doubt/);
  });

  it.each(['-10045', '+10045', '=10045', '@10045', "'10045", "'-10045", "''-10045"])(
    'gives back the reference %s, before which the export puts an apostrophe where a spreadsheet would compute it',
    (reference) => {
      const [line = ''] = csvLine(['c-1', '', '', reference, '', 'not-booked', '', '']).split('\r\n');
      expect(read(line).answers[0]?.resolution).toMatchObject({ parts: [{ reference }] });
    },
  );

  describe('that says when each request was sent', () => {
    const SENT = '2026-03-04T12:00:00.000Z';
    const inDoubt = (sentAt: string | null) =>
      consignment({
        ...{ state: 'in-doubt', needsOperator: true },
        parts: [part(1, { state: 'in-doubt', sentAt })],
      });
    const settled = (row: string, sentAt: string | null) => {
      const [answer] = readAnswers(`id,reference,container,answer,trackingNumber,sent\n${row}\n`).answers;
      if (!answer) throw new Error('no answer');
      return applyResolution(inDoubt(sentAt), answer.resolution, NOON);
    };

    it.each([
      ['booked', 'c-1,10045-1,box-1,booked,111', SENT],
      ['not booked', 'c-1,10045-1,,not-booked,', SENT],
      ['given up', 'c-1,10045-1,,give-up,', SENT],
      ['not booked, without a reference', 'c-1,,,not-booked,', SENT],
      ['not booked, and was not sent by us', 'c-1,10045-1,,not-booked,', ''],
    ])('answers for none that was sent since: %s', (_case, row, sent) => {
      expect(settled(`${row},${sent}`, sent || null).needsOperator).toBe(false);
      const since = () => settled(`${row},${sent}`, '2026-03-04T12:30:00.000Z');
      expect(since).toThrow(NotPossible);
      expect(since).toThrow(/10045-1 was sent again .*export the table again/);
    });

    it('is not read where that is no time: a spreadsheet may have written it otherwise', () => {
      expect(readAnswers('id,answer,sent\nc-1,not-booked,04-03-2026 13:00\n')).toEqual({
        answers: [],
        problems: [{ line: 2, id: 'c-1', because: 'sent is not as it was exported: export the table again' }],
      });
    });
  });

  it('has a row for each parcel of a booked one, whose numbers go together', () => {
    const { answers } = read('c-1,,,10045,box-1,booked,0005,111', 'c-1,,,10045,box-2,booked,,112');
    expect(answers).toEqual([
      {
        id: 'c-1',
        resolution: {
          answer: 'parts',
          parts: [
            {
              ...{ reference: '10045', outcome: 'booked', carrierNumber: '0005' },
              trackingNumbers: { 'box-1': '111', 'box-2': '112' },
            },
          ],
        },
      },
    ]);
  });

  it('answers for each reference where a consignment has several', () => {
    const { answers } = read('c-1,,,10045-1,box-1,booked,,111', 'c-1,,,10045-2,box-2,not-booked,,');
    expect(answers[0]?.resolution).toEqual({
      answer: 'parts',
      parts: [
        { reference: '10045-1', outcome: 'booked', carrierNumber: null, trackingNumbers: { 'box-1': '111' } },
        { reference: '10045-2', outcome: 'not-booked' },
      ],
    });
  });

  it('has its answers in a column `outcome` where there is none called `answer`', () => {
    const resolution = { answer: 'give-up' };
    expect(readAnswers('id,outcome\nc-1,give-up\n')).toEqual({ answers: [{ id: 'c-1', resolution }], problems: [] });
    expect(readAnswers('id,answer,outcome\nc-1,give-up,booked\n').answers).toEqual([{ id: 'c-1', resolution }]);
  });

  it('leaves out rows without an answer, and reads quotation marks, semicolons and a byte order mark', () => {
    const text = '\uFEFFid;shipment;answer\nc-1;"Sign; the ""big"" one";not-booked\nc-2;x;\n';
    expect(readAnswers(text)).toEqual({
      answers: [{ id: 'c-1', resolution: { answer: 'not-booked' } }],
      problems: [],
    });
  });

  it('keeps the other rows when one is wrong, and names that one by its line', () => {
    const { answers, problems } = read(
      'c-1,,,,,perhaps,,',
      'c-2,,,,,not-booked,,',
      'c-3,,,,,booked,,',
      '"no id",,,,,booked,,1',
    );
    expect(answers.map(({ id }) => id)).toEqual(['c-2']);
    expect(problems).toEqual([
      { line: 2, id: 'c-1', because: 'answer is one of booked, not-booked, give-up' },
      { line: 4, id: 'c-3', because: 'a booked parcel needs its container and its tracking number' },
      { line: 5, id: null, because: 'id is the id of a consignment' },
    ]);
  });

  it('leaves out a consignment as a whole when one of its rows is wrong', () => {
    const { answers } = read('c-1,,,r,box-1,booked,,111', 'c-1,,,r,box-2,booked,,');
    expect(answers).toEqual([]);
  });

  it.each([
    ['booked and not', 'c-1,,,r,box-1,booked,,111', 'c-1,,,r,box-2,not-booked,,'],
    ['given up and booked', 'c-1,,,r-1,box-1,booked,,111', 'c-1,,,r-2,,give-up,,'],
  ])('is not guessed at when a consignment is %s', (_what, ...lines) => {
    const { answers, problems } = read(...lines);
    expect(answers).toEqual([]);
    expect(problems).toEqual([{ line: 2, id: 'c-1', because: 'the rows of one reference have different answers' }]);
  });

  it.each([
    ['has no columns', 'hello', 'the first line must name the columns; missing: id, answer'],
    ['is empty', '', 'the first line must name the columns; missing: id, answer'],
    ['has an open quotation mark', 'id,answer\nc-1,"not-booked', 'line 2: a quotation mark is not closed'],
  ])('is refused when it %s', (_what, text, because) => {
    expect(() => readAnswers(text)).toThrow(NotATable);
    expect(() => readAnswers(text)).toThrow(because);
  });
});
