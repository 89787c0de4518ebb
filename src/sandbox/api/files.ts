import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import express from 'express';
import type { Router } from 'express';
import type { AttachmentRow, Store } from '../store/store.js';

const VALID_MS = 300_000;

const ENTITIES = { documents: 'Document', shipments: 'Shipment', globalTradeItems: 'GlobalTradeItem' } as const;

/** The object key of a file in the bucket: `<EntityName>/<entityId>/<fileName>`. */
export function objectKeyOf({ of, ownerId, fileName }: Pick<AttachmentRow, 'of' | 'ownerId' | 'fileName'>): string {
  return `${ENTITIES[of]}/${ownerId}/${fileName}`;
}

/** Signs and checks download URLs of attached files. A URL is valid for `VALID_MS` and needs no other credentials. */
export class FileAddresses {
  private readonly key = randomBytes(32);
  /** Scheme, host and port of the sandbox; set once the server listens. */
  origin = '';

  constructor(private readonly now: () => Date) {}

  urlOf(row: Pick<AttachmentRow, 'id' | 'of' | 'ownerId' | 'fileName'>): string {
    const until = this.now().getTime() + VALID_MS;
    const path = objectKeyOf({ ...row, fileName: encodeURIComponent(row.fileName) });
    return `${this.origin}/files/${path}?attachment=${row.id}&until=${until}&signature=${this.sign(row.id, until)}`;
  }

  admits(id: number, until: number, signature: string): boolean {
    const wanted = Buffer.from(this.sign(id, until));
    const given = Buffer.from(signature);
    return until > this.now().getTime() && given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  private sign(id: number, until: number): string {
    return createHmac('sha256', this.key).update(`${id} ${until}`).digest('hex');
  }
}

export function filesRouter(addresses: FileAddresses, store: Store): Router {
  const router = express.Router();
  router.get('/:entityName/:entityId/:fileName', (request, response) => {
    const { fileName } = request.params;
    const { attachment: id, until, signature } = request.query;
    if (!addresses.admits(Number(id), Number(until), String(signature)))
      return void response.status(403).type('application/xml').send('<Error><Code>AccessDenied</Code></Error>');
    const content = store.contents.get(Number(id));
    if (content === undefined)
      return void response.status(404).type('application/xml').send('<Error><Code>NoSuchKey</Code></Error>');
    response.type(/\.\w+$/.exec(fileName)?.[0] ?? 'bin').send(content);
  });
  return router;
}
