export const alerts = `
-- What was told to the chat or pager of those who run Waybridge, and what still has to be.
create table alert (
  id          bigint generated always as identity primary key,
  cause       text not null,             -- the kind of trouble and where: bookings-in-doubt gls
  count       int not null,              -- cases of it at that time
  newest      text not null,             -- the newest of them, in an order that texts have
  body        jsonb not null,            -- as it is sent
  state       text not null default 'open', -- open, done, dead
  note        text,
  tries       int not null default 0,
  due_at      timestamptz not null,
  lease_owner text,
  lease_until timestamptz,
  created_at  timestamptz not null
);
create index alert_due on alert (due_at) where state = 'open';
create index alert_cause on alert (cause, id desc);
create index alert_lease on alert (lease_owner) where lease_owner is not null;
`;
