import { attachmentFields } from '../schema/documents-fields.js';
import { need, readChanges } from '../schema/read.js';
import type { Resource } from '../schema/resource.js';
import type { ImsEndpoint } from './endpoint.js';
import type { Ims, EventDraft, Kind } from '../ims.js';
import { timestamp } from '../schema/dates.js';
import { objectKeyOf } from './files.js';
import type { Json, JsonMembers } from '../store/json.js';
import { find, show } from '../store/kind.js';
import { pageOf } from './lists.js';
import { present } from './present.js';
import { ImsRefusal } from './refusal.js';
import type { AttachmentRow, Row } from '../store/store.js';

const attachment: Resource = {
  ...{ name: 'Attachment', fields: attachmentFields, needed: ['fileName'] },
  alternatives: [['base64EncodedContent', 'presignedUrl']],
};

/** The bucket name that events give for every file. */
const BUCKET = 'sandbox-files';

interface AttachPlace<R extends Row> {
  readonly path: string;
  readonly scopes: readonly string[];
  readonly kind: Kind<R>;
  readonly of: AttachmentRow['of'];
}

export function attachEndpoint<R extends Row>(ims: Ims, { path, scopes, kind, of }: AttachPlace<R>): ImsEndpoint {
  return {
    method: 'post',
    path,
    scopes,
    body: { kind: 'create', of: attachment },
    answer: { kind: 'one', of: attachment },
    handle: ({ contextId, params, body }) => {
      return attach(ims, { kind, of, owner: find(ims, kind, { contextId, id: params['id'] }) }, body);
    },
  };
}

interface Attaching<R extends Row> extends Pick<AttachPlace<R>, 'kind' | 'of'> {
  readonly owner: R;
}

function attach<R extends Row>(ims: Ims, { kind, of, owner }: Attaching<R>, body: Json): JsonMembers {
  const file = readFile(body);
  const row = attachmentOf(ims, { of, row: owner }, file);
  const event = announcementOf(ims, kind, { owner, row });
  ims.store.attachments.put(row);
  if (file.content !== null) ims.store.contents.set(row.id, file.content);
  if (ims.switches().fileAttachedEvents) ims.events.emit(event);
  return present(attachment, row, ims.manner());
}

/** The resources that may have files: the resource's name to its table. */
const OWNERS: Readonly<Record<string, AttachmentRow['of']>> = {
  GlobalTradeItem: 'globalTradeItems',
  Shipment: 'shipments',
  Document: 'documents',
};

export const ENTITIES_WITH_FILES = Object.keys(OWNERS);

/** A file that a worker attaches; unlike a client, a worker may attach it to an item. */
export interface HandAttachment {
  /** `contextId` of the area. */
  readonly area: number;
  /** One of `ENTITIES_WITH_FILES`. */
  readonly entityName: string;
  readonly entityId: number;
  /** A body as `POST …/attachments` takes it. */
  readonly file: JsonMembers;
}

/** @throws ImsRefusal when no resource has that id, or the file is invalid */
export function attachByHand(ims: Ims, { area, entityName, entityId, file }: HandAttachment): JsonMembers {
  const kind = ims.kinds.get(entityName);
  const of = OWNERS[entityName];
  if (kind === undefined || of === undefined)
    throw new ImsRefusal('invalid', 'Attachment', `${entityName} has no files.`);
  return attach(ims, { kind, of, owner: find(ims, kind, { contextId: area, id: entityId }) }, file);
}

/** Lists the files of a resource, each with a URL to download it. */
export function attachmentsEndpoint<R extends Row>(ims: Ims, { path, scopes, kind, of }: AttachPlace<R>): ImsEndpoint {
  return {
    method: 'get',
    path,
    scopes,
    isList: true,
    answer: { kind: 'list', of: attachment },
    handle: ({ contextId, params, query }) => {
      const { id } = find(ims, kind, { contextId, id: params['id'] });
      const files = ims.store.attachments.where(contextId, 'ownerId', id).filter((row) => row.of === of);
      const place = { resource: attachment.name, origin: ims.switches().firstRowOrigin };
      return pageOf(files, query, place).map((row) =>
        present(attachment, { ...row, presignedUrl: addressOf(ims, row) }, ims.manner()),
      );
    },
  };
}

