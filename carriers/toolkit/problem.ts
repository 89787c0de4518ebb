import { type HttpAnswer, type Problem, tryParseJson } from '../contract/index.js';
import type { Place } from './json.js';
import { listAt, textAt, textIn } from './json.js';

/** A carrier's problem with a whole booking. @param text `null`: the carrier gives no reason */
export function problemOf(code: string | null, text: string | null): Problem {
  return { code, text: text ?? 'no reason given', parcelId: null };
}

/** The problem of an answer that says `{ message }` from status 300 on, or nothing. */
export function messageProblems({ status, body }: HttpAnswer): readonly Problem[] {
  const message = status < 300 ? null : textAt(tryParseJson(body), 'message');
  return message === null ? [] : [problemOf(null, message)];
}

/** The problems of an answer that has texts by the name of the field they are about, as services in .NET write it. */
export function fieldProblems(texts: unknown, nameOf = (field: string) => field): readonly Problem[] {
  return Object.keys(texts ?? {}).flatMap((field) => {
    const name = nameOf(field);
    return listAt(texts, field).map((text) => problemOf(name, `${name}: ${textAt(text) ?? 'not accepted'}`));
  });
}

/** Where a carrier's answer has the parts of a problem. */
export interface ProblemFields {
  readonly code: Place;
  readonly text: Place;
  /** Our id of the parcel that it is about; missing: problems are about the whole booking. */
  readonly parcel?: Place;
}

/** A carrier's problems, from the rows of an answer. */
export function readProblems(rows: readonly unknown[], { code, text, parcel = [] }: ProblemFields): readonly Problem[] {
  return rows.map((row) => ({
    ...problemOf(textIn(row, code), textIn(row, text)),
    parcelId: textIn(row, parcel),
  }));
}
