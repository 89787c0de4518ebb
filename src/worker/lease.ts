/** The right of one process to work on a row, until a time. */
export interface Lease {
  readonly owner: string;
  readonly now: Date;
  readonly until: Date;
}
