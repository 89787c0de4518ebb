import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Moment, evaluate, readSamples } from './promql.js';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
}

export const alertRules: readonly AlertRule[] = (
  parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as RuleFile
).groups.flatMap(({ rules }) => rules);

const SCRAPED_EVERY_SECONDS = 15;
export const GONE = Symbol('gone');
/** No rule looks further back. */
const KEPT_SECONDS = 3_600;

/**
 * Prometheus in small: takes one scrape after the other as if a quarter of a minute lay between them, and knows which
 * alerts fire. `null` is a scrape without an answer; `gone`: there is nothing to scrape, so not even `up`.
 */
export class AlertTrial {
  private history: readonly Moment[] = [];
  private readonly since = new Map<string, number>();
  private seconds = 0;

  /** @param forSeconds the same answer, again and again for this time */
  scraped(text: string | null | typeof GONE, forSeconds = SCRAPED_EVERY_SECONDS): void {
    const up = { name: 'up', labels: { job: 'waybridge' }, value: text === null ? 0 : 1 };
    const answered = text === null || text === GONE ? [] : readSamples(text);
    const samples = text === GONE ? [] : [up, ...answered];
    for (const end = this.seconds + forSeconds; this.seconds < end;) {
      this.seconds += SCRAPED_EVERY_SECONDS;
      const kept = this.history.filter(({ seconds }) => seconds > this.seconds - KEPT_SECONDS);
      this.history = [...kept, { seconds: this.seconds, samples }];
      for (const { alert, expr } of alertRules) {
        const holds = evaluate(expr, this.history, this.seconds).length > 0;
        if (!holds) this.since.delete(alert);
        else if (!this.since.has(alert)) this.since.set(alert, this.seconds);
      }
    }
  }

  /** The names of the alerts that have held for as long as they have to. */
  firing(): readonly string[] {
    return alertRules.flatMap(({ alert, for: wait = '0m' }) => {
      const since = this.since.get(alert);
      return since !== undefined && this.seconds - since >= Number.parseInt(wait, 10) * 60 ? [alert] : [];
    });
  }
}
