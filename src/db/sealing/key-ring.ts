import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ID_LENGTH = 8;
const CIPHER = 'aes-256-gcm';

/** Seals with its first key, and opens what any of its keys sealed. */
export interface KeyRing {
  /** The id of the key that seals: the beginning of its SHA-256. */
  readonly first: string;
  readonly ids: readonly string[];
  /** @returns the key's id (8 characters), initialisation vector, tag, cipher text */
  seal(plain: Uint8Array): Buffer;
  /** @throws UnknownDataKey | Error the bytes were changed */
  open(sealed: Uint8Array): Buffer;
}

/** Bytes were sealed with a key that is not in `DATA_KEY`. */
class UnknownDataKey extends Error {
  override readonly name = 'UnknownDataKey';
}

/** @returns the keys of `DATA_KEY`: 32 bytes each in base64, with commas between; `null`: one of them is not */
function keysIn(text: string): readonly Buffer[] | null {
  const keys = text.split(',').map((each) => each.trim());
  if (!keys.every((each) => /^[A-Za-z0-9+/]{43}=$/.test(each))) return null;
  return keys.map((each) => Buffer.from(each, 'base64'));
}

/** @param dataKey as `DATA_KEY` has it. @returns `null`: no key is set */
export function ringOf(dataKey: string | undefined): KeyRing | null {
  const keys = dataKey === undefined ? null : keysIn(dataKey);
  return keys && createKeyRing(keys);
}

/** @param keys of 32 bytes; the first one seals */
export function createKeyRing(keys: readonly Uint8Array[]): KeyRing {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = byId;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) throw new Error('a data key has 32 bytes');
  const [firstId, firstKey] = first;
  return {
    first: firstId,
    ids: [...byId.keys()],
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, firstKey, iv);
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.from(firstId), iv, cipher.getAuthTag(), text]);
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = bytes.subarray(0, ID_LENGTH).toString('latin1');
      const key = byId.get(id);
      if (key === undefined)
        throw new UnknownDataKey(`a value is sealed with the key ${id}, which DATA_KEY does not have`);
      const [ivAt, tagAt] = [ID_LENGTH, ID_LENGTH + IV_BYTES];
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(ivAt, tagAt));
      decipher.setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(tagAt + TAG_BYTES)), decipher.final()]);
    },
  };
}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH);
}
