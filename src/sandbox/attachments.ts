import type { Ims } from './endpoint.js';
import { timestamp } from './endpoint.js';
import { readChanges } from './field-rules.js';
import type { Json, JsonObject } from './json.js';
import { present } from './present.js';
import { Refusal } from './refusal.js';
import { attachmentShape } from './shapes.js';
import type { AttachmentRow, Row } from './store.js';

/**
 * Keeps a file on a document or shipment; one of the same name is overwritten, and it is counted how often.
 * @throws Refusal
 */
export function attach(
  ims: Ims,
  owner: { readonly of: AttachmentRow['of']; readonly row: Row },
  body: Json,
): JsonObject {
  const { fileName, presignedUrl, content } = readFile(body);
  const { contextId, id: ownerId } = owner.row;
  const earlier = findAttachment(ims, { of: owner.of, ownerId, fileName });
  const row = ims.store.attachments.put({
    id: earlier?.id ?? ims.store.nextId(),
    contextId,
    of: owner.of,
    ownerId,
    fileName,
    size: content?.length ?? null,
    presignedUrl,
    lastModified: timestamp(ims),
    timesAttached: (earlier?.timesAttached ?? 0) + 1,
  });
  if (content !== null) ims.store.contents.set(row.id, content);
  return present(attachmentShape, row, ims.switches().nulls);
}

interface GivenFile {
  readonly fileName: string;
  /** One of these two is not `null`. */
  readonly content: Buffer | null;
  readonly presignedUrl: Json;
}

function readFile(body: Json): GivenFile {
  const { fileName, base64EncodedContent = null, presignedUrl = null } = readChanges(attachmentShape, body, {});
  if (typeof fileName !== 'string') throw new Refusal('invalid', 'Attachment', 'fileName is missing.');
  const content = contentOf(base64EncodedContent);
  if ((content === null) === (presignedUrl === null))
    throw new Refusal('invalid', 'Attachment', 'Give either base64EncodedContent or presignedUrl.');
  return { fileName, content, presignedUrl };
}

export function findAttachment(
  ims: Pick<Ims, 'store'>,
  wanted: Pick<AttachmentRow, 'of' | 'ownerId' | 'fileName'>,
): AttachmentRow | null {
  const { of, ownerId, fileName } = wanted;
  const same = (row: AttachmentRow) => row.of === of && row.ownerId === ownerId && row.fileName === fileName;
  return ims.store.attachments.all().find(same) ?? null;
}

function contentOf(text: Json): Buffer | null {
  if (text === null) return null;
  if (typeof text !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new Refusal('invalid', 'Attachment', 'base64EncodedContent is not base64.');
  return Buffer.from(text, 'base64');
}
