import { holdUntilCommit } from '../db/advisory-locks.js';
import type { Sql } from '../db/database.js';

/** A subscriber to tracking events. */
export interface Subscriber {
  readonly id: string;
  readonly url: string;
  /** `null`: of all areas. */
  readonly area: string | null;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Signs in addition to the current one until its end. */
  readonly previous: { readonly secret: string; readonly until: Date } | null;
  readonly createdAt: Date;
}

interface SubscriberRow {
  readonly id: string;
  readonly url: string;
  readonly area: string | null;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: Date | null;
  readonly created_at: Date;
}

function toSubscriber(row: SubscriberRow): Subscriber {
  const { id, url, area, secret, previous_secret: previous, previous_until: until, created_at: createdAt } = row;
  return {
    ...{ id, url, area, secret, createdAt },
    previous: previous !== null && until !== null ? { secret: previous, until } : null,
  };
}

/** Inside a transaction. @returns whether there was room for it among `most` */
export async function insertSubscriber(
  sql: Sql,
  { id, url, area, secret, createdAt }: Omit<Subscriber, 'previous'>,
  most: number,
): Promise<boolean> {
  await holdUntilCommit(sql, 'subscribers');
  const rows = await sql.query(
    `insert into subscriber (id, url, area, secret, created_at)
     select $1, $2, $3, $4, $5 where (select count(*) from subscriber) < $6 returning id`,
    [id, url, area, secret, createdAt, most],
  );
  return rows.length > 0;
}

export async function findSubscriber(sql: Sql, id: string): Promise<Subscriber | null> {
  const [row] = await sql.query<SubscriberRow>('select * from subscriber where id = $1', [id]);
  return row ? toSubscriber(row) : null;
}

/** Deletes a subscriber with its deliveries. @returns whether there was one */
export async function deleteSubscriber(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('delete from subscriber where id = $1 returning id', [id])).length > 0;
}

/** @returns whether there is such a subscriber */
export async function changeSecret(
  sql: Sql,
  id: string,
  { secret, previousUntil }: { readonly secret: string; readonly previousUntil: Date },
): Promise<boolean> {
  const rows = await sql.query(
    'update subscriber set previous_secret = secret, previous_until = $3, secret = $2 where id = $1 returning id',
    [id, secret, previousUntil],
  );
  return rows.length > 0;
}

/** The query of an address may hold a token; its names are enough to recognise the address. */
export function withoutTokens(address: string): string {
  if (!URL.canParse(address)) return '***';
  const url = new URL(address);
  if (url.search === '') return address;
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`);
  return `${url.origin}${url.pathname}?${names.join('&')}`;
}

/** A subscriber as operators see it: without its secret, and without the values of its address's query. */
export interface SubscriberView {
  readonly id: string;
  readonly url: string;
  readonly area: string | null;
  readonly previousSecretUntil: Date | null;
  /** Not delivered yet. */
  readonly waiting: number;
  readonly deadLetters: number;
  readonly lastDeliveredAt: Date | null;
  /** The error of the oldest waiting delivery's last attempt. */
  readonly trouble: string | null;
  readonly createdAt: Date;
}

interface ViewRow extends SubscriberRow {
  readonly waiting: number;
  readonly dead: number;
  readonly last: Date | null;
  readonly trouble: string | null;
}

export async function listSubscribers(sql: Sql, now: Date): Promise<readonly SubscriberView[]> {
  const rows = await sql.query<ViewRow>(
    `select s.*,
            (select count(*)::int from webhook_delivery d where d.subscriber_id = s.id and d.state = 'open') as waiting,
            (select count(*)::int from webhook_delivery d where d.subscriber_id = s.id and d.state = 'dead') as dead,
            (select max(ended_at) from webhook_delivery d where d.subscriber_id = s.id and d.state = 'done') as last,
            (select note from webhook_delivery d where d.subscriber_id = s.id and d.state = 'open' and d.tries > 0
              order by id limit 1) as trouble
       from subscriber s order by s.created_at, s.id`,
  );
  return rows.map((row) => {
    const { id, url, area, createdAt, previous } = toSubscriber(row);
    const previousSecretUntil = previous !== null && previous.until > now ? previous.until : null;
    const { waiting, dead: deadLetters, last: lastDeliveredAt, trouble } = row;
    return {
      id,
      url: withoutTokens(url),
      area,
      previousSecretUntil,
      waiting,
      deadLetters,
      lastDeliveredAt,
      trouble,
      createdAt,
    };
  });
}
