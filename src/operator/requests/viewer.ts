import type { Sql } from '../../db/database.js';
import type { ShipmentExplanation } from '../explain.js';
import type { FieldNames } from './field-names.js';
import { HIDDEN, hiddenByName, byLength, personalTextsIn, withoutTexts } from './personal-data.js';

/**
 * Removes what names the recipients and senders of these consignments: names, streets, telephone numbers and e-mail
 * addresses, wherever a text quotes them. Ids and numbers stay.
 */
export type WithoutNames = <Value>(value: Value, ids: readonly string[]) => Promise<Value>;

export function withoutNamesIn(sql: Sql, names: FieldNames): WithoutNames {
  return async (value, ids) => {
    return withoutTexts(value, await textsOfParties(sql, ids, names));
  };
}

/** What names the recipients and senders of these consignments; the longest text first. */
export async function textsOfParties(sql: Sql, ids: readonly string[], names: FieldNames): Promise<readonly string[]> {
  const rows = await sql.query<{ parts: unknown }>('select parts from consignment where id = any($1::text[])', [ids]);
  return byLength(new Set(rows.flatMap((row) => personalTextsIn([row], names))));
}

/**
 * Removes notes and reasons. Others may have said them, and name persons of consignments that are not known here. Only
 * who has spoken stays.
 */
export function withoutNotes<Value>(value: Value): Value {
  const shown = (inside: unknown, name: string): unknown => {
    if (typeof inside === 'string') return name === 'note' || name === 'reason' ? hiddenNote(inside) : inside;
    if (inside === null || typeof inside !== 'object' || inside instanceof Date) return inside;
    if (Array.isArray(inside)) return inside.map((member: unknown) => shown(member, name));
    return Object.fromEntries(
      Object.entries(inside).map(([key, member]: [string, unknown]) => [key, shown(member, key)]),
    );
  };
  return shown(value, '') as Value;
}

/** The beginnings are those of the lines of a close-out. */
function hiddenNote(note: string): string {
  return note.replace(/^(not asked: |closed out: )?.+$/gm, `$1${HIDDEN}`);
}

/** Removes names, addresses and texts of persons: of the shipment, of the requests, and where messages quote them. */
export function explanationWithoutNames(explanation: ShipmentExplanation, names: FieldNames): ShipmentExplanation {
  const { fields, requests, textChanges, rules } = explanation;
  const known = personalTextsIn([fields, requests], names);
  const changes = textChanges.map((change) => ({ ...change, given: HIDDEN, sent: HIDDEN }));
  const hide = <Value>(value: Value, name = '') => hiddenByName(value, name, { names, known });
  return {
    ...withoutTexts(explanation, known),
    fields: hide(fields),
    rules: rules.map((verdict) => ({
      ...verdict,
      reasons: verdict.reasons.map((reason) => ({ ...reason, value: hide(reason.value, reason.field) })),
    })),
    requests: requests.map((request) => ({
      ...withoutTexts(request, known),
      ...(request.query && { query: hide(request.query) }),
      ...(request.form && { form: hide(request.form) }),
      ...(request.json === undefined ? {} : { json: hide(request.json) }),
    })),
    ...{ textChanges: changes, losses: changes },
  };
}
