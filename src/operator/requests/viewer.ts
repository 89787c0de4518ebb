import type { Sql } from '../../db/database.js';
import type { ShipmentExplanation } from '../explain.js';
import { HIDDEN, hiddenByName, personalTextsIn, withoutTexts } from './personal-data.js';

/**
 * The same without what names the recipients and senders of these consignments: names, streets, telephone numbers and
 * e-mail addresses, wherever a text quotes them. Ids and numbers stay.
 */
export type WithoutNames = <Value>(value: Value, ids: readonly string[]) => Promise<Value>;

export function withoutNamesIn(sql: Sql): WithoutNames {
  return async (value, ids) => {
    const rows = await sql.query<{ parts: unknown }>('select parts from consignment where id = any($1::text[])', [ids]);
    return withoutTexts(value, personalTextsIn(rows));
  };
}

/** Without names, addresses and texts of persons: of the shipment, of the requests, and where messages quote them. */
export function explanationWithoutNames(explanation: ShipmentExplanation): ShipmentExplanation {
  const { fields, requests, textChanges, rules } = explanation;
  const known = personalTextsIn([fields, requests]);
  const changes = textChanges.map((change) => ({ ...change, given: HIDDEN, sent: HIDDEN }));
  const hide = <Value>(value: Value, name = '') => hiddenByName(value, name, known);
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
