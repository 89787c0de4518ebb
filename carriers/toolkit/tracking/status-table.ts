import type { TrackingStatus } from '../../contract/index.js';
import { TRACKING_STATUSES } from '../../contract/index.js';

/** What a carrier's codes mean. */
export type StatusTable<Meaning = TrackingStatus> = ReadonlyMap<string, Meaning>;

export function statusTable<Meaning extends TrackingStatus | null = TrackingStatus>(
  codes: Readonly<Record<string, Meaning>>,
): StatusTable<Meaning> {
  return new Map(Object.entries(codes));
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
