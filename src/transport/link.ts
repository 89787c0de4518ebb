import type { HttpAnswer, HttpPort } from '../../carriers/contract/http-port.js';
import { LinkRefused, NoAnswer } from '../../carriers/contract/http-port.js';
import { sendGuard } from './send-guard.js';
import { deadlineIn, exchange } from './exchange.js';
import type { Agents } from './exchange.js';

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The protocols of links, where private addresses are allowed, and where they are refused. */
export const PROTOCOLS = { allowed: ['https:', 'http:'], refused: ['https:'] } as const;

/** Where a link may lead. Its agents refuse addresses when they connect: after the name was resolved, so that no name
 * can point elsewhere between check and use. */
export interface LinkRules {
  readonly protocols: readonly string[];
  readonly agents: Agents;
}

/**
 * Fetches a link from an outside answer; sends none of our headers.
 * @returns see `HttpPort.fetchLink`
 */
export function createLinkFetcher(rules: LinkRules): HttpPort['fetchLink'] {
  return async (link, limits) => {
    const deadline = deadlineIn(limits.timeoutMs);
    let url = permitted(link, undefined, rules);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await visit(url, { deadline, maxAnswerBytes: limits.maxBytes, agents: rules.agents });
      const location = answer.headers['location'];
      if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
      if (redirects === MAX_REDIRECTS)
        throw new LinkRefused(`${hostOf(url)} redirects again, after ${MAX_REDIRECTS} redirects`);
      url = permitted(location, url, rules);
    }
  };
}

/** A link for messages, without its path, which may be the key to what it leads to. */
function hostOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}

/** @throws LinkRefused */
export function permitted(link: string, from: URL | undefined, rules: Pick<LinkRules, 'protocols'>): URL {
  if (!URL.canParse(link, from?.href)) throw new LinkRefused('the link is not an address');
  const url = new URL(link, from);
  if (!rules.protocols.includes(url.protocol))
    throw new LinkRefused(`${hostOf(url)} is not an address we go to: only ${rules.protocols.join(' ')}`);
  if (url.username !== '' || url.password !== '') throw new LinkRefused(`${hostOf(url)} comes with a password`);
  return url;
}

interface Visit {
  readonly deadline: AbortSignal;
  readonly maxAnswerBytes: number;
  readonly agents: Agents;
}

function visit(url: URL, how: Visit): Promise<HttpAnswer> {
  return inPublic(url, () =>
    exchange({ method: 'GET', url, shown: hostOf(url), headers: {}, body: undefined, ...how }, sendGuard()),
  );
}

/** Translates an agent's refusal of an address. @throws LinkRefused */
export async function inPublic(url: URL, go: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await go();
  } catch (error) {
    // request-filtering-agent 3.2 has no class or code for its refusal, only this sentence.
    if (error instanceof NoAnswer && /is not allowed\. Because/.test(error.message))
      throw new LinkRefused(`${hostOf(url)} leads into a private network`);
    throw error;
  }
}
