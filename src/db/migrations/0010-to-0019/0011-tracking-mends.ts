export const trackingMends = `
-- One event may be told with several statuses: whatever order they come in, all of them count.
alter table tracking_event drop constraint tracking_event_account_tracking_number_dedupe_key;
alter table tracking_event add constraint tracking_event_once unique (account, tracking_number, dedupe, status);

-- Carriers use their numbers again: a parcel whose number another one has now is replaced, and the new one is told by
-- the events from its booking on.
alter table tracked_parcel add column events_from timestamptz not null default 'epoch';
alter table tracked_parcel add column replaced_at timestamptz;
alter table tracked_parcel drop constraint tracked_parcel_account_tracking_number_key;
create unique index tracked_parcel_current on tracked_parcel (account, tracking_number) where replaced_at is null;
create index tracked_parcel_ended on tracked_parcel (ended_at) where ended_at is not null;

-- For operators: what the IMS was not told, and callbacks that could not be applied (their state is "failed").
create index tracking_notice_given_up on tracking_notice (id) where state = 'given-up';
create index callback_failed on callback (id) where state = 'failed';

-- When the carrier of an account called last.
create table callback_heard (
  account  text primary key,
  heard_at timestamptz not null
);
`;
