import type { EventAuth, EventTarget } from './event-target.js';
import { scalarsIn } from './event-target.js';
import type { Json, JsonObject } from './json.js';
import { isJsonArray } from './json.js';
import type { Members } from './members.js';
import { readWhole } from './members.js';

/** One target or several. @throws BadControlBody with every problem of the first target that has one */
export function readTargets(body: Json): readonly EventTarget[] {
  const targets = isJsonArray(body) ? body : [body];
  return targets.map((target) => readWhole(target, readTarget, 'a target'));
}

function readTarget(members: Members): EventTarget {
  return {
    url: members.address('url'),
    ...(members.has('headers') ? { headers: members.textByName('headers') } : {}),
    ...(members.has('auth') ? { auth: members.nested('auth', readAuth) } : {}),
    ...(members.has('ignoreStatusCodes') ? { ignoreStatusCodes: members.wholes('ignoreStatusCodes') } : {}),
    ...readChoice(members),
  };
}

function readChoice(members: Members): Pick<EventTarget, 'areas' | 'eventTypes' | 'pattern' | 'fields'> {
  return {
    ...(members.has('areas') ? { areas: members.wholes('areas') } : {}),
    ...(members.has('eventTypes') ? { eventTypes: members.texts('eventTypes') } : {}),
    ...(members.has('pattern') ? { pattern: readPattern(members) } : {}),
    ...(members.has('fields') ? { fields: members.texts('fields') } : {}),
  };
}

function readPattern(members: Members): JsonObject {
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
      return { kind, token: members.text('token') };
    case 'key':
      return { kind, key: members.text('key'), ...(members.has('header') ? { header: members.text('header') } : {}) };
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
