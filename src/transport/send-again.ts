import type { HttpPort } from '../../carriers/contract/http-port.js';
import { KeptConnectionClosed } from './exchange.js';

/**
 * A port for whoever repeats nothing by itself: a request that met a kept connection which was closed is sent again at once, on a
 * connection of its own. Only requests that may be repeated share connections.
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
