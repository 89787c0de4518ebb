export const numbers = `
-- Series of numbers that Waybridge gives out itself, such as the serials of SSCCs. They only count up.
create table number_series (
  name text primary key,
  next bigint not null
);

-- Which numbers a booking got, so that it gets them again when it is repeated.
create table number_given (
  series    text not null,
  reference text not null,
  key       text not null,               -- of a parcel, or of the whole booking
  number    bigint not null,
  given_at  timestamptz not null default now(),
  primary key (series, reference, key),
  unique (series, number)
);

-- For what is deleted by its age.
create index number_given_age on number_given (given_at);
`;
