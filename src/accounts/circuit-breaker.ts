import { openForMs } from '../worker/backoff.js';

/** Lost answers in an outage before the long pause. */
export const MAX_LOST = 5;
/** The pauses between trial bookings, while fewer answers are lost; … */
const TRIAL_PAUSES_MS = [0, 15_000, 45_000];
/** … and afterwards. */
const LONG_PAUSE_MS = 10 * 60_000;
/** A failure within this time after an outage belongs to that outage. */
const RELAPSE_MS = 10 * 60_000;
/**
 * A probe may fail although the carrier takes bookings: after this time without a trial, one booking is sent without an
 * answered probe.
 */
export const PROBE_DISTRUST_MS = 15 * 60_000;
/** An instance without settings to probe with waits this long for another instance's probe. */
const UNSENT_PROBE_MS = 15_000;

/**
 * The circuit of an account, the same for all instances. Times are milliseconds on the database's clock.
 * closed --failures--> open --probe answered--> half-open --trial answered--> closed
 * Open: only probes are sent. Half-open: one booking at a time, the trial. Without a probe, the circuit becomes
 * half-open when the time of the next trial has come.
 */
export interface CircuitState {
  readonly stage: 'closed' | 'open' | 'half-open';
  /** When it last stopped being closed. */
  readonly sinceMs: number;
  /** Bookings with lost answers in this outage and in recent ones. */
  readonly lost: number;
  readonly failedProbes: number;
  readonly failedTrials: number;
  /** A probe was answered in this outage; missing: none was, also where a version that did not store it saw it. */
  readonly probeAnswered?: true;
  /** When the last trial began, or the outage. */
  readonly triedMs: number;
  /** Open: when the next probe or trial is due. */
  readonly nextMs: number;
  /** When it closed; `null`: no recent outage. */
  readonly closedMs: number | null;
  /** The running probe or trial; it counts as failed after `untilMs`. */
  readonly holder: { readonly id: string; readonly untilMs: number } | null;
  /** The version of the stored state. */
  readonly changes: number;
}

export const NO_OUTAGE: CircuitState = {
  stage: 'closed',
  sinceMs: 0,
  lost: 0,
  failedProbes: 0,
  failedTrials: 0,
  triedMs: 0,
  nextMs: 0,
  closedMs: null,
  holder: null,
  changes: 0,
};

export type CircuitEvent =
  /** Enough calls have failed; the answers to `lost` bookings were lost. */
  | { readonly kind: 'failed'; readonly lost: number; readonly retryAfterMs: number | null }
  /** The answer to a booking from before the circuit opened was lost. */
  | { readonly kind: 'lost' }
  /** Requests the next probe or trial: granted when the holder is `id` afterwards. */
  | { readonly kind: 'take-probe' | 'take-trial'; readonly id: string; readonly forMs: number }
  | { readonly kind: 'probe-answered' | 'trial-answered' | 'trial-returned'; readonly id: string }
  | { readonly kind: 'probe-failed'; readonly id: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'trial-failed'; readonly id: string; readonly lost: number; readonly retryAfterMs: number | null }
  /** Many bookings in a row were answered since it closed: the outage is forgotten. */
  | { readonly kind: 'settled' };

/** What the circuit needs to know about its carrier. */
export interface CircuitRules {
  /** Whether the carrier has a probe. `not-here`: only other instances may have the settings for it. */
  readonly probe: 'yes' | 'no' | 'not-here';
  /** Whether a person or the carrier's lookup finds the outcome of a lost answer. */
  readonly lostAnswers: 'person' | 'carrier';
}

export interface Moment {
  readonly nowMs: number;
  /** Between 0 and 1. */
  readonly random: number;
  readonly rules: CircuitRules;
}

/** The circuit after an event; pure. An event that is too late, or of an earlier holder, changes nothing. */
export function next(before: CircuitState, event: CircuitEvent, moment: Moment): CircuitState {
  const state = withoutDeadTrial(before, moment);
  switch (event.kind) {
    case 'failed':
      return failed(state, event, moment);
    case 'lost':
      return state.stage === 'closed' ? state : { ...state, lost: state.lost + 1 };
    case 'take-probe':
    case 'take-trial':
      return taken(state, event, moment);
    case 'settled':
      return state.stage === 'closed' ? NO_OUTAGE : state;
    default:
      return state.holder?.id === event.id ? ended({ ...state, holder: null }, event, moment) : state;
  }
}

/** Counts a trial without an end as a lost answer: its sender has died. */
function withoutDeadTrial(state: CircuitState, moment: Moment): CircuitState {
  const { holder } = state;
  if (holder === null || holder.untilMs > moment.nowMs) return state;
  const free = { ...state, holder: null };
  if (state.stage !== 'half-open') return free;
  return ended(free, { kind: 'trial-failed', id: holder.id, lost: 1, retryAfterMs: null }, moment);
}

