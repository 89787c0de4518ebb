import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Words that the code used before, and the word that it uses now. Each matches a part of a name: `lost-events`, `lostEvents`. */
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
  [/\bovertaken\b/, 'Conflict'],
  [/\bheld until\b/, 'parkedUntil'],
  [/\bcarrier queue\b/, 'Bulkhead'],
  [/\badmission\b/, 'BreakerState'],
  [/\bon its way\b|\bunstored\b/, 'InFlight, pendingWrites'],
  [/\bmust not repeat\b|\bleaves once\b/, 'atMostOnce'],
  [/\bclear doubt\b/, 'find-outcome'],
  [/\bset aside\b/, 'skipped'],
  [/\bbegun elsewhere\b/, 'possiblyBooked'],
  [/\bbids\b|\bhopeless\b/, 'quotes, ineligible'],
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
  [/^most\b|^longest\b/, 'MAX_'],
];
/** Only in names: in prose these are ordinary English. */
const ONLY_IN_NAMES =
  /^(world|surroundings|circumstances|most|longest|admission|hopeless|on its way|pass on|dismiss|hire|told before|set aside|losses|tries|wish(es)?)$/;
const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

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

const CODE = ['src', 'carriers'].flatMap(filesIn).filter((path) => path.endsWith('.ts'));
/** `carriers/<id>` and the toolkit speak of a carrier's own answers. */
const NAMED = CODE.filter((path) => /^(src|carriers\/contract)\//.test(path));
const DOCS = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs').filter((path) => path.endsWith('.md'))];

describe('a former word stands in', () => {
  it('no name of a file', () => {
    const named = [...CODE, ...filesIn('test'), ...DOCS].filter((path) => !path.startsWith('docs/decisions/'));
    const found = named.flatMap((path) =>
      path.split('/').flatMap((part) => formerIn(wordsOf(part)).map((why) => `${path}: ${why}`)),
    );
    expect(found).toEqual([]);
  });

  it('no exported name', () => {
    const found = NAMED.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(EXPORTED)].flatMap(([, name = '']) =>
        formerIn(wordsOf(name)).map((why) => `${path}: ${name}: ${why}`),
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
