import type { HttpPort } from '../../carriers/contract/http-port.js';
import { KeptConnectionClosed } from './exchange.js';

/**
 * A port for callers that repeat nothing themselves: a request whose kept connection was closed is sent again at once
 * on a new connection. Only repeatable requests share connections, so the repetition does no harm.
 */
export function sendingAgain(port: HttpPort): HttpPort {
  return {
    fetchLink: port.fetchLink,
    send: async (request) => {
      try {
        return await port.send(request);
      } catch (error) {
        if (!(error instanceof KeptConnectionClosed)) throw error;
        return port.send({ ...request, effect: 'change' });
      }
    },
  };
}
