import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const VALID_SECONDS = 7 * 24 * 60 * 60;

export interface LabelLinkSettings {
  /** A secret of the installation. The key that signs the links is derived from it. */
  readonly secret: string;
  /** The service's public address. */
  readonly publicUrl: string;
  readonly now: () => Date;
}

export type LinkVerdict = 'valid' | 'expired' | 'forged';

export interface LabelLinks {
  /** `<publicUrl>/labels/<id>.pdf?expires=<epoch seconds>&signature=<base64url>`, valid for seven days. */
  link(consignmentId: string): string;
  /** @param expires with `signature`: the values of the link */
  verify(consignmentId: string, expires: string, signature: string): LinkVerdict;
}

/**
 * Makes links to labels that work without signing in for a limited time. A link gives access to one label only.
 */
export function createLabelLinks(settings: LabelLinkSettings): LabelLinks {
  const key = Buffer.from(hkdfSync('sha256', settings.secret, '', 'waybridge label link 1', 32));
  const base = settings.publicUrl.replace(/\/+$/, '');
  const sign = (consignmentId: string, expires: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([consignmentId, expires]))
      .digest('base64url');
  const nowSeconds = () => Math.floor(settings.now().getTime() / 1000);
  return {
    link: (consignmentId) => {
      const expires = String(nowSeconds() + VALID_SECONDS);
      const signature = sign(consignmentId, expires);
      return `${base}/labels/${encodeURIComponent(consignmentId)}.pdf?expires=${expires}&signature=${signature}`;
    },
    verify: (consignmentId, expires, signature) => {
      if (!sameText(signature, sign(consignmentId, expires))) return 'forged';
      return Number(expires) > nowSeconds() ? 'valid' : 'expired';
    },
  };
}

/** Compares in constant time. Compares the texts, so that only one spelling of a signature is accepted. */
function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
