import type { TrackingStatus } from '../../contract/index.js';
import { TRACKING_STATUSES } from '../../contract/index.js';

/** The status of each of a carrier's codes. */
export type StatusTable<Meaning = TrackingStatus> = ReadonlyMap<string, Meaning>;

/** A carrier's codes by status; `skipped`: codes that say nothing about where a parcel is. */
type CodesByStatus = Partial<Readonly<Record<TrackingStatus | 'skipped', readonly string[]>>>;

/** @throws Error a code is listed twice */
export function statusTable(codes: Omit<CodesByStatus, 'skipped'>): StatusTable;
export function statusTable(codes: CodesByStatus): StatusTable<TrackingStatus | null>;
export function statusTable({ skipped = [], ...codes }: CodesByStatus): StatusTable<TrackingStatus | null> {
  const listed = TRACKING_STATUSES.flatMap((status) => (codes[status] ?? []).map((code) => [code, status] as const));
  const table = new Map([...listed, ...skipped.map((code) => [code, null] as const)]);
  if (table.size !== listed.length + skipped.length) throw new Error('a code is listed twice');
  return table;
}

/**
 * What a code means: `unrecognised` for one that the table does not have, and where there is none.
 * @returns `null`: the code says nothing about where the parcel is
 */
export function statusIn<Meaning extends TrackingStatus | null>(
  table: StatusTable<Meaning>,
  code: string | null,
): Meaning | 'unrecognised' {
  const status = table.get(code ?? '');
  return status === undefined ? 'unrecognised' : status;
}

/**
 * The code with which a simulator reports each status: the first one of the status in the carrier's table.
 * @param instead codes for statuses that the table lacks, or that get another code
 */
export function codesFor(
  table: StatusTable<TrackingStatus | null>,
  instead: Partial<Readonly<Record<TrackingStatus, string>>>,
): Readonly<Record<TrackingStatus, string>> {
  const codeOf = (status: TrackingStatus): string => {
    const listed = [...table].find(([, meaning]) => meaning === status)?.[0];
    const code = instead[status] ?? listed;
    if (code === undefined) throw new Error(`no code for "${status}"`);
    return code;
  };
  return Object.fromEntries(TRACKING_STATUSES.map((status) => [status, codeOf(status)])) as Record<
    TrackingStatus,
    string
  >;
}
