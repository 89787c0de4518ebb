import ora from 'ora';

const BAR_LENGTH = 20;

/** Says on stderr how far a long piece of work is. */
export interface Progress {
  readonly at: (done: number, of: number) => void;
  /** Prints a line of the report on stdout, above what says how far the work is. */
  readonly print: (line: string) => void;
  /** Takes away what was shown. */
  readonly end: () => void;
}

/**
 * Shows nothing where the stream is no terminal: what is kept in a file or read by a program stays a report.
 * @param what in a few words, e.g. `the service looks for missed events`
 */
export function startProgress(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  const spinner = ora({
    text: what,
    stream,
    isEnabled: stream.isTTY,
    isSilent: !stream.isTTY,
    discardStdin: false,
  }).start();
  return {
    at: (done, of) => {
      spinner.text = `${bar(done, of)} ${done} of ${of}: ${what}`;
    },
    print: (line) => {
      spinner.clear();
      console.log(line);
      spinner.render();
    },
    end: () => {
      spinner.stop();
    },
  };
}

function bar(done: number, of: number): string {
  const full = of === 0 ? BAR_LENGTH : Math.round((done / of) * BAR_LENGTH);
  return '█'.repeat(full) + '░'.repeat(BAR_LENGTH - full);
}
