import { createOpenId } from '../../access/openid.js';
import type { Settings } from '../../config/environment.js';
import { openIdSettings } from '../../config/openid.js';
import { type Check, ToLookAt } from './report.js';

const PROVIDER_ANSWERS_WITHIN_MS = 5_000;

/**
 * Whether people can sign in at the provider: its discovery answers, it is the issuer of the settings, and it takes the
 * address that it sends browsers back to. Says nothing where no provider is configured. Bookings work without it.
 */
export async function checkOpenId(settings: Settings, check: Check): Promise<void> {
  const configured = openIdSettings(settings);
  if (configured === null) return;
  const { issuer, callback } = configured;
  await check('OpenID', async () => {
    const departing = createOpenId(configured).depart();
    const { url } = await departing.catch((error: unknown) => {
      throw new ToLookAt(notDiscovered(error, issuer));
    });
    const status = await statusOf(`${url}&prompt=none`);
    if (status === null) throw new ToLookAt(`${new URL(url).host} gives no sign-in page: ask who runs the provider`);
    if (status < 400) return `fine: ${issuer} answers, and leads back to ${callback}`;
    throw new ToLookAt(
      `the provider refuses to sign people in (status ${status}): check OIDC_CLIENT_ID, and register ${callback} with the provider as the address to come back to; it begins with PUBLIC_URL`,
    );
  });
}

/** Asks without a session: the provider then redirects with an error, or to its own sign-in page. */
async function statusOf(url: string): Promise<number | null> {
  const signal = AbortSignal.timeout(PROVIDER_ANSWERS_WITHIN_MS);
  try {
    const answer = await fetch(url, { redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}

function notDiscovered(error: unknown, issuer: string): string {
  const other = causesOf(error).flatMap((cause) => issuerIn(cause) ?? [])[0];
  if (other !== undefined) return `the provider calls itself ${other}, not ${issuer}: correct OIDC_ISSUER`;
  return `no answer below ${issuer}/.well-known/openid-configuration: check OIDC_ISSUER, and whether this machine reaches the provider; tokens of operators still work`;
}

/** What the provider says that it is, where this is what does not fit. */
function issuerIn(cause: unknown): string | undefined {
  const { attribute, body }: { attribute?: unknown; body?: { issuer?: unknown } } = Object(cause);
  return attribute === 'issuer' ? String(body?.issuer) : undefined;
}

function causesOf(error: unknown): readonly unknown[] {
  const { cause }: { cause?: unknown } = Object(error);
  return cause === undefined ? [] : [cause, ...causesOf(cause)];
}
