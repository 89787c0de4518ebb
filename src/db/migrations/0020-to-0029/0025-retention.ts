export const retention = `
-- When names and addresses were removed; null: they are there. Every later change of the row sets it to null again.
alter table consignment add column anonymised_at timestamptz;
create index consignment_rests on consignment (updated_at) where due_at is null;
create index consignment_to_anonymise on consignment (updated_at) where due_at is null and anonymised_at is null;

-- Bookings whose rows were deleted: their documents and shipments are not booked again. Holds no name and no address.
create table past_booking (
  consignment_id text primary key,
  area           text not null,
  document_id    text,
  shipment_id    text,
  ended_at       timestamptz not null
);
create index past_booking_document on past_booking (document_id, area) where document_id is not null;
create index past_booking_shipment on past_booking (shipment_id, area) where shipment_id is not null;
create index past_booking_ended_at on past_booking (ended_at);

-- The references of deleted bookings and returns: the carrier may answer with the old booking where one is used again.
create table past_reference (
  account   text not null,
  reference text not null,
  ended_at  timestamptz not null,
  primary key (reference, account)
);
create index past_reference_prefix on past_reference (reference collate "C", account);
create index past_reference_ended_at on past_reference (ended_at);

-- The instance that deletes old data, and until when the others leave it to that one. One row.
create table retention_turn (
  one   int primary key check (one = 1),
  owner text not null,
  until timestamptz not null
);

-- The parcels that a callback is about, so that it can be deleted with them; null: it came before the column, or is unread.
alter table callback add column tracking_numbers text[];

-- For what is deleted by its age.
create index label_created_at on label (created_at);
create index event_body_kept on event (received_at) where body <> '';
create index return_label_consignment on return_label (consignment_id);
create index consignment_note_created_at on consignment_note (created_at);
create index handover_created_at on handover (created_at);
create index carrier_setting_set_at on carrier_setting (set_at);
create index task_created_at on task (created_at) where state <> 'open';
`;
