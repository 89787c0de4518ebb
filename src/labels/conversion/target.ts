/** What a printer takes. Without one, labels stay as they came. */
export interface LabelTarget {
  readonly format: 'pdf' | 'zpl';
  /** Of a label; `null`: as it came. */
  readonly widthMm: number | null;
  /** Of a label; `null`: as it came, on a roll as long as the label needs. */
  readonly heightMm: number | null;
  /** Dots per inch of the printer. Printers of 203 dpi have 8 dots per mm. */
  readonly dpi: 203 | 300 | 600;
  /** Only with `pdf`; `null`: one label on each page. */
  readonly sheet: 'A4' | 'A5' | 'letter' | null;
  /** How many labels a sheet takes. */
  readonly perSheet: number;
}

/** A label that was not changed, because the target would make it unreadable. */
export interface LeftAsItCame {
  /** In the list of labels, from 1. */
  readonly position: number;
  /** The end of the sentence "label 1 of 2 …". */
  readonly because: string;
}

const POINTS_PER_INCH = 72;
const MM_PER_INCH = 25.4;

export const pointsOf = (mm: number): number => (mm * POINTS_PER_INCH) / MM_PER_INCH;
export const mmOf = (points: number): number => (points * MM_PER_INCH) / POINTS_PER_INCH;

/** As printers are built: 203 dpi are 8 dots for each mm. */
export function dotsPerMm(dpi: LabelTarget['dpi']): number {
  return dpi === 203 ? 8 : dpi / MM_PER_INCH;
}

/** With sides that are whole dots, so that a page is drawn dot by dot and never scaled. */
export function inWholeDots(target: LabelTarget): LabelTarget {
  if (target.format === 'pdf') return target;
  const whole = (mm: number | null) => mm && Math.round(mm * dotsPerMm(target.dpi)) / dotsPerMm(target.dpi);
  return { ...target, widthMm: whole(target.widthMm), heightMm: whole(target.heightMm) };
}

/** A program that draws; it is large, and is loaded where labels are converted only. */
export type Drawer = 'pdf' | 'zpl';

/** What is needed to make labels for these targets. */
export function drawersFor(targets: readonly LabelTarget[]): readonly Drawer[] {
  if (targets.length === 0) return [];
  return targets.some(({ format }) => format === 'zpl') ? ['pdf', 'zpl'] : ['pdf'];
}
