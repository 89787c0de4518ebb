import type { Problem } from '../contract/index.js';
import { listAt, textAt } from './json.js';

/** A carrier's problem with a whole booking. @param text `null`: the carrier gives no reason */
export function problemOf(code: string | null, text: string | null): Problem {
  return { code, text: text ?? 'no reason given', parcelId: null };
}

/** The problems of an answer that has texts by the name of the field they are about, as services in .NET write it. */
export function fieldProblems(texts: unknown, nameOf = (field: string) => field): readonly Problem[] {
  return Object.keys(texts ?? {}).flatMap((field) => {
    const name = nameOf(field);
    return listAt(texts, field).map((text) => problemOf(name, `${name}: ${textAt(text) ?? 'not accepted'}`));
  });
}
