import type { Facts } from '../routing/facts/facts.js';
import { isJsonObject } from '../../carriers/contract/json.js';
import type { Known, Vocabulary } from '../routing/language/check-rule.js';
import { type Judge, type Reason, createJudge } from '../routing/language/judge.js';
import { type Compiled, type Predicate, createConditionCompiler } from '../routing/language/predicates.js';
import { parseQuery } from '../routing/language/query.js';
import type { Query } from '../routing/language/rule.js';
import type { PrintProfile, ProfileSettings } from './profile.js';

/** What a profile is chosen by; `null`: known to be none. */
export interface PrintedBooking {
  /** The contextId. */
  readonly area: string;
  /** The carrier's id. */
  readonly carrier: string;
  /** As it is booked; `null`: the adapter chooses it. */
  readonly service: string | null;
  readonly country: string | null;
  /** Of the event that asks for the booking; `not-known`: there is none yet. */
  readonly event: { readonly deviceName: string | null; readonly userId: string | number | null } | 'not-known';
}

const TEXT = { type: 'text', several: false } as const;
const OF_EVENT = ['deviceName', 'userId'] as const;

/** The fields that `printing.use` can ask for. @param known ids of areas and carriers; empty: any */
export function printingVocabulary(known: {
  readonly areas: readonly string[];
  readonly carriers: readonly string[];
}): Vocabulary {
  const one = (values: readonly string[]): Known => (values.length === 0 ? TEXT : { ...TEXT, values });
  const fields = new Map<string, Known>([
    ['area', one(known.areas)],
    ['carrier', one(known.carriers)],
    ['service', TEXT],
    ['country', { type: 'country', several: false }],
    ['deviceName', TEXT],
    ['userId', TEXT],
  ]);
  return { of: 'a printed booking', names: [...fields.keys()], fieldAt: (path) => fields.get(path) ?? null };
}

/** All fields are texts, also those whose values YAML reads as numbers: `userId: 12`. */
export function withTexts(query: Query): Query {
  const texts = (value: unknown): unknown => {
    if (typeof value === 'number') return String(value);
    if (Array.isArray(value)) return value.map(texts);
    return isJsonObject(value) ? withTexts(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, texts(value)]));
}

/** The settings with their filters built. */
export interface CompiledProfiles {
  readonly profiles: readonly PrintProfile[];
  readonly use: readonly { readonly profile: PrintProfile; readonly when: Compiled }[];
  readonly predicates: readonly Predicate[];
}

/** @param settings checked when they were read */
export function compileProfiles({ profiles, use }: ProfileSettings): CompiledProfiles {
  const compiler = createConditionCompiler();
  const compiled = use.map(({ when, profile: name }) => {
    const profile = profiles.find((candidate) => candidate.name === name);
    if (!profile) throw new Error(`there is no printing profile ${name}`);
    return { profile, when: compiler.compile(parseQuery(withTexts(when), '').condition) };
  });
  return { profiles, use: compiled, predicates: compiler.predicates };
}

/** The profile of the first entry that matches; `null`: none does, and labels are printed as they came. Pure. */
export function chooseProfile(compiled: CompiledProfiles, booking: PrintedBooking): PrintProfile | null {
  if (compiled.use.length === 0) return null;
  const { judge } = judgeOf(compiled, booking);
  return compiled.use.find(({ when }) => judge(when) === 'true')?.profile ?? null;
}

/** The verdict on one entry of `printing.use`. */
export interface ProfileVerdict {
  readonly profile: string;
  readonly outcome: 'matched' | 'failed' | 'not-known-yet' | 'not-reached';
  readonly reasons: readonly Reason[];
}

/** The same choice with the verdict on each entry, in their order; pure. */
export function explainProfile(
  compiled: CompiledProfiles,
  booking: PrintedBooking,
): { readonly profile: PrintProfile | null; readonly verdicts: readonly ProfileVerdict[] } {
  const judge = judgeOf(compiled, booking);
  const last = compiled.use.findIndex(({ when }) => judge.judge(when) === 'true');
  const verdicts = compiled.use.map(({ profile, when }, place): ProfileVerdict =>
    last >= 0 && place > last
      ? { profile: profile.name, outcome: 'not-reached', reasons: [] }
      : { profile: profile.name, ...verdictOn(when, judge) },
  );
  return { profile: compiled.use[last]?.profile ?? null, verdicts };
}

const OUTCOMES = { true: 'matched', false: 'failed', 'not-known': 'not-known-yet' } as const;

function verdictOn(when: Compiled, { judge, reasons }: Judge): Omit<ProfileVerdict, 'profile'> {
  const truth = judge(when);
  return { outcome: OUTCOMES[truth], reasons: reasons(when, truth) };
}

function judgeOf({ predicates }: CompiledProfiles, { event, ...booking }: PrintedBooking): Judge {
  const known = event !== 'not-known';
  const { deviceName, userId } = known ? event : { deviceName: null, userId: null };
  const facts: Facts = {
    carrierName: null,
    values: { ...booking, deviceName, userId: userId === null ? null : String(userId) },
    notKnown: new Map(known ? [] : OF_EVENT.map((name) => [name, 'no-event'])),
    none: new Map(),
  };
  return createJudge(facts, predicates);
}
