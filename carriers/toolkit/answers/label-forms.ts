import type { LabelForm } from '../../contract/index.js';

/** A carrier's names of its labels, each with the form that it stands for; `null`: no source states the size. */
export type NamedForms = Readonly<Record<string, LabelForm | null>>;

/** The forms behind names, where they are known. */
export function formsIn(named: NamedForms): readonly LabelForm[] {
  return Object.values(named).filter((form) => form !== null);
}

/** The name of a form; `null`: there is none, or no size is asked for. */
export function nameOfForm<Named extends NamedForms>(named: Named, asked: LabelForm | undefined): keyof Named | null {
  const isAsked = (form: LabelForm | null) =>
    form?.widthMm !== undefined &&
    form.format === asked?.format &&
    form.widthMm === asked.widthMm &&
    form.heightMm === asked.heightMm;
  return Object.keys(named).find((name) => isAsked(named[name] ?? null)) ?? null;
}