function failed(
  state: CircuitState,
  { lost, retryAfterMs }: Extract<CircuitEvent, { kind: 'failed' }>,
  { nowMs, random, rules }: Moment,
): CircuitState {
  if (state.stage !== 'closed') return { ...state, lost: state.lost + lost };
  const relapses = isRemembered(state, nowMs);
  const memory = relapses ? { ...state, failedTrials: state.failedTrials + 1 } : NO_OUTAGE;
  const opened = { ...memory, stage: 'open', sinceMs: nowMs, lost: memory.lost + lost, failedProbes: 0 } as const;
  const pause = relapses || rules.probe === 'no' ? trialPauseMs(opened, random, rules) : 0;
  return { ...opened, triedMs: nowMs, closedMs: null, nextMs: nowMs + Math.max(pause, asked(retryAfterMs)) };
}

function taken(
  state: CircuitState,
  { kind, id, forMs }: Extract<CircuitEvent, { kind: 'take-probe' | 'take-trial' }>,
  { nowMs, rules }: Moment,
): CircuitState {
  if (state.holder !== null) return state;
  const holder = { id, untilMs: nowMs + forMs };
  if (kind === 'take-probe') return isProbeDue(state, nowMs, rules) ? { ...state, holder } : state;
  return isHalfOpen(state, nowMs, rules) ? { ...state, stage: 'half-open', holder, triedMs: nowMs } : state;
}

type Ended = Extract<CircuitEvent, { kind: `${'probe' | 'trial'}-${'answered' | 'failed' | 'returned'}` }>;

function ended(state: CircuitState, event: Ended, { nowMs, random, rules }: Moment): CircuitState {
  switch (event.kind) {
    case 'probe-answered':
      return { ...state, stage: 'half-open', probeAnswered: true };
    case 'probe-failed': {
      const failedProbes = state.failedProbes + 1;
      return { ...state, failedProbes, nextMs: nowMs + openForMs(state.failedProbes, event.retryAfterMs, random) };
    }
    case 'trial-answered':
      return { ...state, stage: 'closed', closedMs: nowMs };
    case 'trial-returned':
      return rules.probe !== 'no' ? state : { ...state, stage: 'open', nextMs: nowMs };
    case 'trial-failed': {
      const after = { ...state, lost: state.lost + event.lost, failedTrials: state.failedTrials + 1 };
      const pause = Math.max(trialPauseMs(after, random, rules), asked(event.retryAfterMs));
      return { ...after, stage: 'open', nextMs: nowMs + pause };
    }
  }
}

/** The pause before the next trial. Lost answers that only a person can resolve make it longer. */
function trialPauseMs({ lost, failedTrials }: CircuitState, random: number, { lostAnswers }: CircuitRules): number {
  if (lostAnswers === 'carrier') return openForMs(failedTrials, null, random);
  if (failedTrials > 0 && lost >= MAX_LOST) return LONG_PAUSE_MS;
  return TRIAL_PAUSES_MS[Math.min(failedTrials, TRIAL_PAUSES_MS.length - 1)] ?? LONG_PAUSE_MS;
}

/** The delay that the carrier asked for, within bounds. */
function asked(retryAfterMs: number | null): number {
  return (retryAfterMs ?? 0) > 0 ? openForMs(0, retryAfterMs, 0) : 0;
}

/** Whether a failure now would belong to the last outage. */
export function isRemembered({ closedMs }: CircuitState, nowMs: number): boolean {
  return closedMs !== null && nowMs - closedMs < RELAPSE_MS;
}

export function isProbeDue({ stage, holder, nextMs }: CircuitState, nowMs: number, { probe }: CircuitRules): boolean {
  return probe !== 'no' && stage === 'open' && nextMs <= nowMs && !isHeld(holder, nowMs);
}

/** Whether a trial booking may be sent now. */
export function isHalfOpen(state: CircuitState, nowMs: number, { probe }: CircuitRules): boolean {
  if (state.stage === 'closed' || isHeld(state.holder, nowMs)) return false;
  if (state.stage === 'half-open') return true;
  if (probe === 'no') return state.nextMs <= nowMs;
  if (probe === 'not-here' && nowMs - state.nextMs >= UNSENT_PROBE_MS) return true;
  return nowMs - state.triedMs >= PROBE_DISTRUST_MS;
}

function isHeld(holder: CircuitState['holder'], nowMs: number): boolean {
  return holder !== null && holder.untilMs > nowMs;
}
