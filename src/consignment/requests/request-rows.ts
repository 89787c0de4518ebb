import type { Sql } from '../../db/database.js';
import { asJsonb } from '../../db/json.js';
import { Personal } from '../../db/sealing/personal.js';
import { named } from '../../db/named.js';
import type { KeptRequest, KeptTexts } from './kept-request.js';
import { readTexts, writeTexts } from './stored-texts.js';

/** Rows of one consignment. When they are all taken, the last one is replaced: the first and the newest run are kept. */
const MAX_ROWS = 50;

/** The requests of one run of a consignment. */
export interface RequestRow {
  readonly consignment: string;
  readonly at: Date;
  readonly requests: readonly { readonly known: KeptRequest; readonly texts: KeptTexts }[];
}

/** Stores the requests of several runs in one statement. @param rows at most one of each consignment */
export async function insertRequests(sql: Sql, rows: readonly RequestRow[]): Promise<void> {
  await sql.query(
    ...named(
      `insert into consignment_request (consignment_id, n, at, requests, texts)
       select given.id, least((select count(*) from consignment_request taken where taken.consignment_id = given.id), :last::int),
              given.at::timestamptz, given.requests::jsonb, decode(given.coded, 'base64')
         from unnest(:ids::text[], :times::text[], :requests::text[], :texts::text[]) as given (id, at, requests, coded)
       on conflict (consignment_id, n) do update
          set at = excluded.at, requests = excluded.requests, texts = excluded.texts`,
      {
        last: MAX_ROWS - 1,
        ids: rows.map(({ consignment }) => consignment),
        times: rows.map(({ at }) => at.toISOString()),
        requests: rows.map(({ requests }) => asJsonb(requests.map(({ known }) => known))),
        texts: new Personal((seal) => rows.map((row) => Buffer.from(seal.bytes(textsOf(row))).toString('base64'))),
      },
    ),
  );
}

function textsOf({ requests }: RequestRow): Buffer {
  return writeTexts(requests.map(({ texts }) => texts));
}

/** One request as it is stored. */
export interface StoredRequest extends KeptRequest {
  /** Unique within the consignment: the row and the place in it. */
  readonly id: string;
}

/** Loads the requests in the order in which they left. */
export async function loadRequests(sql: Sql, consignment: string): Promise<readonly StoredRequest[]> {
  const rows = await sql.query<{ n: number; requests: readonly KeptRequest[] }>(
    'select n, requests from consignment_request where consignment_id = $1 order by n',
    [consignment],
  );
  const all = rows.flatMap(({ n, requests }) => requests.map((each, place) => ({ ...each, id: `${n}.${place}` })));
  return all.sort((a, b) => a.at.localeCompare(b.at));
}

/** A request with the texts of both sides; `texts` is `null` where they are deleted. */
export type WholeRequest = StoredRequest & { readonly texts: KeptTexts | null };

/** Loads the requests with the texts of all of them: what is personal in one is known from the others. */
export async function loadWholeRequests(sql: Sql, consignment: string): Promise<readonly WholeRequest[]> {
  const rows = await sql.query<{ n: number; requests: readonly KeptRequest[]; texts: Uint8Array | null }>(
    'select n, requests, texts from consignment_request where consignment_id = $1 order by n',
    [consignment],
  );
  const all = rows.flatMap(({ n, requests, texts: stored }) => {
    const texts = readTexts(stored);
    return requests.map((each, place) => ({ ...each, id: `${n}.${place}`, texts: texts?.[place] ?? null }));
  });
  return all.sort((a, b) => a.at.localeCompare(b.at));
}
