import { JSON_TEXT, TEXT } from '../schema/fields.js';
import type { ImsEndpoint } from '../api/endpoint.js';
import type { Ims, Kind } from '../ims.js';
import { FULL } from '../api/endpoint.js';
import { restOf } from '../api/rest.js';

/**
 * An installed application's extension of an entity's form: the JSON Schema of the application's part of the entity's
 * `dataDocument`.
 */
export const dataExtensions: Kind = {
  resource: {
    name: 'DataExtension',
    fields: {
      entityName: { ...TEXT, always: true, says: 'Integrations use `seller` and `context`; every text is accepted.' },
      dataExtensionName: { ...TEXT, always: true, says: 'The name of the application in the `dataDocument`.' },
      dataSchema: { ...JSON_TEXT, says: 'Text that holds a JSON Schema.' },
    },
    needed: ['entityName', 'dataExtensionName'],
    localKey: 'dataExtensionName',
  },
  table: (store) => store.dataExtensions,
};

/**
 * Endpoints that installers call. The scope that the real service requires is unknown; the sandbox requires the one
 * that carriers require.
 */
export function dataExtensionEndpoints(ims: Ims): readonly ImsEndpoint[] {
  const extension = restOf(ims, dataExtensions);
  const path = '/dataExtensions';
  return [
    extension.list(path, [FULL]),
    extension.create(path, [FULL]),
    extension.read(`${path}/:id`, [FULL]),
    extension.change(`${path}/:id`, [FULL]),
  ].map((endpoint) => ({ ...endpoint, beyondTables: 'in-use' }));
}
