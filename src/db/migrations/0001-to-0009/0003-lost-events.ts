export const lostEvents = `
-- Whose turn it is to look for what we never heard of: whoever moves next_at on looks, the others do not.
create table lost_event_sweep (
  area     text primary key,
  next_at  timestamptz not null,
  seen     jsonb not null default '[]',  -- unknown to us, but not to be taken up before it is seen once more
  taken_up bigint not null default 0     -- since the beginning
);
create index errand_document on errand (area, document_id) where document_id is not null;
create index errand_shipment on errand (area, shipment_id) where shipment_id is not null;
`;
