import type { LabelTarget } from '../labels/conversion/target.js';
import type { Query } from '../routing/language/rule.js';

/** How labels come out at some stations: `printing.profiles` of `waybridge.yaml`. */
export interface PrintProfile {
  readonly name: string;
  readonly target: LabelTarget;
  /** 1 to `MAX_COPIES`. */
  readonly copies: number;
  /** The name of a file `templates/ims/print-resource.<template>.json`; `null`: the installation's own. */
  readonly template: string | null;
}

/** `printing.use` of `waybridge.yaml`: the first one that matches chooses the profile. */
export interface ProfileUse {
  readonly when: Query;
  /** The name of a profile. */
  readonly profile: string;
}

export interface ProfileSettings {
  readonly profiles: readonly PrintProfile[];
  readonly use: readonly ProfileUse[];
}

export const MAX_COPIES = 10;

/** The profile of a consignment, fixed when its requests are: a later change of the settings does not change it. */
export interface FrozenProfile extends Omit<PrintProfile, 'name'> {
  readonly profile: string;
  /** Requests to print: as many as copies, or one where the template tells the IMS how many. */
  readonly calls: number;
}

/**
 * The copies that one request names. Several requests are one copy each, also where the template has gained a place for
 * their number since they were planned.
 */
export function copiesInRequest(print: Pick<FrozenProfile, 'copies' | 'calls'> | undefined): number {
  return print === undefined || print.calls > 1 ? 1 : print.copies;
}

/** E.g. `102 × 152 mm`, `A4, 4 labels on a sheet`. */
export function targetInWords({ widthMm, heightMm, sheet, perSheet }: LabelTarget): string {
  const size =
    widthMm === null ? null : heightMm === null ? `a roll ${widthMm} mm wide` : `${widthMm} × ${heightMm} mm`;
  const on = sheet === null ? null : perSheet === 1 ? sheet : `${sheet}, ${perSheet} labels on a sheet`;
  return [size, on].filter((words) => words !== null).join(', ') || 'the size in which it came';
}
