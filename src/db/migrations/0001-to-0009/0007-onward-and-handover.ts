export const onwardAndHandover = `
-- Addresses that operators subscribed to tracking events.
create table subscriber (
  id              text primary key,
  url             text not null,
  area            text,                    -- null: of all areas
  secret          text not null,           -- in clear: it signs what we send
  previous_secret text,                    -- signs beside it until previous_until
  previous_until  timestamptz,
  created_at      timestamptz not null
);

-- One event for one subscriber. What is sent is read from the event and its parcel.
create table onward_delivery (
  id            bigint generated always as identity primary key, -- grows in the order of the commits
  subscriber_id text not null references subscriber (id) on delete cascade,
  event_id      bigint not null,
  parcel_id     bigint not null,
  status        text not null,             -- an event that is recognised later goes out again
  state         text not null default 'open', -- open, done, dead
  note          text,
  tries         int not null default 0,
  due_at        timestamptz not null,
  lease_owner   text,
  lease_until   timestamptz,
  created_at    timestamptz not null,
  ended_at      timestamptz,
  unique (subscriber_id, event_id, status)
);
create index onward_delivery_due on onward_delivery (subscriber_id, due_at, id) where state = 'open';
create index onward_delivery_parcel on onward_delivery (subscriber_id, parcel_id, id) where state = 'open';
create index onward_delivery_dead on onward_delivery (subscriber_id, id) where state = 'dead';
create index onward_delivery_ended on onward_delivery (ended_at) where state <> 'open';

-- What left with one carrier account by one consignment note, as it was then.
create table handover (
  area        text not null,
  document_id text not null,
  account     text not null,
  list        jsonb not null,
  close_out   text not null,               -- open, done, refused, given-up, not-offered
  close_note  text,                        -- the carrier's number of it, or why not
  attachment  text not null,               -- open, done, not-allowed, refused
  attach_note text,
  created_at  timestamptz not null,
  primary key (area, document_id, account)
);
create index handover_document on handover (document_id);

-- The consignment note that a consignment left by.
alter table consignment add column handed_over_by text;
create index consignment_handed_over on consignment (area, handed_over_by) where handed_over_by is not null;
`;
