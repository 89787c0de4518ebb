import type { LabelForm } from '../../carriers/contract/traits.js';
import type { LabelTarget } from '../labels/conversion/target.js';

/** Sides of a label on the paper, in millimetres. */
interface Size {
  readonly widthMm: number;
  readonly heightMm: number;
}

const SHEETS = {
  A4: { widthMm: 210, heightMm: 297 },
  A5: { widthMm: 148, heightMm: 210 },
  letter: { widthMm: 216, heightMm: 279 },
} as const satisfies Readonly<Record<NonNullable<LabelTarget['sheet']>, Size>>;

/**
 * How much the size of a ZPL label may differ from the profile's and still be chosen: the printer draws such a label itself,
 * sharper than any picture.
 */
const MAX_DIFFERENCE_MM = 5;
/** Added to the difference of a label that has to be turned, so that of two equal ones the other is chosen. */
const TURNED_MM = 1;

/**
 * Chooses the form of a carrier's labels of a service that needs the least conversion; pure.
 * @param service `null`: the adapter chooses it
 * @returns `null`: there is nothing to choose, or nothing to choose by
 */
export function labelFormFor(
  forms: readonly LabelForm[],
  service: string | null,
  target: LabelTarget,
): LabelForm | null {
  const there = forms.filter(
    ({ services }) => services === undefined || (service !== null && services.includes(service)),
  );
  if (there.length < 2) return null;
  const wanted = sizeOf(target);
  if (target.format === 'zpl') {
    const native = there.find((form) => isNative(form, target));
    if (native) return native;
  }
  if (wanted === null) return null;
  const sized = there.flatMap((form) => {
    const differsMm = form.format === 'pdf' ? differenceMm(form, wanted) : null;
    return differsMm === null ? [] : [{ form, differsMm }];
  });
  return sized.sort((a, b) => a.differsMm - b.differsMm)[0]?.form ?? null;
}

/** ZPL for printers of the profile's resolution, in its size or in one that is not stated. */
function isNative(form: LabelForm, target: LabelTarget): boolean {
  if (form.format !== 'zpl' || form.dpi !== target.dpi) return false;
  const { widthMm, heightMm } = target;
  const differsMm = widthMm === null || heightMm === null ? null : differenceMm(form, { widthMm, heightMm });
  return differsMm === null || differsMm <= MAX_DIFFERENCE_MM;
}

/** Where a label is to be; `null`: as it came. */
function sizeOf({ widthMm, heightMm, sheet, perSheet }: LabelTarget): Size | null {
  if (widthMm !== null && heightMm !== null) return { widthMm, heightMm };
  if (sheet === null) return null;
  return partOf(SHEETS[sheet], perSheet);
}

/** Halves the longer side as often as that gives enough places. */
function partOf(size: Size, perSheet: number): Size {
  if (perSheet <= 1) return size;
  const { widthMm, heightMm } = size;
  const half = widthMm > heightMm ? { widthMm: widthMm / 2, heightMm } : { widthMm, heightMm: heightMm / 2 };
  return partOf(half, perSheet / 2);
}

/** @returns `null`: the form states no size */
function differenceMm({ widthMm, heightMm }: LabelForm, wanted: Size): number | null {
  if (widthMm === undefined || heightMm === undefined) return null;
  const upright = Math.abs(widthMm - wanted.widthMm) + Math.abs(heightMm - wanted.heightMm);
  const turned = Math.abs(heightMm - wanted.widthMm) + Math.abs(widthMm - wanted.heightMm) + TURNED_MM;
  return Math.min(upright, turned);
}
