export const lastPolls = `
-- When the carrier of an account was last asked about parcels, and answered.
create table account_polled (
  account   text primary key,
  polled_at timestamptz not null
);
`;
