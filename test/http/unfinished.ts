import { type Socket, connect } from 'node:net';

/** A request whose body is announced and never finished; `gone` when the other side has ended it. */
export interface Unfinished {
  readonly socket: Socket;
  /** What was answered so far. */
  answer(): string;
  gone(): boolean;
}

/** Sends the head of a POST and so many bytes of its body, and then nothing more. */
export function beginPost(
  url: string,
  { path, headers = [], send }: { readonly path: string; readonly headers?: readonly string[]; readonly send: Buffer },
): Unfinished {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  let ended = false;
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  // A reset is one of the ways to be ended.
  socket.on('error', () => undefined);
  socket.on('close', () => (ended = true));
  const length = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
    ? []
    : [`content-length: ${send.length + 1}`];
  socket.write([`POST ${path} HTTP/1.1`, `host: ${hostname}`, ...length, ...headers, '', ''].join('\r\n'));
  socket.write(send);
  return { socket, answer: () => answer, gone: () => ended };
}
