import type { Request } from 'express';
import type { AuditEntry } from '../access/audit-rows.js';

/** What the log calls an action; of several that fit, the first. The group is what is acted on. */
const ACTIONS: readonly (readonly [method: string, path: RegExp, action: string])[] = [
  ['POST', /^(consignments\/[^/]+)\/return-label\/resolve$/, 'resolve return label'],
  ['POST', /^(consignments\/[^/]+)\/return-label$/, 'make return label'],
  ['POST', /^(consignments\/[^/]+)\/retry$/, 'retry'],
  ['POST', /^(consignments\/[^/]+)\/cancel$/, 'cancel'],
  ['POST', /^(consignments\/[^/]+)\/reprint$/, 'reprint'],
  ['POST', /^(consignments\/[^/]+)\/resolve$/, 'resolve'],
  ['POST', /^(consignments\/[^/]+)\/requests\/[^/]+\/personal-data$/, 'show personal data'],
  ['GET', /^(consignments)\.csv$/, 'export'],
  ['POST', /^(consignments)\/retry$/, 'retry several'],
  ['POST', /^(consignments)\/resolve$/, 'resolve several'],
  ['POST', /^(needs-a-person)\/retry$/, 'retry several'],
  ['POST', /^(needs-a-person)\/resolve$/, 'resolve several'],
  ['POST', /^(needs-a-person)\/(?:review|answers)$/, 'prepare answers'],
  ['POST', /^(shipments\/[^/]+)\/forget$/, 'forget'],
  ['POST', /^(carriers)\/test$/, 'test connection'],
  ['POST', /^sign-in$/, 'sign in'],
  ['GET', /^sign-in\/openid\/callback$/, 'sign in'],
  ['POST', /^sign-out$/, 'sign out'],
  ['POST', /^replay$/, 'replay'],
  ['POST', /^((?:events|inbox)\/[^/]+)\/replay$/, 'replay event'],
  ['POST', /^(inbox\/[^/]+)\/personal-data$/, 'show personal data'],
  ['POST', /^(manifests\/[^/]+)\/retry$/, 'retry manifest'],
  ['POST', /^(dead-letters\/[^/]+)\/retry$/, 'retry dead letter'],
  ['POST', /^(dead-letters)\/retry$/, 'retry several dead letters'],
  ['POST', /^subscribers$/, 'add subscriber'],
  ['DELETE', /^(subscribers\/[^/]+)$/, 'remove subscriber'],
  ['POST', /^(subscribers\/[^/]+)\/rotate$/, 'change secret of subscriber'],
  ['POST', /^(subscribers\/[^/]+)\/dead-letters\/.*send$/, 'send dead letters again'],
];

/** What a request does, on what, and from where. A path that the table does not have is named by method and path. */
export function auditedAction(request: Request): Pick<AuditEntry, 'action' | 'target' | 'address'> {
  const path = asAscii(request.path.replace(/^\/+/, ''));
  const address = request.ip ?? null;
  for (const [method, pattern, action] of ACTIONS) {
    const match = method === request.method ? pattern.exec(path) : null;
    if (match) return { action, target: match[1] ?? null, address };
  }
  return { action: request.method, target: path === '' ? null : path, address };
}

/** @param path as Node gives it: one character for each byte */
function asAscii(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
