import type { FaultRule, FaultKind, FaultMatch } from './faults.js';
import type { Json } from '../store/json.js';
import type { Distribution } from '../api/latency.js';
import { MAX_LATENCY_MS } from '../api/latency.js';
import type { Members } from '../control/members.js';
import { readWhole } from '../control/members.js';

const KINDS =
  'status, delay, latency, reset, reset-after, drop-before, drop-after, cut-body, trickle, padding, content-type or redirect';
/** Largest response that a `padding` fault may make, in bytes; more than any client should accept. */
const MAX_ANSWER_BYTES = 100_000_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const DISTRIBUTIONS = 'constant, uniform, normal, lognormal or exponential';
const MILLISECONDS = { max: MAX_LATENCY_MS };
/** Limit of long delays: ten minutes, in milliseconds. */
const LONG = { max: 600_000 };

/** @throws BadControlBody with every problem */
export function readFault(body: Json | undefined): FaultRule {
  return readWhole(body, readFaultMembers);
}

/** Reads a fault that is part of a larger body, which collects its problems. */
export function readFaultMembers(members: Members): FaultRule {
  return { ...readMatch(members), ...readKind(members) };
}

function readMatch(members: Members): FaultMatch {
  return {
    target: members.someText('target'),
    ...(members.has('method') ? { method: members.oneOf('method', METHODS) } : {}),
    ...(members.has('path') ? { path: readPath(members) } : {}),
    ...(members.has('area') ? { area: members.whole('area') } : {}),
    ...(members.has('times') ? { times: readTimes(members) } : {}),
    ...(members.has('after') ? { after: members.whole('after') } : {}),
    ...(members.has('chance') ? { chance: members.number('chance', { max: 1 }) } : {}),
  };
}

function readPath(members: Members): string {
  const path = members.text('path');
  try {
    new RegExp(path);
    return path;
  } catch {
    return members.problem('path', 'must be a regular expression', '');
  }
}

function readTimes(members: Members): number | 'always' {
  const times = members.json('times');
  if (times === 'always' || (typeof times === 'number' && Number.isInteger(times) && times >= 0)) return times;
  return members.problem('times', 'must be a whole number or "always"', 0);
}

function readKind(members: Members): FaultKind {
  const kind = members.json('kind');
  switch (kind) {
    case 'status':
      return readStatusFault(members);
    case 'delay':
      return { kind, ms: members.whole('ms', LONG) };
    case 'latency':
      return { kind, distribution: members.nested('distribution', readDistribution) };
    case 'trickle':
      return { kind, msPerByte: members.whole('msPerByte', LONG) };
    case 'redirect':
      return { kind, location: members.headerText('location') };
    case 'padding':
      return { kind, bytes: members.whole('bytes', { max: MAX_ANSWER_BYTES }) };
    case 'content-type':
      return { kind, contentType: members.headerText('contentType') };
    case 'reset':
    case 'reset-after':
    case 'drop-before':
    case 'drop-after':
    case 'cut-body':
      return { kind };
    default:
      return members.unknownKind(KINDS, { kind: 'reset' });
  }
}

function readStatusFault(members: Members): FaultKind {
  const body = members.json('body');
  return {
    kind: 'status',
    status: members.whole('status', { min: 200, max: 599 }),
    ...(members.has('headers') ? { headers: members.headers('headers') } : {}),
    ...(body === undefined ? {} : { body }),
    ...(members.has('contentType') ? { contentType: members.headerText('contentType') } : {}),
  };
}

function readDistribution(members: Members): Distribution {
  const kind = members.json('kind');
  const ms = (name: string, min = 0) => members.number(name, { ...MILLISECONDS, min });
  switch (kind) {
    case 'constant':
      return { kind, ms: ms('ms') };
    case 'uniform': {
      const minMs = ms('minMs');
      return { kind, minMs, maxMs: ms('maxMs', minMs) };
    }
    case 'normal':
      return { kind, meanMs: ms('meanMs'), deviationMs: ms('deviationMs') };
    case 'lognormal': {
      // At least 1: the logarithm of 0 does not exist.
      const medianMs = ms('medianMs', 1);
      return { kind, medianMs, p99Ms: ms('p99Ms', medianMs) };
    }
    case 'exponential':
      return { kind, meanMs: ms('meanMs') };
    default:
      return members.unknownKind(DISTRIBUTIONS, { kind: 'constant', ms: 0 });
  }
}
