import type { HttpAnswer, HttpPort } from '../../carriers/contract/http-port.js';
import { wasNotPermitted } from '../../carriers/contract/http-port.js';

/** One request and its end. */
export interface CountedExchange {
  /** `null`: no complete answer came. */
  readonly status: number | null;
  readonly tookMs: number;
}

/** Counts every request that was sent, also those to links in answers. Answers and errors come through unchanged. */
export function countedHttp(http: HttpPort, count: (exchange: CountedExchange) => void, nowMs: () => number): HttpPort {
  const counted = async (exchange: () => Promise<HttpAnswer>) => {
    const beganMs = nowMs();
    try {
      const answer = await exchange();
      count({ status: answer.status, tookMs: nowMs() - beganMs });
      return answer;
    } catch (error) {
      // Nothing was sent: this shows nothing about the other side.
      if (!wasNotPermitted(error)) count({ status: null, tookMs: nowMs() - beganMs });
      throw error;
    }
  };
  return {
    send: (request) => counted(() => http.send(request)),
    fetchLink: (url, limits) => counted(() => http.fetchLink(url, limits)),
  };
}
