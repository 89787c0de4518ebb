import { ID } from '../schema/fields.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims } from '../ims.js';
import { FULL } from '../api/endpoint.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import { find, show } from '../store/kind.js';
import { ImsRefusal } from '../api/refusal.js';
import { documents } from '../resources/documents.js';
import type { PrintRow } from '../store/store.js';
import { documentInvocations } from './documents.js';
import type { InvocationCall, Invocation } from './invocation.js';
import { invocationEndpoint } from './invocation.js';
import { countGlobalTradeItemLot, splitToExistingLot, splitToNewLot } from './lots.js';
import { pack } from './pack.js';
import { receptions } from './receive.js';

const printDocument: Invocation = {
  name: 'printDocument',
  scopes: [FULL],
  parameters: 'PrintDocumentParameters',
  resource: 'Document',
  fields: { documentId: ID },
  needed: ['documentId'],
  answers: documents.resource,
  run: (ims, { contextId, given }) => {
    const document = find(ims, documents, { contextId, id: given['documentId'] });
    keepPrint(ims, { contextId, given }, 'printDocument');
    return show(ims, documents, document);
  },
};

export function invocationEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const listed = [
    pack,
    ...documentInvocations,
    ...receptions,
    countGlobalTradeItemLot,
    splitToNewLot,
    splitToExistingLot,
    printDocument,
  ];
  return [...listed.map((invocation) => invocationEndpoint(ims, invocation)), printResource(ims)];
}

/** The interface does not describe the body, so this accepts and stores any JSON object. */
function printResource(ims: Ims): ImsEndpoint {
  return {
    ...{ method: 'post', path: '/invocations/printResource', scopes: [FULL] },
    body: { kind: 'object' },
    answer: { kind: 'object' },
    handle: ({ contextId, body }) => {
      if (!isJsonObject(body)) throw new ImsRefusal('invalid', 'Resource', 'The body must be a JSON object.');
      keepPrint(ims, { contextId, given: body }, 'printResource');
      return { fieldOfALaterVersion: 'not described anywhere' };
    },
  };
}

function keepPrint(ims: Ims, { contextId, given }: InvocationCall, invocation: PrintRow['invocation']): void {
  ims.store.prints.put({ id: ims.store.nextId(), contextId, invocation, body: given });
}
