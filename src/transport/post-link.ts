import ipaddr from 'ipaddr.js';
import { LinkRefused } from '../../carriers/contract/http-port.js';
import { sendGuard } from './send-guard.js';
import { deadlineIn, exchange } from './exchange.js';
import { type LinkRules, PROTOCOLS, inPublic, permitted } from './link.js';

/** A post to an address that a user has given. */
export interface LinkPost {
  /** JSON, exactly as it was signed. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Deadline of the whole exchange. */
  readonly timeoutMs: number;
  /** The limit of the answer; a larger one counts as none. */
  readonly maxBytes: number;
}

export interface LinkPoster {
  /**
   * @returns the status of the answer; a redirect is not followed
   * @throws LinkRefused the address is not allowed
   * @throws NoAnswer
   */
  post(link: string, post: LinkPost): Promise<number>;
  /** Checks the address without a request. @throws LinkRefused */
  requireAddress(link: string): void;
}

interface PostRules extends LinkRules {
  readonly privateAddresses: 'allowed' | 'refused';
}

/** Posts to addresses from users, under the rules for links. */
export function createLinkPoster(rules: PostRules): LinkPoster {
  return {
    post: async (link, { body, headers, timeoutMs, maxBytes }) => {
      const url = permitted(link, undefined, rules);
      const outgoing = {
        ...{ method: 'POST' as const, url, maxAnswerBytes: maxBytes, agents: rules.agents },
        headers: { 'Content-Type': 'application/json', ...headers },
        body: Buffer.from(body),
        deadline: deadlineIn(timeoutMs),
      };
      const answer = await inPublic(url, () => exchange(outgoing, sendGuard()));
      return answer.status;
    },
    requireAddress: (link) => {
      const url = requireReachable(link, rules.privateAddresses);
      if (url.hash !== '') throw new LinkRefused('the address has a part after "#", which is never sent');
    },
  };
}

/** Checks without DNS; the address behind a name is checked at each post. @throws LinkRefused */
export function requireReachable(link: string, privateAddresses: PostRules['privateAddresses']): URL {
  const url = permitted(link, undefined, { protocols: PROTOCOLS[privateAddresses] });
  if (privateAddresses === 'refused') requirePublic(url);
  return url;
}

function requirePublic(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isHere = host === 'localhost' || host.endsWith('.localhost');
  const isSpecial = ipaddr.isValid(host) && ipaddr.process(host).range() !== 'unicast';
  if (isHere || isSpecial)
    throw new LinkRefused(
      `${url.host} is this machine or in a private network: give a public address, or set ALLOW_PRIVATE_ADDRESSES for a trial`,
    );
}
