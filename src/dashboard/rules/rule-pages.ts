import express, { type Request, type Response, type Router } from 'express';
import { readsNames } from '../../http/operator-access.js';
import type { FieldNames } from '../../operator/requests/field-names.js';
import { explanationWithoutNames } from '../../operator/requests/viewer.js';
import type { ReadRules } from '../../operator/rule-use.js';
import type { TryShipment } from '../../operator/try-shipment.js';
import { freeText } from '../../http/openapi/parameters.js';
import { type PageDeps, timesOf } from '../page-deps.js';
import { readable } from '../readable-address.js';
import { ruleRow, rulesSentence, triedView } from './view.js';

const MAX_NUMBER = 100;
const TAKES = { area: freeText('Its area'), shipment: freeText('The shipment that the rules are tried with') };

export interface RulePagesDeps extends PageDeps {
  readonly rules: ReadRules;
  readonly tryShipment: TryShipment;
  readonly fieldNames: FieldNames;
}

/** The rules with their uses, and what they make of a shipment in the IMS. */
export function rulePages(deps: RulePagesDeps): Router {
  const router = express.Router();
  const tried = readable(deps, { page: 'rules', title: 'Rules', home: '/rules', takes: TAKES });
  router.get('/rules', deps.signedIn, tried, async (request, response) => {
    const used = await deps.rules();
    const times = timesOf(deps);
    deps.renderer.send(response, 'rules', {
      ...deps.pageOf(request, response),
      ...{ page: 'rules', areas: deps.areas, sentence: rulesSentence(used, times) },
      rows: used.rules.map((rule, place) => ruleRow(rule, place, times)),
      ...(await triedIn(deps, request, response)),
    });
  });
  return router;
}

/** The shipment that the address asks about. */
async function triedIn({ areas, tryShipment, fieldNames }: RulePagesDeps, { query }: Request, response: Response) {
  const area = areas.find(({ contextId }) => contextId === query['area'])?.contextId ?? areas[0]?.contextId ?? '';
  const shipment = textOf(query['shipment']);
  const about = { area, shipment, problem: null, tried: null };
  if (shipment === '') return about;
  const tried = await tryShipment(area, shipment);
  if (tried.kind === 'not-read') return { ...about, problem: tried.because };
  const { explanation } = tried;
  const shown = readsNames(response) ? explanation : explanationWithoutNames(explanation, fieldNames);
  return { ...about, tried: triedView(shown) };
}

function textOf(given: unknown): string {
  return typeof given === 'string' ? given.trim().slice(0, MAX_NUMBER) : '';
}
