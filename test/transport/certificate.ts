import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ED25519 = der(0x30, hex('06032b6570'));
const DAY_MS = 86_400_000;

/** A certificate for 127.0.0.1 that nobody has signed but itself; made anew for each run, so that no key lies about. */
export function selfSignedCertificate(now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const name = der(0x30, der(0x31, der(0x30, Buffer.concat([hex('0603550403'), der(0x0c, Buffer.from('test'))]))));
  const validity = der(0x30, Buffer.concat([utc(now.getTime() - DAY_MS), utc(now.getTime() + DAY_MS)]));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const subject = der(0x30, Buffer.concat([hex('0603551d11'), der(0x04, der(0x30, hex('87047f000001')))]));
  const extensions = der(0xa3, der(0x30, subject));
  const body = der(0x30, Buffer.concat([hex('a003020102020101'), ED25519, name, validity, name, key, extensions]));
  const signature = der(0x03, Buffer.concat([hex('00'), sign(null, body, privateKey)]));
  const cert = der(0x30, Buffer.concat([body, ED25519, signature])).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function utc(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function der(tag: number, content: Buffer): Buffer {
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}
