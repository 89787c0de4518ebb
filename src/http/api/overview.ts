import express, { type Response, type Router } from 'express';
import { type Overview, type OverviewRequest, type ReadOverview, namedIn } from '../../operator/overview/overview.js';
import type { WithoutNames } from '../../operator/requests/viewer.js';
import { forRole, readsNames } from '../operator-access.js';
import { oneWord, readQuery } from '../openapi/parameters.js';
import { lang, requestLanguage } from './language.js';

/** What needs a person, and how everything goes; below `/api/v1`. The caller checks the token. */
export function overviewApi(read: ReadOverview, areas: readonly string[], withoutNames: WithoutNames): Router {
  const parameters = { area: oneWord(areas, 'Only this area', null), lang };
  const router = express.Router();
  router.get('/overview', async (request, response) => {
    const asked = readQuery(parameters, request.query);
    const of = { area: asked.area, language: requestLanguage(request, asked.lang) };
    response.json(await overviewForRole(response, { read, withoutNames }, of));
  });
  return router;
}

/** What an operator may read of the overview. */
export async function overviewForRole(
  response: Response,
  { read, withoutNames }: { readonly read: ReadOverview; readonly withoutNames: WithoutNames },
  request: Omit<OverviewRequest, 'notes'>,
): Promise<Overview> {
  const value = await read({ ...request, notes: readsNames(response) ? 'shown' : 'hidden' });
  return forRole(response, { value, ids: namedIn(value) }, withoutNames);
}
