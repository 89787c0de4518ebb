import { type HttpPort, type HttpRequest, NoAnswer } from '../../carriers/contract/http-port.js';

/** Takes down what would be sent and lets nothing out: to whoever sends, the other side is not there. */
export function createDryRun(): { readonly port: HttpPort; readonly requests: readonly HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const away = () => Promise.reject(new NoAnswer('nothing is sent in a rehearsal', 'never'));
  return {
    requests,
    port: {
      send: (request) => {
        requests.push(request);
        return away();
      },
      fetchLink: away,
    },
  };
}
