import express, { type Router } from 'express';
import { type ReadOverview, namedIn } from '../../operator/overview/overview.js';
import type { WithoutNames } from '../../operator/requests/viewer.js';
import { forRole } from '../operator-access.js';
import { oneOf, readQuery } from '../openapi/parameters.js';
import { lang, languageOf } from './language.js';

/** What needs a person, and how everything goes; below `/api/v1`. The caller checks the token. */
export function overviewApi(read: ReadOverview, areas: readonly string[], withoutNames: WithoutNames): Router {
  const parameters = { area: oneOf(areas, 'Only this area', null), lang };
  const router = express.Router();
  router.get('/overview', async (request, response) => {
    const asked = readQuery(parameters, request.query);
    const value = await read({ area: asked.area, language: languageOf(request, asked.lang) });
    response.json(await forRole(response, { value, ids: namedIn(value) }, withoutNames));
  });
  return router;
}