function announcementOf<R extends Row>(
  ims: Ims,
  kind: Kind<R>,
  attached: { readonly owner: R; readonly row: AttachmentRow },
): EventDraft {
  const { owner, row } = attached;
  const { attachmentType } = row;
  const detail = {
    entityName: kind.resource.name,
    entityId: owner.id,
    fileName: row.fileName,
    ...(typeof attachmentType === 'string' ? { attachmentType } : {}),
    bucketName: BUCKET,
    key: objectKeyOf(row),
    url: addressOf(ims, row),
    data: show(ims, kind, owner),
  };
  return { contextId: owner.contextId, type: 'fileAttached', detail };
}

function addressOf(ims: Ims, row: AttachmentRow): string {
  const { presignedUrl } = row;
  return typeof presignedUrl === 'string' ? presignedUrl : ims.fileUrl(row);
}

/** Overwrites a file of the same name; `timesAttached` counts how often the file was attached. */
function attachmentOf(
  ims: Ims,
  owner: { readonly of: AttachmentRow['of']; readonly row: Row },
  { fileName, presignedUrl, content, attachmentType }: GivenFile,
): AttachmentRow {
  const { contextId, id: ownerId } = owner.row;
  const earlier = findAttachment(ims, { of: owner.of, ownerId, fileName, contextId });
  return {
    id: earlier?.id ?? ims.store.nextId(),
    contextId,
    of: owner.of,
    ownerId,
    fileName,
    size: content?.length ?? null,
    presignedUrl,
    attachmentType,
    lastModified: timestamp(ims),
    timesAttached: (earlier?.timesAttached ?? 0) + 1,
  };
}

interface GivenFile {
  readonly fileName: string;
  /** Exactly one of `content` and `presignedUrl` is not `null`. */
  readonly content: Buffer | null;
  readonly presignedUrl: Json;
  readonly attachmentType: Json;
}

function readFile(body: Json): GivenFile {
  const given = readChanges(attachment, body, null);
  need(attachment, given, ['fileName']);
  const { fileName, base64EncodedContent = null, presignedUrl = null, attachmentType = null } = given;
  refuseUnsafeName(String(fileName));
  const content = contentOf(base64EncodedContent);
  if ((content === null) === (presignedUrl === null))
    throw new ImsRefusal('invalid', 'Attachment', 'Give either base64EncodedContent or presignedUrl.');
  return { fileName: String(fileName), content, presignedUrl, attachmentType };
}

/** The name becomes part of URLs, and of a path on the disk of a client that saves the file. */
function refuseUnsafeName(fileName: string): void {
  // eslint-disable-next-line no-control-regex
  if (!fileName.isWellFormed() || /[/\\\u0000-\u001f\u007f]|\.\./.test(fileName))
    throw new ImsRefusal(
      'invalid',
      'Attachment',
      'fileName must not contain slashes, two dots in a row, line breaks or halves of characters.',
    );
}

export function findAttachment(
  ims: Pick<Ims, 'store'>,
  wanted: Pick<AttachmentRow, 'of' | 'ownerId' | 'fileName' | 'contextId'>,
): AttachmentRow | null {
  const { of, ownerId, fileName, contextId } = wanted;
  const files = ims.store.attachments.where(contextId, 'ownerId', ownerId);
  return files.find((row) => row.of === of && row.fileName === fileName) ?? null;
}

function contentOf(text: Json): Buffer | null {
  if (text === null) return null;
  if (typeof text !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new ImsRefusal('invalid', 'Attachment', 'base64EncodedContent is not base64.');
  return Buffer.from(text, 'base64');
}
