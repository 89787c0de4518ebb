import type { TrackingStatus } from '../../contract/index.js';
import { TRACKING_STATUSES } from '../../contract/index.js';

/** What a carrier's codes mean. */
export type StatusTable<Meaning = TrackingStatus> = ReadonlyMap<string, Meaning>;

/** A carrier's codes by what they mean; `skipped`: they say nothing of where a parcel is, and mean `null`. */
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
 * The codes with which a simulator tells of each status: the first that the carrier's table has for it.
 * @param instead for what the table does not have, and where another code is meant
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
