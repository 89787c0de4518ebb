export const consignmentRequests = `
-- The requests of a consignment to the IMS and to carriers: one row for each run of work on it.
create table consignment_request (
  consignment_id text not null,
  n              int not null,           -- from 0
  at             timestamptz not null,   -- when the first of them left
  requests       jsonb not null,         -- what is known of each: time, address, status; no secrets, no personal data
  texts          bytea,                  -- both sides of each, without secrets; null: deleted
  primary key (consignment_id, n)
);
create index consignment_request_at on consignment_request (at);
`;
