import type { Consignment, Effect } from '../../src/consignment/consignment.js';
import type { EffectResult } from '../../src/consignment/machine/facts.js';
import { MESSAGES } from '../../src/messages/keys.js';
import type { ModelDeps } from './model-carrier.js';

/** The warehouse system as far as a consignment writes to it; notes whatever must never be written. */
export class ModelIms {
  readonly violations: string[] = [];
  /** Print requests that left, by run. */
  private readonly prints = new Map<number, number>();
  private readonly sheets = new Map<number, number>();

  constructor(private readonly around: ModelDeps) {}

  write(consignment: Consignment, effects: readonly Effect[]): readonly EffectResult[] {
    return effects.map((effect) => ({ key: effect.key, ...this.one(consignment, effect) }));
  }

  private one(consignment: Consignment, effect: Effect): Omit<EffectResult, 'key'> {
    const { pick } = this.around.luck;
    // Whoever finds this died before the answer came.
    if (effect.state === 'sent') return { state: 'unknown', note: 'nobody knows' };
    const fate = pick([
      'done',
      'done',
      'done',
      'IMS down',
      'IMS refuses',
      'not allowed',
      'crash before',
      'crash after',
    ]);
    if (fate === 'crash before') return this.crash();
    if (fate === 'IMS down') return { state: 'open', note: 'down' };
    this.take(consignment, effect);
    if (fate === 'crash after') return this.crash();
    if (fate === 'IMS refuses') return { state: 'failed', note: 'no' };
    return fate === 'not allowed' ? { state: 'not-allowed', note: null } : { state: 'done', note: null };
  }

  private crash(): Omit<EffectResult, 'key'> {
    this.around.crash();
    return { state: 'open', note: null };
  }

  /** A request has left. */
  private take(consignment: Consignment, { call }: Effect): void {
    if (call.kind === 'print') this.print(consignment.run);
    if (call.kind === 'print-error-sheet') this.printSheet(consignment);
    if (call.kind !== 'work-status') return;
    if (call.status === 'DONE') this.violations.push(...wrongWithDone(consignment));
    else this.violations.push(...wrongWithFailed(consignment));
  }

  private print(run: number): void {
    const count = (this.prints.get(run) ?? 0) + 1;
    this.prints.set(run, count);
    if (count > 1) this.violations.push(`printed ${count} times in run ${run}`);
  }

  private printSheet({ run, effects, outcome, needsOperator }: Consignment): void {
    const count = (this.sheets.get(run) ?? 0) + 1;
    this.sheets.set(run, count);
    if (count > 1) this.violations.push(`printed ${count} error sheets in run ${run}`);
    const isThere = effects.some(({ key, state }) => key === `error-sheet:${run}` && state === 'done');
    if (!isThere) this.violations.push('printed an error sheet that is not attached');
    if (this.prints.has(run)) this.violations.push('printed a label and an error sheet');
    if (!needsOperator && outcome !== 'refused' && outcome !== 'incomplete')
      this.violations.push(`printed an error sheet at the end ${outcome}`);
  }
}

/** What was written, or skipped because our access does not allow it, which is told. */
const SETTLED: readonly Effect['state'][] = ['done', 'not-allowed'];

function wrongWithDone(consignment: Consignment): readonly string[] {
  const { effects, run, plan } = consignment;
  const isSettled = (key: string) =>
    effects.some((effect) => effect.key === `${key}:${run}` && SETTLED.includes(effect.state));
  const containers = plan?.containers ?? [];
  return [
    ...containers.filter((id) => !isSettled(`tracking:${id}`)).map((id) => `DONE without the number of ${id}`),
    ...(isSettled('attachment') ? [] : ['DONE without a label']),
    ...(isSettled('carriers-number') ? [] : ["DONE without the carrier's number"]),
  ];
}

function wrongWithFailed({ effects, run }: Consignment): readonly string[] {
  const errors = effects.filter(
    ({ key, call }) =>
      key.startsWith(`message:${run}:`) && call.kind === 'message' && MESSAGES[call.message.key].type === 'ERROR',
  );
  if (errors.length === 0) return ['FAILED without a message'];
  return errors.some((effect) => effect.state === 'open') ? ['FAILED before its message'] : [];
}
