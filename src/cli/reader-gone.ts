/** As the shell says of a program that SIGPIPE ended. */
export const READER_GONE_EXIT_CODE = 141;

let onReaderGone = (): void => process.exit(READER_GONE_EXIT_CODE);

/**
 * The program that reads the output of a command may end before the command, as `head` does. The command then ends too,
 * and says nothing.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      onReaderGone();
    });
}

/**
 * From now on the command does not end with the program that reads its output: it calls `stop`.
 * @param stop called at every write that fails, so perhaps many times
 */
export function stopWithReader(stop: () => void): void {
  onReaderGone = stop;
}
