import { afterEach, expect, it } from '@jest/globals';
import { areaOf } from '../../src/areas/area.js';
import type { Database } from '../../src/db/database.js';
import { withShipments } from '../../src/manifests/shipments-of-note.js';
import { type Script, type TestIms, fullToken, startTestIms } from '../ims/ims-server.js';
import { contextOfArea } from '../support/area-context.js';

let ims: TestIms;

afterEach(() => ims.close());

const noteAlone: Script = ({ url }) =>
  url.includes('/documents/700') ? { status: 200, json: { id: 700, documentNumber: 70 } } : { status: 401 };
const firstTokenOnly: Script = (request, count) => (count <= 1 ? fullToken(request, count) : { status: 401 });

it.each<readonly [string, Script, string]>([
  ['the IMS does not accept the key for the list', fullToken, 'ImsForbidden'],
  ['the IMS gives the client no token any more', firstTokenOnly, 'ImsCredentials'],
])('says what is missing to read the shipments of a consignment note where %s', async (_what, token, name) => {
  ims = await startTestIms({ api: noteAlone, token });
  const context = contextOfArea({} as Database, ims);
  const now = ims.clock.now();
  const note = { area: '550', documentId: '700', shipmentIds: [], leftAt: now, heardAt: now };
  await expect(withShipments(context, areaOf(context, '550'), { note, begunBy: now })).rejects.toMatchObject({ name });
});
