import { type Body, DRY_RUN, fieldsIn, modeIn, objectOf } from '../../openapi/body.js';

const SCHEMA = objectOf({ dryRun: DRY_RUN });

/** The body of an action that can be tried first; nothing: it is done. */
export const TRY_FIRST: Body<'do' | 'tell'> = {
  schema: SCHEMA,
  examples: [{}, { dryRun: true }],
  read: (body) => modeIn(fieldsIn(SCHEMA, body ?? {})),
};
