export const tracking = `
-- What carriers sent to us, as it came. A row is there before the carrier gets its answer.
create table callback (
  id          bigint generated always as identity primary key,
  account     text not null,
  hash        text not null,             -- of the body: the same call again finds it
  body        bytea not null,
  outcome     jsonb,                     -- what the carrier's adapter read in it, until that is applied
  state       text not null,             -- stored, applied, ignored
  note        text,
  received_at timestamptz not null,
  unique (account, hash)
);
create index callback_stored on callback (id) where state = 'stored';
create index callback_received_at on callback (received_at) where state <> 'stored';

-- One parcel on its way. What is known of it is computed from all of its events; this is the result.
create table tracked_parcel (
  id                 bigint generated always as identity primary key,
  account            text not null,
  tracking_number    text not null,
  consignment_id     text not null,
  area               text not null,
  container_id       text not null,
  shipment_id        text,
  shipment_number    text not null,
  carrier_name       text not null,
  event_id           text not null,       -- messages go to this event,
  user_id            jsonb,               -- this user (number or text, as it came)
  device_name        text,                -- and this device
  tracking_url       text,
  url_from_events    boolean not null default false,
  status             text not null,
  status_at          timestamptz,         -- null: no event yet
  place              text,
  estimated_delivery text,
  next_ask_at        timestamptz,         -- null: not asked for
  asks_failed        int not null default 0,
  ended_at           timestamptz,
  registered_at      timestamptz not null,
  unique (account, tracking_number)
);
create index tracked_parcel_ask on tracked_parcel (account, next_ask_at) where next_ask_at is not null;
create index tracked_parcel_open on tracked_parcel (registered_at) where ended_at is null;
create index tracked_parcel_number on tracked_parcel (tracking_number);
create index tracked_parcel_shipment on tracked_parcel (area, shipment_id);
create index tracked_parcel_consignment on tracked_parcel (consignment_id);

-- What happened to a parcel, each event once; also for numbers that nobody has registered yet.
create table tracking_event (
  id                 bigint generated always as identity primary key,  -- grows in the order of the commits
  account            text not null,
  tracking_number    text not null,
  dedupe             text not null,
  status             text not null,
  code               text,
  text               text,
  place              text,
  at                 text not null,       -- as the carrier gives it
  moment             timestamptz not null,
  zone               text not null,       -- stated, assumed
  estimated_delivery text,
  tracking_url       text,
  received_at        timestamptz not null,
  unique (account, tracking_number, dedupe)
);
create index tracking_event_number on tracking_event (tracking_number);
create index tracking_event_received_at on tracking_event (received_at);
create index tracking_event_unrecognised on tracking_event (account, code) where status = 'unrecognised';

-- What the IMS is to be told of a parcel: each once.
create table tracking_notice (
  id          bigint generated always as identity primary key,
  parcel_id   bigint not null,
  kind        text not null,              -- message, tracking-url, kept-status
  status      text not null,
  area        text not null,
  shipment_id text,
  state       text not null default 'open', -- open, done, given-up
  note        text,
  generation  int not null default 0,     -- grows when a kept status is wanted again
  tries       int not null default 0,
  due_at      timestamptz,
  lease_owner text,
  lease_until timestamptz,
  created_at  timestamptz not null,
  unique (parcel_id, kind, status)
);
create index tracking_notice_due on tracking_notice (due_at) where due_at is not null;
create index tracking_notice_kept on tracking_notice (area, shipment_id) where kind = 'kept-status' and state = 'open';

-- The version of a consignment whose parcels are registered; the ended ones that changed since are found by the index.
alter table consignment add column tracked_version int;
create index consignment_untracked on consignment (id)
  where state in ('closed', 'incomplete', 'cancelled') and tracked_version is distinct from version;
`;
