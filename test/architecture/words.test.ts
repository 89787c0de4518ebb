import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Words that the code used before, and the word that it uses now. Each matches a part of a name: `lost-events`,
 * `lostEvents`. Of the former words these are missing, because most names with them are right: `held` (leases, and what
 * waits in memory), `turn` (rotation, and `inTurn` of matrices), `notice` (a short message), `tell`, `ask`, `asked`,
 * `seen`, `queue`, `visit` (of the library `yaml`), `promise` (of JavaScript).
 */
const FORMER: readonly (readonly [former: RegExp, now: string])[] = [
  [/errand/, 'task'],
  [/\btake up(?! to)|\btaken up/, 'recover'],
  [/\blost events?\b/, 'missed event'],
  [/\bhand over (list|note)|\bhand overs\b/, 'manifest, handover'],
  [/\bonward/, 'webhook'],
  [/\bpass on\b/, 'enqueueDeliveries'],
  [/\btracking notice/, 'outbox'],
  [/\btold before/, 'send-once'],
  [/\bdiscreet/, 'redacted'],
  [/\bpatiently/, 'retryWhileDatabaseAway'],
  [/\bunkeepable/, 'isDataError'],
  [/\bcome to terms/, 'rescheduleAfterBug'],
  [/\bworld\b|\bsurroundings\b|\bcircumstances\b/, 'context'],
  [/\bwires\b/, '…Deps'],
  [/\bcancel wanted\b|\bknown wish\b/, 'cancelRequest'],
  [/\btracking wishes\b|\breplay wish\b|\bwishes for\b/, 'options, request'],
  [/\blanes?\b/, 'start limiter, queue'],
  [/\bovertaken$/, 'Conflict'],
  [/\bheld until\b/, 'parkedUntil'],
  [/\bcarrier queue\b/, 'Bulkhead'],
  [/\badmission\b/, 'BreakerState'],
  [/\bon its way$|\bunstored\b/, 'InFlight, pendingWrites'],
  [/\bmust not repeat\b|\bleaves once\b/, 'atMostOnce'],
  [/\bclear doubt\b/, 'find-outcome'],
  [/\bset aside\b/, 'skipped'],
  [/\bbegun elsewhere\b/, 'possiblyBooked'],
  [/\bbids\b|\bhopeless\b/, 'quotes, ineligible (of a quote), waitingIsUseless'],
  [/\bcomplaints?\b/, 'ValidationIssue'],
  [/\blosses\b/, 'textChanges'],
  [/\btries\b/, 'attempts'],
  [/\bwish(es)?\b/, 'request, options, selection'],
  [/\bbarred\b|\bturned? away\b/, 'rejected'],
  [/\bdoubt when\b/, 'warnWhen'],
  [/\bsynced files\b/, 'fsync-files'],
  [/\brehearsal\b/, 'dry run'],
  [/\bdismiss\b|\bhire\b/, 'spawn, kill'],
  [/\blet in\b|\blet go\b|\bmishap\b|\bbefalling\b/, 'authenticate, deliver, fault'],
  [/\bhousekeeping\b/, 'retention'],
  [/\bquery together\b/, 'withGroupCommit'],
  [/\bbulkhead queue\b|\bqueue tools\b|\bby queue\b/, 'bulkhead'],
  [/\bbeats?\b/, 'heartbeat'],
  [/\bheld exchange\b/, 'PendingExchange'],
  [/\bmissing permissions?\b|\btell lacks\b/, 'missing scopes'],
  [/^trace$/, 'journalEntries: a trace is one of OpenTelemetry'],
  [/\blabel worker\b|\b(next|other|another) worker\b/, 'process, instance: a worker is a person'],
];
/** In constants only: `most` and `longest` are good names of a parameter, `tellWaiting` is one of a function. */
const FORMER_CONSTANTS: readonly (readonly [former: RegExp, now: string])[] = [
  [/^(MOST|LONGEST)(_|$)/, 'MAX_'],
  [/^(FIRST_)?(ASKS?|TELL|TIDY)_/, 'POLL_, DELIVER_, RETENTION_'],
];
/** Columns, stored values and fields of HTTP that are out in the world. */
const KEPT = new Set(['tries', 'landed', 'cancel_wanted', 'begunElsewhere', 'heldUntil', 'losses', 'eventTries']);
/** Only in names: in prose these are ordinary English. */
const ONLY_IN_NAMES =
  /^(world|surroundings|circumstances|admission|hopeless|on its way|pass on|dismiss|hire|told before|set aside|losses|tries|wish(es)?)$/;
function filesIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => join(root, path))
    .filter((path) => !path.includes('/fixtures/') && !path.includes('/migrations/') && /\.\w+$/.test(path));
}

/** `lostEvents`, `LOST_EVENTS` and `lost-events.ts` as `lost events`. */
function wordsOf(name: string): string {
  const parts = name.replace(/\.\w+$/, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return parts
    .replace(/[-_./]+/g, ' ')
    .trim()
    .toLowerCase();
}

function formerIn(words: string): readonly string[] {
  return FORMER.filter(([former]) => former.test(words)).map(([former, now]) => `${former.source}: use ${now}`);
}

function formerConstantsIn(name: string): readonly string[] {
  return FORMER_CONSTANTS.filter(([former]) => former.test(name)).map(
    ([former, now]) => `${former.source}: use ${now}`,
  );
}

/** The names that the code of a file declares: variables, functions, parameters, types and properties of types. */
function declaredIn(path: string): readonly string[] {
  const names: string[] = [];
  const collect = (node: ts.Node): void => {
    names.push(...declaredBy(node));
    ts.forEachChild(node, collect);
  };
  collect(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return names;
}

function declaredBy(node: ts.Node): readonly string[] {
  if (!isNamedDeclaration(node) || node.name === undefined || !/^#?[\w$]+$/.test(node.name.getText())) return [];
  const name = node.name.getText();
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) return boundBy(name, node.propertyName);
  const isMember = ts.isTypeElement(node) || ts.isClassElement(node);
  return isMember && KEPT.has(name) ? [] : [name];
}

/** `{ bulkhead: queue }`; without a name of its own it has that of the property, which is declared elsewhere. */
function boundBy(name: string, property: ts.PropertyName | undefined): readonly string[] {
  if (property === undefined) return [];
  return KEPT.has(property.getText()) ? [name] : [name, `${property.getText()}-${name}`];
}

function isNamedDeclaration(node: ts.Node) {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassLike(node) ||
    ts.isTypeElement(node) ||
    ts.isClassElement(node)
  );
}

const CODE = ['src', 'carriers', 'test/support'].flatMap(filesIn).filter((path) => path.endsWith('.ts'));
const DOCS = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs').filter((path) => path.endsWith('.md'))];

describe('a former word stands in', () => {
  it('no name of a file', () => {
    const named = [...CODE, ...filesIn('test'), ...DOCS].filter((path) => !path.startsWith('docs/decisions/'));
    const found = named.flatMap((path) =>
      path.split('/').flatMap((part) => formerIn(wordsOf(part)).map((why) => `${path}: ${why}`)),
    );
    expect(found).toEqual([]);
  });

  it('no name that the code declares', () => {
    const found = CODE.flatMap((path) =>
      declaredIn(path).flatMap((name) =>
        [...formerIn(wordsOf(name)), ...formerConstantsIn(name)].map((why) => `${path}: ${name}: ${why}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it('no page of the docs', () => {
    const found = DOCS.flatMap((path) =>
      FORMER.flatMap(([former, now]) => {
        const hits =
          readFileSync(path, 'utf8').toLowerCase().replaceAll('-', ' ').match(new RegExp(former, 'gm')) ?? [];
        return hits.filter((hit) => !ONLY_IN_NAMES.test(hit)).map((hit) => `${path}: "${hit}": use ${now}`);
      }),
    );
    expect(found).toEqual([]);
  });
});
