import { type HttpPort, type HttpRequest, NoAnswer } from '../../carriers/contract/http-port.js';

/** Records the requests and sends none; the sender gets no answer. */
export function createDryRun(): { readonly port: HttpPort; readonly requests: readonly HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const away = () => Promise.reject(new NoAnswer('nothing is sent in a dry run', 'never'));
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
