/** As the shell says of a program that SIGPIPE ended. */
const ENDED_BY_A_BROKEN_PIPE = 141;

/** Whoever read what a command prints may end before it, as `head` does: then the command ends too, and says nothing. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(ENDED_BY_A_BROKEN_PIPE);
    });
}
