export const operators = `
-- Who did what, from where, and what came of it. The row of an action is committed before the action begins, so that no
-- action is without one; a row that stays 'begun' belongs to a process that ended meanwhile.
create table audit (
  id        bigint generated always as identity primary key,
  at        timestamptz not null,
  operator  text,                        -- null: the token was not known
  action    text not null,
  target    text,                        -- the resource, e.g. consignments/1f…
  address   text,                        -- of the sender, as a trusted proxy or the connection has it
  result    text not null,               -- begun, done, refused, failed
  status    int,                         -- of the HTTP answer
  detail    text
);
create index audit_at on audit (at);

-- Browsers that are signed in. The id is stored as its SHA-256: a copy of the table opens no session.
create table session (
  id_hash     text primary key,
  operator    text not null,
  token_print text not null,             -- of the operator's token: a new token ends the sessions of the old one
  created_at  timestamptz not null,
  used_at     timestamptz not null
);
create index session_used_at on session (used_at);
`;
