import type { HandAttachment } from '../api/attachments.js';
import { ENTITIES_WITH_FILES } from '../api/attachments.js';
import { DOCUMENT_TYPE } from '../schema/enums.js';
import { NAME_1_36 } from '../schema/fields.js';
import { issueIn } from '../schema/read.js';
import type { EventDraft } from '../ims.js';
import { SCOPES } from '../api/endpoint.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonObject } from '../../../carriers/contract/json.js';
import type { Members } from './members.js';
import { BadControlBody, readWhole } from './members.js';
import type { OtherDocument } from './other-documents.js';
import type { QuickShipment } from './quick-shipment.js';
import { MAX_SEED } from './random.js';
import type { NewArea } from '../store/store.js';
import type { Client } from '../access/tokens.js';

/*
 * Readers of the control interface's request bodies. Each reads a whole body.
 * @throws BadControlBody with every problem, unknown members included
 */

type Body = Json | undefined;

export function readQuickShipment(body: Body): QuickShipment {
  return readWhole(body, (members) => ({
    area: areaIn(members),
    shipment: members.has('shipment') ? members.jsonObject('shipment') : {},
    ...(members.has('containers') ? { containers: members.jsonObjects('containers') } : {}),
    ...(members.has('event') ? { event: readSending(members) } : {}),
  }));
}

function readSending(members: Members): 'send' | 'none' {
  const event = members.json('event');
  return event === 'send' || event === 'none' ? event : members.problem('event', 'must be "send" or "none"', 'none');
}

export function readHandOver(body: Body): { readonly area: number; readonly shipmentIds?: readonly number[] } {
  return readWhole(body, (members) => ({
    area: areaIn(members),
    ...(members.has('shipmentIds') ? { shipmentIds: members.ids('shipmentIds') } : {}),
  }));
}

export function readOtherDocument(body: Body): OtherDocument {
  return readWhole(body, (members) => ({
    area: areaIn(members),
    documentType: members.oneOf('documentType', DOCUMENT_TYPE),
    ...(members.has('shipmentIds') ? { shipmentIds: members.ids('shipmentIds') } : {}),
    ...(members.has('globalTradeItemIds') ? { globalTradeItemIds: members.ids('globalTradeItemIds') } : {}),
    ...(members.has('inboundShipmentId') ? { inboundShipmentId: members.whole('inboundShipmentId') } : {}),
    ...(members.has('returnShipmentId') ? { returnShipmentId: members.whole('returnShipmentId') } : {}),
    ...(members.has('stockTakingId') ? { stockTakingId: members.whole('stockTakingId') } : {}),
  }));
}

export function readAttachment(body: Body): HandAttachment {
  return readWhole(body, (members) => ({
    area: areaIn(members),
    entityName: members.oneOf('entityName', ENTITIES_WITH_FILES),
    entityId: members.whole('entityId'),
    file: {
      fileName: members.someText('fileName'),
      base64EncodedContent: members.json('base64EncodedContent'),
      presignedUrl: members.json('presignedUrl'),
      attachmentType: members.json('attachmentType'),
    },
  }));
}

export function readArea(body: Body): NewArea {
  return readWhole(body, (members) => ({
    contextId: members.whole('contextId', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    apiKey: members.someText('apiKey'),
    ...(members.has('carriers') ? { carriers: readCarriers(members) } : {}),
  }));
}

/** Reads the names of carriers; each may stand there once. */
function readCarriers(members: Members): readonly string[] {
  const names = members.texts('carriers');
  for (const name of names) {
    const issue = issueIn(NAME_1_36, name);
    if (issue !== null) members.problem('carriers', `"${name}" ${issue.replace(/^: /, '')}`, null);
  }
  if (new Set(names).size < names.length) members.problem('carriers', 'must name each carrier once', null);
  return names;
}

export function readClient(body: Body): Client {
  return readWhole(body, (members) => {
    const clientId = members.text('clientId');
    // In Basic authentication the first colon ends the client id.
    if (clientId === '' || clientId.includes(':')) members.problem('clientId', 'must be text without a colon', null);
    const scopes = members.texts('scopes');
    for (const scope of scopes)
      if (!SCOPES.includes(scope)) members.problem('scopes', `"${scope}" is none of ${SCOPES.join(', ')}`, null);
    return { clientId, secret: members.someText('secret'), scopes };
  });
}

export function readSwitches(body: Body): JsonMembers {
  if (!isJsonObject(body)) throw new BadControlBody('the body: must be an object');
  return body;
}

export function readSeed(body: Body): number {
  return readWhole(body, (members) => members.whole('seed', { max: MAX_SEED }));
}

/** A body whose one member is an id. */
export function readIdMember(body: Body, name: string): number {
  return readWhole(body, (members) => members.whole(name));
}

export function readEvent(body: Body): EventDraft {
  return readWhole(body, (members) => {
    const detail = members.has('detail') ? Object.entries(members.jsonObject('detail')) : [];
    return {
      contextId: areaIn(members),
      type: members.someText('type'),
      detail: Object.fromEntries(detail.map(([name, value]) => [name, value ?? null])),
    };
  });
}

export function readDataDocument(body: Body): { readonly area: number; readonly dataDocument: JsonMembers | null } {
  return readWhole(body, (members) => ({
    area: areaIn(members),
    dataDocument: members.json('dataDocument') === null ? null : members.jsonObject('dataDocument'),
  }));
}

function areaIn(members: Members): number {
  return members.whole('area');
}
