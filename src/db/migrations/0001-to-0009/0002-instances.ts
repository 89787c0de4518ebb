export const instances = `
-- Instances that share the requests to the IMS. A row that was not written for some seconds is deleted by the others.
create table ims_instance (
  id      text primary key,
  host    text,                           -- machine and process namespace; null: not known
  pid     int not null,
  beat    int not null,                   -- counts this instance's writes: a late one changes nothing
  seen_at timestamptz not null,
  changed float8 not null,                -- stamp of the last change that the others must know before it sends
  knows   float8 not null,                -- stamp up to which it has taken the others' rows into account
  pooled  boolean not null                -- each of its requests holds a slot in Redis
);
create sequence ims_instance_stamp;

-- What was said once about a key's requests of a day.
create table ims_usage_told (
  key_id  text not null,
  day     date not null,
  percent int not null,
  told_at timestamptz not null default now(),
  primary key (key_id, day, percent)
);
`;
