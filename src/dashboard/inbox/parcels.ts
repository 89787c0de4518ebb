import express, { type Request, type Response, type Router } from 'express';
import { PARCELS, consignmentsOf } from '../../http/api/tracking.js';
import { forRole } from '../../http/operator-access.js';
import { addressWith, askedBy, joined } from './list-address.js';
import { type InboxPagesDeps, ROWS, sendMissing } from './inbox-page-deps.js';
import { timesOf } from '../page-deps.js';
import { asPage, readable } from '../readable-address.js';
import { parcelAddress, parcelPage, parcelShown, tabsOf } from './parcel-view.js';

const PATH = '/parcels';
const TAKES = asPage(PARCELS);
const NAME = /^\P{Cc}{1,100}$/u;

/** Parcels by status, what is late or lost, and one parcel with what its carrier said. */
export function parcelPages(deps: InboxPagesDeps): Router {
  const router = express.Router();
  const list = readable(deps, { page: 'parcels', title: 'Parcels', home: PATH, takes: TAKES });
  router.get(PATH, deps.signedIn, list, (request, response) => showList(deps, request, response));
  router.get(`${PATH}/:number`, deps.signedIn, (request, response) => showOne(deps, request, response));
  return router;
}

async function showList(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const { status, area, account, late, since, until, q, cursor: from } = askedBy(TAKES, request);
  const filter = { statuses: status, areas: area, accounts: account, late, since, until, q };
  const { parcels, cursor } = await deps.parcels.list(filter, { cursor: from, limit: ROWS });
  const [only] = parcels;
  if (q !== null && only?.trackingNumber === q && parcels.length === 1) return response.redirect(303, parcelAddress(q));
  const chosen = { status: joined(status), late: late === true ? 'true' : null };
  const given = { ...chosen, area: joined(area), account: joined(account), q };
  const address = (changes: Readonly<Record<string, string | null>>) => addressWith(PATH, { ...given, ...changes });
  const refused = await deps.parcels.refusedLogins();
  const tabs = tabsOf(await deps.parcels.counts(oneOf(area)), chosen);
  deps.renderer.send(response, 'parcels', {
    ...deps.pageOf(request, response),
    ...{ page: 'parcels', given, areas: deps.areas, isFiltered: address({}) !== PATH },
    tabs: tabs.map((tab) => ({ ...tab, href: address({ status: tab.status, late: tab.late, q: null }) })),
    rows: parcels.map((parcel) => parcelShown(parcel, timesOf(deps, parcel.area), refused)),
    ...{ isFirst: from === null, newest: address({}), older: cursor === null ? null : address({ cursor }) },
  });
}

function oneOf(areas: readonly string[] | null): string | null {
  return areas?.length === 1 ? (areas[0] ?? null) : null;
}

async function showOne(deps: InboxPagesDeps, request: Request, response: Response): Promise<void> {
  const number = String(request.params['number']);
  const found = NAME.test(number) ? await deps.parcels.parcel(number) : null;
  if (found === null) return sendMissing(deps, request, response);
  const ids = consignmentsOf(found);
  const shown = await forRole(response, { value: found, ids }, deps.queries.withoutNames);
  deps.renderer.send(response, 'parcel', {
    ...deps.pageOf(request, response),
    ...{ page: 'parcels', number, view: parcelPage(shown, (area) => timesOf(deps, area)) },
  });
}
