export const asking = `
-- A carrier has said that something happened to a number that is not registered yet: asked for once it is.
create table ask_wanted (
  account         text not null,
  tracking_number text not null,
  wanted_at       timestamptz not null,
  primary key (account, tracking_number)
);
create index ask_wanted_at on ask_wanted (wanted_at);

-- Calls of a UTC day to carriers that answer only so many.
create table ask_day (
  account text primary key,
  day     date not null,
  calls   int not null
);
`;
