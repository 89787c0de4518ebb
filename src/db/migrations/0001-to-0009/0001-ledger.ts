export const ledger = `
-- What the IMS told us, as it came. Kept whether or not we understood it.
create table event (
  event_id      text primary key,        -- the sender's; sha256:... for a body without one
  area          text,
  event_type    text,
  document_type text,
  document_id   text,
  shipment_id   text,
  outcome       text not null,           -- accepted, ignored, unreadable
  problems      jsonb,
  body          text not null,
  occurred_at   timestamptz,
  received_at   timestamptz not null
);
create index event_received_at on event (received_at);
create index event_shipment on event (area, shipment_id);

-- One booking at one carrier, from the event to the end. The row is the whole truth about it:
-- every change is one update, guarded by its version.
create table consignment (
  id               text primary key,
  area             text not null,
  booked_on        text not null,        -- transport-booking, delivery-note, packing-completed
  document_id      text,
  shipment_id      text,
  shipment_number  text,
  carrier_name     text,                 -- as the event has it, for a shipment that does not say
  event_id         text not null,        -- messages go to this event,
  user_id          jsonb,                -- this user (number or text, as it came)
  device_name      text,                 -- and this device
  state            text not null,
  version          int not null default 0,
  account          text,
  carrier          text,
  reference        text,
  carrier_number   text,
  plan             jsonb,
  parts            jsonb not null default '[]',
  effects          jsonb not null default '[]',
  problems         jsonb not null default '[]',
  waits_for_person boolean not null default false,
  cancel_wanted    jsonb,                -- who asked for the cancellation
  tries            int not null default 0,
  run              int not null default 1,   -- counts retries by people
  run_started_at   timestamptz not null,
  waiting_told_at  timestamptz,
  due_at           timestamptz,          -- null: nothing to do
  lease_owner      text,
  lease_until      timestamptz,
  handed_over_at   timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);
create unique index consignment_document on consignment (area, document_id) where document_id is not null;
-- Two consignments under one reference could not be told apart at the carrier.
create unique index consignment_reference on consignment (account, reference) where reference is not null;
create index consignment_shipment on consignment (area, shipment_id);
create index consignment_due on consignment (due_at) where due_at is not null;
create index consignment_created on consignment (created_at desc, id desc);
create index consignment_state on consignment (state, created_at desc, id desc);
create index consignment_area on consignment (area, created_at desc, id desc);
create index consignment_number on consignment (shipment_number);
create index consignment_carrier_number on consignment (carrier_number);
create index consignment_lease on consignment (lease_owner) where lease_owner is not null;

-- Labels: n = 0 is the file that was attached, n >= 1 those of part n as the carrier gave them.
create table label (
  consignment_id text not null references consignment (id),
  n              int not null,
  k              int not null default 0,   -- several of one part, in order
  bytes          bytea not null,
  sha256         text not null,
  pages          int,
  created_at     timestamptz not null,
  primary key (consignment_id, n, k)
);

-- What happened to a consignment, for the operator.
create table journal (
  id             bigint generated always as identity primary key,
  consignment_id text not null,
  at             timestamptz not null,
  what           text not null,
  fields         jsonb not null default '{}'
);
create index journal_consignment on journal (consignment_id, id);

-- Work for an event that books nothing: choosing a carrier, looking at a delivery note.
create table errand (
  id           text primary key,        -- the event's
  kind         text not null,
  area         text not null,
  shipment_id  text,
  document_id  text,
  user_id      jsonb,
  device_name  text,
  state        text not null,           -- open, done, given-up
  note         text,
  version      int not null default 0,
  tries        int not null default 0,
  due_at       timestamptz,
  lease_owner  text,
  lease_until  timestamptz,
  created_at   timestamptz not null
);
create index errand_due on errand (due_at) where due_at is not null;

-- Requests to the IMS per area key and UTC day.
create table ims_usage (
  key_id text not null,
  day    date not null,
  calls  int not null,
  primary key (key_id, day)
);

-- What is told once and not again.
create table notice (
  area    text not null,
  topic   text not null,
  told_at timestamptz not null,
  primary key (area, topic)
);
`;
