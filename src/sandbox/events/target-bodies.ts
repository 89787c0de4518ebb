import type { EventAuth, EventTarget } from './event-target.js';
import { scalarsIn } from './event-target.js';
import type { Json, JsonMembers } from '../store/json.js';
import { isJsonArray } from '../store/json.js';
import type { Members } from '../control/members.js';
import { readWhole } from '../control/members.js';

/** Reads one target or a list of them. @throws BadControlBody with every problem of the first invalid target */
export function readTargets(body: Json): readonly EventTarget[] {
  const targets = isJsonArray(body) ? body : [body];
  return targets.map((target) => readWhole(target, readTarget, 'a target'));
}

function readTarget(members: Members): EventTarget {
  return {
    url: members.address('url'),
    ...(members.has('headers') ? { headers: readHeaders(members) } : {}),
    ...(members.has('auth') ? { auth: members.nested('auth', readAuth) } : {}),
    ...(members.has('ignoreStatusCodes') ? { ignoreStatusCodes: members.wholes('ignoreStatusCodes') } : {}),
    ...readChoice(members),
  };
}

/** Headers that the HTTP client sets; a target may not give them. */
const SENDERS_OWN = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding', 'upgrade'];

function readHeaders(members: Members): Readonly<Record<string, string>> {
  const headers = members.headers('headers');
  for (const name of Object.keys(headers))
    if (SENDERS_OWN.includes(name.toLowerCase())) members.problem(`headers.${name}`, 'is set by the sender', null);
  return headers;
}

function readChoice(members: Members): Pick<EventTarget, 'areas' | 'eventTypes' | 'pattern' | 'fields'> {
  return {
    ...(members.has('areas') ? { areas: members.wholes('areas') } : {}),
    ...(members.has('eventTypes') ? { eventTypes: members.someTexts('eventTypes') } : {}),
    ...(members.has('pattern') ? { pattern: readPattern(members) } : {}),
    ...(members.has('fields') ? { fields: members.someTexts('fields') } : {}),
  };
}

function readPattern(members: Members): JsonMembers {
  const pattern = members.jsonObject('pattern');
  const prefix = 'pattern.'.length;
  for (const place of scalarsIn(pattern, 'pattern'))
    members.problem('pattern', `${place.slice(prefix)} must be a list of values or an object`, null);
  return pattern;
}

function readAuth(members: Members): EventAuth {
  const kind = members.json('kind');
  switch (kind) {
    case 'bearer':
      return { kind, token: members.headerText('token') };
    case 'key':
      return {
        kind,
        key: members.headerText('key'),
        ...(members.has('header') ? { header: members.headerName('header') } : {}),
      };
    case 'oauth2':
      return {
        kind,
        authUrl: members.address('authUrl'),
        clientId: members.text('clientId'),
        clientSecret: members.text('clientSecret'),
        ...(members.has('scope') ? { scope: members.text('scope') } : {}),
      };
    default:
      return members.unknownKind('bearer, key or oauth2', { kind: 'bearer', token: '' });
  }
}
