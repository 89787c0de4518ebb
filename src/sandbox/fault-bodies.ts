import type { Fault, FaultKind, FaultMatch } from './faults.js';
import type { Json } from './json.js';
import type { Distribution } from './latency.js';
import { LONGEST_LATENCY_MS } from './latency.js';
import type { Members } from './members.js';
import { readWhole } from './members.js';

const KINDS = 'status, delay, latency, reset, drop-before, drop-after, cut-body, trickle or redirect';
const DISTRIBUTIONS = 'constant, uniform, normal, lognormal or exponential';
const MILLISECONDS = { max: LONGEST_LATENCY_MS };

/** @throws BadControlBody with every problem */
export function readFault(body: Json | undefined): Fault {
  return readWhole(body, readFaultMembers);
}

/** A fault in a larger whole; its problems are written down there. */
export function readFaultMembers(members: Members): Fault {
  return { ...readMatch(members), ...readKind(members) };
}

function readMatch(members: Members): FaultMatch {
  return {
    target: members.text('target'),
    ...(members.has('method') ? { method: members.text('method') } : {}),
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
  return members.json('times') === 'always' ? 'always' : members.whole('times');
}

function readKind(members: Members): FaultKind {
  const kind = members.json('kind');
  switch (kind) {
    case 'status':
      return readStatusFault(members);
    case 'delay':
      return { kind, ms: members.whole('ms') };
    case 'latency':
      return { kind, distribution: members.nested('distribution', readDistribution) };
    case 'trickle':
      return { kind, msPerByte: members.whole('msPerByte') };
    case 'redirect':
      return { kind, location: members.text('location') };
    case 'reset':
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
    ...(members.has('headers') ? { headers: members.textByName('headers') } : {}),
    ...(body === undefined ? {} : { body }),
    ...(members.has('contentType') ? { contentType: members.text('contentType') } : {}),
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
      // One of 0 has no logarithm.
      const medianMs = ms('medianMs', 1);
      return { kind, medianMs, p99Ms: ms('p99Ms', medianMs) };
    }
    case 'exponential':
      return { kind, meanMs: ms('meanMs') };
    default:
      return members.unknownKind(DISTRIBUTIONS, { kind: 'constant', ms: 0 });
  }
}
