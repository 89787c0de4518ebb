import type { Call, CallName } from './calls.js';
import { callNames, callOf } from './calls.js';
import type { FaultName } from './faults.js';
import { faultNames } from './faults.js';
import type { Stated } from './outcomes.js';

/** One fault at one call: a shipment in an area of its own, with an account and a carrier of its own. */
export interface Cell {
  /** Also the shipment's number; none begins with another. */
  readonly name: string;
  readonly callName: CallName;
  readonly faultName: FaultName;
  readonly call: Call;
  readonly area: number;
  /** Name of the account and of the simulator. */
  readonly carrier: string;
  readonly service: string | null;
  readonly stated: Stated;
}

const FIRST_AREA = 1_001;
const DIGITS = 4;

export type Statements = Readonly<Partial<Record<CallName, Readonly<Partial<Record<FaultName, Stated>>>>>>;

/** A cell for whatever is stated. */
export function cellsOf(statements: Statements): readonly Cell[] {
  const pairs = callNames.flatMap((callName) => faultNames.map((faultName) => ({ callName, faultName })));
  return pairs.flatMap(({ callName, faultName }, index) => {
    const stated = statements[callName]?.[faultName];
    return stated === undefined ? [] : [cellAt(index, { callName, faultName, stated })];
  });
}

function cellAt(index: number, about: Pick<Cell, 'callName' | 'faultName' | 'stated'>): Cell {
  const call = callOf(about.callName);
  return {
    ...about,
    ...{ call, name: `F${String(index).padStart(DIGITS, '0')}`, area: FIRST_AREA + index },
    carrier: `${call.carrier}-${index}`,
    service: call.story === 'refused' ? 'refused' : null,
  };
}
